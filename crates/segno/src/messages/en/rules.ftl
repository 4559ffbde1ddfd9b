# The rules of time: auto-pause, expiry, `segno watch`.
rules-auto-paused = { $session } was idle: it has been saved and paused; `segno resume { $session }` goes on
rules-expired = { $session } has expired
rules-not-applied = { $session } could not be paused: { $why }
rules-watching = watching { $root }; Ctrl-C ends it
rules-essay-idle = { $session } has not been worked on for a week or more: `segno resume { $session }` goes on; `segno essay abandon { $session }` gives it up, and `segno clean` then puts it into the trash; nothing is removed before you say so
rules-essay-temporary = { $session } lies in the temporary directory, which a reboot empties: `segno essay move { $session }` brings it into the workspace
