# How long ago something was.
time-now = just now
time-minutes = { $n ->
    [one] { $n } minute ago
   *[other] { $n } minutes ago
}
time-hours = { $n ->
    [one] { $n } hour ago
   *[other] { $n } hours ago
}
time-today = today
time-yesterday = yesterday
time-days = { $n ->
    [one] { $n } day ago
   *[other] { $n } days ago
}
time-weeks = { $n ->
    [one] { $n } week ago
   *[other] { $n } weeks ago
}
time-months = { $n ->
    [one] { $n } month ago
   *[other] { $n } months ago
}
time-years = { $n ->
    [one] { $n } year ago
   *[other] { $n } years ago
}
