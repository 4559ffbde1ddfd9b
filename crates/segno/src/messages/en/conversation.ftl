# The verbs of conversations.
conversation-started = Started "{ $title }": { $session }
conversation-no-command = no file with the instructions of { $command } was found in .claude, .opencode or .gemini: no hash of them is kept
conversation-no-template = the template { $name } of the registry was not found: the document has the sections of its type instead
conversation-own-type = `{ $kind }` is a type of your own: neither built in nor in a registry
conversation-said = { $count ->
    [one] Saved { $count } message in { $session }
   *[other] Saved { $count } messages in { $session }
}
conversation-said-line = saved line { $line } { $at }
conversation-active-again = { $id } was paused and is active again
conversation-input = cannot read `{ $path }`
conversation-nothing-said = there is nothing to say
conversation-nothing-said-hint = give the message as text, from a file with --input FILE, or on standard input
conversation-not-text = the message is not UTF-8 text from byte { $at } on
conversation-batch-line = line { $line } of the batch: { $why }
conversation-batch-hint = a line is {"{"}"role":"user","content":"..."{"}"}, role being user, assistant, system or tool
conversation-completed = Conversation "{ $title }" has been completed.
conversation-committed = committed to git: { $hash }
conversation-nothing-to-commit = nothing to commit to git: the last commit has it all
conversation-git-missing = the session is saved but not committed: there is no git on PATH
conversation-git-no-repository = the session is saved but not committed: this is no git repository
conversation-git-in-progress = the session is saved but not committed: a { $what } is going on; commit when it is done
conversation-git-locked = the session is saved but not committed: another git is writing, or one died ({ $path })
conversation-git-ignored = the session is saved but not committed: git is told to ignore it
conversation-git-timeout = the session is saved but not committed: `git { $command }` did not come to an end
conversation-git-failed = the session is saved but not committed: `git { $command }` said: { $said }
