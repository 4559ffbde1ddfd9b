# Setting a session aside.
stop-saved = Session saved.
stop-paused = { $kind } "{ $title }" has been paused.
stop-continue = You can continue later with `{ $command }`
stop-continue-conversation = You can continue later with /workspace.resume or `{ $command }`
stop-summary = Summary:
stop-none = no session is active
stop-several = { $count } sessions are active: say which one
stop-one-of-several = `{ $command }`: { $title }
stop-empty-summary = the summary is empty
stop-empty-summary-hint = leave --summary out, and it is made from what was said last
