# Coming back to a session.
resume-none = there is no session to resume here
resume-none-hint = begin one: { $command }
resume-no-match = no title or summary holds `{ $words }`
resume-list-hint = `segno resume --list` shows what can be resumed
resume-several = `{ $words }` fits { $count } sessions
resume-one-of-several = `{ $command }`: { $title } ({ $status })
resume-go-on = go on with: { $command }
resume-was-completed = it had been completed and is active again
resume-prompt-changed = the agent's instructions have changed since; the current ones are used
resume-prompt-missing = the agent's instructions were not found; it is given the history without them
resume-lines-unreadable = some lines of the history cannot be read: `segno check { $session }`
resume-which = Which one would you like to continue?
