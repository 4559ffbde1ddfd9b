# Errors that the frame words for all commands.
errors-no-current-dir = the current directory no longer exists
errors-no-current-dir-hint = change to a directory that exists, or name the workspace with -C DIR
errors-workspace-missing = there is no directory `{ $dir }`
errors-workspace-not-dir = `{ $dir }` is not a directory
errors-workspace-unreadable = `{ $dir }` cannot be opened as a workspace
errors-workspace-hint = -C takes a directory that exists; the workspace is looked for from there upwards

errors-not-found = no session `{ $wanted }`
errors-not-found-near = the nearest: { $near }
errors-not-found-list = `segno list` shows what is there
errors-ambiguous = `{ $wanted }` names { $count } sessions
errors-ambiguous-candidate = one of them: { $candidate }
errors-ambiguous-more = … and { $count } more
errors-ambiguous-hint = give more of the id, `kind/id`, or the path
errors-exists = { $what } exists already
errors-damaged = `{ $session }` is damaged
errors-damaged-problem = { $place }: { $found }
errors-damaged-hint = run `segno recover { $session }`; nothing that cannot be read is thrown away
errors-busy = `{ $what }` is being written by another process
errors-busy-holder = lock held by pid { $pid } ({ $program }) since { $since }
errors-busy-holder-unknown = the holder of the lock left no name
errors-busy-hint = wait for it and try again; `lock.timeout_ms` sets how long segno itself waits
errors-too-new = `{ $session }` was written by a newer version (format { $found }, this program knows { $supported })
errors-too-new-hint = it can be read but not changed: update segno to write to it
errors-unsupported = sessions of the kind { $kind } cannot { $operation }
errors-unsupported-hint = `segno { $kind } --help` shows what it can do

errors-disk = cannot { $op } `{ $path }`
errors-disk-full = free some space and try again; what was there before is intact
errors-disk-permission = check who owns the file and its directory, and their permissions
errors-disk-read-only = the file system is mounted read-only: nothing can be saved in this workspace until it is writable
errors-disk-escapes = a symbolic link leads out of the workspace; segno only opens what lies inside
errors-disk-conflict = somebody else changed the file in the meantime and nothing was overwritten: try again
errors-disk-bad-path = use a name without `/`, `..` or control characters
errors-disk-synced = what was acknowledged before is safe; look at the disk before going on

errors-stdout = cannot write to standard output
errors-stdin = cannot read from standard input
errors-clock = the clock cannot be read
errors-no-terminal = this needs an answer, and there is no terminal to ask on: { $question }
errors-no-answer = no answer was given to: { $question }
errors-usage-no-command = no command was given
errors-usage-help = for more information, try `{ $command }`
errors-internal = this is a bug in segno { $version }: { $what }
errors-internal-safe = what segno acknowledged as saved is on disk
errors-internal-report = please report it with the command you ran and the lines above
