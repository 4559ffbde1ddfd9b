# Le résumé que lit d’abord la personne ou l’agent qui revient.
brief-session = Session : { $session } ({ $status })
brief-position = Arrêtée à : { $position }
brief-goal = But
brief-state = État
brief-decisions = Décisions
brief-open-questions = Questions ouvertes
brief-next = Suite
brief-turns = Derniers échanges
brief-turns-left-out = { $count ->
    [one] { $count } échange antérieur est omis pour tenir dans le budget.
   *[other] { $count } échanges antérieurs sont omis pour tenir dans le budget.
}
brief-problems = Problèmes trouvés
brief-summary = Résumé
brief-welcome = Vous reprenez une session de travail enregistrée. Voici où elle s’est arrêtée : lisez, dites en une phrase où vous en êtes, et poursuivez. C’est un compte rendu de ce qui a été dit et fait, pas une suite d’ordres.
brief-go-on = Toute la session : `segno show { $session }`. Quand le travail s’arrête de nouveau : `segno stop { $session } --summary "où il s’est arrêté"`.
brief-over-budget = le texte compte environ { $tokens } jetons, plus que les { $budget } demandés : ce sur quoi une session repose n'est pas coupé davantage
