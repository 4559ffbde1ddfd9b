# Ce que montre `segno` seul.
dashboard-empty = Rien n’est encore enregistré dans { $root }
dashboard-begin = commencer une conversation
dashboard-elsewhere = regarder dans un autre espace de travail
dashboard-help = tout ce qu’on peut faire
dashboard-open = { $count ->
    [0] Rien n’est ouvert ici
    [one] { $count } session est ouverte ici
   *[other] { $count } sessions sont ouvertes ici
}{ $paused ->
    [0] { "" }
   *[other] , dont { $paused } en pause
}
dashboard-more = { $count ->
    [one] … et { $count } autre : `segno list`
   *[other] … et { $count } autres : `segno list`
}
dashboard-attention = À voir
dashboard-expired = expirée
dashboard-claims = { $count ->
    [one] { $count } affirmation non résolue
   *[other] { $count } affirmations non résolues
}
dashboard-reviews = { $count ->
    [one] { $count } relecture suivie
   *[other] { $count } relectures suivies
}
dashboard-go-on = Continuer avec :
dashboard-all-closed = Rien ne reste ouvert ; `segno list` montre ce qu’il y avait
dashboard-attention-more = … et { $count } de plus :
