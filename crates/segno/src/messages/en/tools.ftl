# The tools that sessions are resumed in.
tools-starting = resuming "{ $title }" in { $tool }
tools-ended = when the work is done for now: `segno stop { $session }`
tools-lead = You are taking up a saved work session. What follows is where it stopped.
tools-read-file = You are taking up a saved work session. Read all of the file { $path } first: it holds where it stopped (where your tool for files refuses it because git ignores it, print it with a command). Then go on from there.
tools-instead = { $missing } is not installed here; { $tool } is started instead
tools-missing = no tool to resume in: { $tools } cannot be found
tools-missing-hint = `--print` prints the text instead, for any tool
tools-unknown = `{ $tool }` is not a tool that segno knows
tools-known = known: { $tools }
tools-configure = any other can be set up: { "`tools.NAME = \"command {text}\"`" } in the configuration
tools-bad-command = the command of the tool `{ $tool }` makes no sense: { $command }
tools-trust = This workspace brings its own command for `{ $tool }`: { $command } - run it?
tools-trust-hint = if it is yours, put `tools.{ $tool }` into your own { $file }; else choose another with --tool, or --print
tools-not-trusted = the workspace's command for `{ $tool }` was not run
tools-failed = { $tool } ended with exit code { $code }
tools-killed = { $tool } was ended by a signal
tools-failed-hint = the session is active and nothing is lost: `segno resume { $session }` tries again
