# What the verbs of all kinds say.
common-unit-finished = finished what a crash had interrupted ({ $name }, { $count ->
    [one] { $count } file
   *[other] { $count } files
})
common-other-kind = `{ $session }` is a { $found } session, not a { $wanted }
common-outside = `{ $path }` is not in the workspace
common-outside-hint = the workspace is { $root }; choose another with -C
common-no-sessions = no sessions here yet
common-checked = { $sessions ->
    [one] { $sessions } session
   *[other] { $sessions } sessions
} checked, { $count ->
    [0] nothing wrong
    [one] { $count } problem
   *[other] { $count } problems
}
common-recovered = nothing needed repair
common-not-known = could not be known again: { $what }
common-set-aside = set aside, nothing deleted: { $path }
