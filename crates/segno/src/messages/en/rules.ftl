# The rules of time: auto-pause, expiry, `segno watch`.
rules-auto-paused = { $session } was idle: it has been saved and paused; `segno resume { $session }` goes on
rules-expired = { $session } has expired
rules-not-applied = { $session } could not be paused: { $why }
rules-watching = watching { $root }; Ctrl-C ends it
rules-essay-idle = { $session } has not been worked on for a week or more: `segno resume { $session }` goes on; `segno essay abandon { $session }` and then `segno clean` put it into the trash
rules-essay-temporary = { $session } lies in the temporary directory, which a reboot empties: `segno essay move { $session }` brings it into the workspace
rules-many-auto-paused = { $count } sessions were idle: they have been saved and paused; `segno list --status paused` shows them, `segno resume` goes on with one
rules-many-expired = { $count } sessions have expired; `segno list --status abandoned` shows them
rules-many-essay-idle = { $count } essays have not been worked on for a week or more: `segno list --kind essay` shows them; `segno resume` goes on with one, `segno essay abandon` gives one up; nothing is removed before you say so
rules-many-essay-temporary = { $count } essays lie in the temporary directory, which a reboot empties: `segno list --kind essay` shows them, `segno essay move` brings one into the workspace
