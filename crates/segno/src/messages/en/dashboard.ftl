# What `segno` alone shows.
dashboard-empty = Nothing is saved yet in { $root }
dashboard-begin = begin a conversation
dashboard-elsewhere = look into another workspace
dashboard-help = all that can be done
dashboard-open = { $count ->
    [0] Nothing is open here
    [one] { $count } session is open here
   *[other] { $count } sessions are open here
}{ $paused ->
    [0] { "" }
   *[other] , { $paused } paused
}
dashboard-more = { $count ->
    [one] … and { $count } more: `segno list`
   *[other] … and { $count } more: `segno list`
}
dashboard-attention = Needs attention
dashboard-expired = expired
dashboard-claims = { $count ->
    [one] { $count } unresolved claim
   *[other] { $count } unresolved claims
}
dashboard-reviews = { $count ->
    [one] { $count } tracked review
   *[other] { $count } tracked reviews
}
dashboard-go-on = Go on with:
dashboard-all-closed = Nothing is left open; `segno list` shows what there was
dashboard-attention-more = … and { $count } more:
