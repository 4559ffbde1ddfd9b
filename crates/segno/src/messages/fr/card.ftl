# Une liste de sessions.
card-kind = GENRE
card-id = ID
card-status = ÉTAT
card-last-active = ACTIVITÉ
card-title = TITRE
card-position = ARRÊTÉE À
card-workspace = ESPACE
card-active = active
card-paused = en pause
card-completed = terminée
card-abandoned = abandonnée
card-problems = { $count ->
    [one] { $count } problème
   *[other] { $count } problèmes
}
card-summary = RÉSUMÉ
card-sort = TYPE
card-damaged = endommagé
