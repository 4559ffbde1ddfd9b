# A list of sessions.
card-kind = KIND
card-id = ID
card-status = STATUS
card-last-active = LAST ACTIVE
card-title = TITLE
card-position = STOPPED AT
card-workspace = WORKSPACE
card-active = active
card-paused = paused
card-completed = completed
card-abandoned = abandoned
card-problems = { $count ->
    [one] { $count } problem
   *[other] { $count } problems
}
card-summary = SUMMARY
card-sort = TYPE
card-damaged = damaged
