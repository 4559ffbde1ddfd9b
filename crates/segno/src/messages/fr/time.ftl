# Il y a combien de temps.
time-now = à l’instant
time-minutes = { $n ->
    [one] il y a { $n } minute
   *[other] il y a { $n } minutes
}
time-hours = { $n ->
    [one] il y a { $n } heure
   *[other] il y a { $n } heures
}
time-today = aujourd’hui
time-yesterday = hier
time-days = { $n ->
    [one] il y a { $n } jour
   *[other] il y a { $n } jours
}
time-weeks = { $n ->
    [one] il y a { $n } semaine
   *[other] il y a { $n } semaines
}
time-months = il y a { $n } mois
time-years = { $n ->
    [one] il y a { $n } an
   *[other] il y a { $n } ans
}
