# Discussions.
discuss-started = discussing { $about } under the { $contract } contract ({ $reason })
discuss-said = recorded ({ $role })
discuss-error-recorded = the error is recorded
discuss-final = final JSON with { $count ->
    [one] { $count } operation
   *[other] { $count } operations
} recorded; apply it with: { $command }
discuss-done-as-is = the ids may be wrong (`segno discuss plan` lists those that are there); --as-is records the operations for a plan that is elsewhere
discuss-final-several = the answer held { $count } final JSONs; the last one is taken
discuss-no-operations = no operations: the discussion is closed
discuss-rejected-hint = no operations were applied and the discussion is still open: try again with corrected JSON
discuss-no-text = no text was given
discuss-no-text-hint = give it as an argument, or with --input FILE (- for standard input)
discuss-input-unreadable = cannot read `{ $path }`
discuss-input-too-large = `{ $path }` has more than { $most } MB
discuss-input-not-utf8 = `{ $path }` is not UTF-8 text
discuss-lock-stale = took over docs/maestro/locks/repo.lock from { $holder }, which is gone
discuss-lock-kept = docs/maestro/locks/repo.lock could not be let go ({ $why }); the next replay recognises that its holder is gone
discuss-replay-loaded = { $id }: { $about }, { $contract } contract
discuss-replay-audit = recorded in { $path }/transcript.jsonl
discuss-replay-failed = REPLAY_FAIL: { $why }
discuss-replay-recover = nothing was changed in the plan; `segno check discuss/{ $id }` says more, `segno recover discuss/{ $id }` repairs what can be
discuss-replay-busy = nothing was changed in the plan; wait for the holder, or delete the lock file if you know that it is gone
discuss-replay-nothing = nothing was changed in the plan; the run is recorded in the transcript
discuss-replay-check-plan = nothing was changed in the plan; `segno check` names what is wrong with its files and what to do
discuss-replay-see-plan = `segno discuss plan` shows what is in the plan
discuss-no-track = there is no track `{ $track }`
discuss-tracks = the tracks are: { $tracks }
discuss-more = … and { $count } more
discuss-plan-empty = there is no plan in docs/maestro yet
discuss-engine-template = the engine template `{ $key }` cannot be used
discuss-engine-unknown = no engine `{ $name }`
discuss-engine-known = known engines: { $known }
discuss-engine-configure = any other command can be one: set `{ $key }` in the configuration
discuss-engine-foreign = This workspace's configuration wants to run: { $command } — run it?
discuss-engine-foreign-hint = put the engine into your own configuration to run it without being asked
discuss-engine-refused = the engine `{ $name }` was not run
discuss-engine-failed = { $message } { $details }
discuss-chat-help = type a message; /done ends with the operations, /history shows the talk, /quit leaves it open, /help says this
discuss-chat-began = discussion { $id }
discuss-chat-nothing = nothing has been discussed yet
discuss-chat-no-command = there is no command { $word }: it was not sent
discuss-chat-rejected = the final JSON was not accepted: { $why }. Go on, or try /done again
discuss-chat-apply = Apply these changes? [y]es/[n]o
discuss-chat-cancelled = nothing was applied and the discussion is closed; it can still be applied with: { $command }
discuss-chat-left = the discussion is open; go on with: { $command }
