# どのくらい前か
time-now = たった今
time-minutes = { $n }分前
time-hours = { $n }時間前
time-today = 今日
time-yesterday = 昨日
time-days = { $n }日前
time-weeks = { $n }週間前
time-months = { $n }か月前
time-years = { $n }年前
