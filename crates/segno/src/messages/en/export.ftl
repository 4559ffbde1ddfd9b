# A session, written for others.
export-written = written to { $path }
export-redacted = { $count ->
    [0] no secrets were found
    [one] { $count } secret was replaced
   *[other] { $count } secrets were replaced
}
export-kept = secrets were not looked for: what is written may hold keys and passwords
export-exists = `{ $path }` exists already, and nothing was overwritten
export-exists-hint = choose another name, or move that file away
