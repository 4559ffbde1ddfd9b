# Mettre une session de côté.
stop-saved = Session enregistrée.
stop-paused = { $kind } « { $title } » est en pause.
stop-continue = Vous pourrez continuer avec `{ $command }`
stop-continue-conversation = Vous pourrez continuer avec /workspace.resume ou `{ $command }`
stop-summary = Résumé :
stop-none = aucune session n’est active
stop-several = { $count } sessions sont actives : dites laquelle
stop-one-of-several = `{ $command }` : { $title }
stop-empty-summary = le résumé est vide
stop-empty-summary-hint = sans --summary, il est fait de ce qui a été dit en dernier
