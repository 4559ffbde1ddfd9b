# Brainstorms, as their format's document words them.
brainstorm-saved = Session saved: { $path }
brainstorm-saved-state = EMS: { $ems }/100 | Phase: { $phase } | Iteration: { $iteration }
brainstorm-come-back = To come back: { $command }
brainstorm-created = Session begun: { $path }
brainstorm-archived = the session of that name is kept as { $path }
brainstorm-box-found = Existing session found: "{ $slug }" (EMS: { $ems })
brainstorm-box-active = { "   " }Last activity: { $when }
brainstorm-box-phase = { "   " }Phase: { $phase } | Iteration: { $iteration }
brainstorm-box-status = { "   " }Status: { $status }
brainstorm-box-unreadable = A session is there but cannot be read: { $path }
brainstorm-which = Which one? [1]
brainstorm-resume-it = [1] Resume this session
brainstorm-new-one = [2] New session
brainstorm-exists-hint = choose with --resume (go on with it) or --new (it is archived, never overwritten)
brainstorm-which-slug = What shall the session be called, in kebab-case?
brainstorm-which-slug-hint = name it: segno brainstorm start SLUG
brainstorm-asked = Iteration { $iteration } | EMS: { $ems }/100 ({ $delta }) { $bar }
brainstorm-many-questions = more than { $max } questions in one iteration tire the user
brainstorm-many-iterations = more than { $max } iterations: consider finishing
brainstorm-branched = the iterations this one replaces are kept as branch { $branch }
brainstorm-answered = Iteration { $iteration }: { $open ->
    [0] all questions are answered
    [one] { $open } question is open
   *[other] { $open } questions are open
}
brainstorm-no-idea = no idea was given: write it as an argument, or use --stdin
brainstorm-idea-added = Idea { $id } added
brainstorm-idea-scored = Idea { $id }: { $score }/10 — { $content }
brainstorm-no-ideas = no ideas yet
brainstorm-column-id = ID
brainstorm-column-score = SCORE
brainstorm-column-idea = IDEA
brainstorm-column-technique = TECHNIQUE
brainstorm-column-category = CATEGORY
brainstorm-column-phase = PHASE
brainstorm-column-difficulty = DIFFICULTY
brainstorm-column-what = WHAT TO DO
brainstorm-column-iteration = ITERATION
brainstorm-column-ems = EMS
brainstorm-column-questions = QUESTIONS
brainstorm-phase-changed = Phase: { $from } → { $to }
brainstorm-persona-changed = Persona: { $persona }
brainstorm-energy = ENERGY CHECK | EMS: { $ems }/100 | Phase: { $phase }
brainstorm-status-head = { $slug } | Iteration { $iteration } | Phase: { $phase }
brainstorm-status-ems = EMS: { $ems }/100 { $bar } { $level }
brainstorm-status-stagnant = The score has hardly moved for two iterations: try a technique or another direction
brainstorm-status-open = Open questions:
brainstorm-level-germination = Germination
brainstorm-level-development = Development
brainstorm-level-mature = Mature
brainstorm-level-complete = Very complete
brainstorm-level-exceptional = Exceptional
brainstorm-next-answer = Next: answer the open questions ({ $command })
brainstorm-next-finish = Next: finish ({ $command })
brainstorm-next-may-finish = Next: go on, or finish ({ $command })
brainstorm-next-technique = Next: try a technique ({ $command })
brainstorm-next-converge = Next: converge ({ $command })
brainstorm-next-ask = Next: ask on ({ $command })
brainstorm-next-nothing = Nothing is left to do
brainstorm-alternatives = also possible: { $names }
brainstorm-technique-applied = Technique applied: { $name }
brainstorm-technique-skipped = Technique skipped: { $name }
brainstorm-party-started = Party open; the topic calls for { $personas }
brainstorm-party-ended = Party ended after { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
}
brainstorm-panel-started = Panel open; the topic calls for { $experts }
brainstorm-panel-ended = Panel ended after { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
}
brainstorm-round-recorded = Round { $round } recorded
brainstorm-back-too-far = cannot go back { $n } iterations
brainstorm-back-now = current iteration: { $iteration }
brainstorm-back-most = most possible: back { $most }
brainstorm-back-none = there is nothing before this iteration
brainstorm-back-done = { $n ->
    [one] Back by { $n } iteration
   *[other] Back by { $n } iterations
}
brainstorm-forward-done = Forward by 1 iteration
brainstorm-branch-returned = Back on branch { $branch }
brainstorm-jump-iteration = Iteration: { $from } → { $to }
brainstorm-jump-ems = EMS: { $from }/100 → { $to }/100 ({ $delta })
brainstorm-jump-phase = Phase: { $phase }
brainstorm-jump-questions = Questions restored (iteration { $iteration }):
brainstorm-no-branches = there are no branches
brainstorm-branch = Branch { $branch }, after iteration { $from }: { $count ->
    [one] { $count } iteration
   *[other] { $count } iterations
}
brainstorm-branch-hint = return to one with: segno brainstorm continue { $slug } --branch N
brainstorm-finished-early = the EMS is { $ems }: below { $wanted } an exploration is rarely ripe
brainstorm-brief-written = Brief: { $path }
brainstorm-journal-written = Journal: { $path }
brainstorm-abandoned = { $slug } is abandoned; it is kept until it is cleaned away
brainstorm-stdin = standard input is not the JSON object that this command takes
brainstorm-stdin-hint = `--help` names the keys
brainstorm-resume-none = no session in progress to come back to
brainstorm-resume-none-hint = without `--resume` a new one begins
brainstorm-missing = `{ $name }` is missing
brainstorm-no-axis = there is no axis `{ $name }`
brainstorm-axes = the axes are { $names }
brainstorm-one-way = choose one of them: they exclude each other
brainstorm-not-editable = the file cannot be changed as asked: { $error }
brainstorm-not-editable-hint = edit the file by hand at that line, then try again
brainstorm-rule-early = the EMS is { $ems }: below { $least } a finish must be forced
brainstorm-rule-early-hint = go on exploring, or add `--force`
brainstorm-rule-no-idea = there is no idea { $id }
brainstorm-rule-there-are = there are: { $names }
brainstorm-rule-idea-score = the score is { $score }
brainstorm-rule-idea-score-hint = an idea is scored from 0 to 10
brainstorm-rule-score = { $what } is { $score }
brainstorm-rule-score-hint = a score is a whole number from 0 to 100
brainstorm-rule-both-scores = both the EMS and axes are given
brainstorm-rule-both-scores-hint = give `--ems`, or the axes it is computed from
brainstorm-rule-axes = the EMS needs all five axes; unknown so far: { $names }
brainstorm-rule-axes-hint = add { $flags }
brainstorm-rule-not-asked = nothing has been asked yet
brainstorm-rule-not-asked-hint = ask first: `segno brainstorm ask { $slug } --question ...`
brainstorm-rule-answers = answers given: { $given }, questions open: { $open }
brainstorm-rule-answers-hint = one `--response` for each open question, in their order
brainstorm-rule-over = `{ $slug }` is { $status }: only a session in progress can be worked on
brainstorm-rule-over-new = begin anew with `segno brainstorm start { $slug } --new`; this one is kept
brainstorm-rule-over-reopen = or take it up again with `segno brainstorm start { $slug } --resume --force`
brainstorm-rule-no-question = no question was given
brainstorm-rule-no-question-hint = give at least one with `--question`
brainstorm-rule-no-response = no response was given
brainstorm-rule-no-response-hint = give at least one with `--response`
brainstorm-rule-empty-question = a question is empty
brainstorm-rule-empty-response = a response is empty
brainstorm-rule-empty-idea = the idea is empty
brainstorm-rule-empty-hint = say something in every one of them
brainstorm-rule-slug = `{ $slug }` cannot be a slug
brainstorm-rule-slug-hint = a slug is lower-case letters, digits and `-`, at most { $max } bytes: `{ $example }`
brainstorm-rule-over-already = the session is { $status } already
brainstorm-rule-no-expert = `{ $who }` is no expert of the panel: there are { $names }
brainstorm-rule-panel-size = a round has exactly 3 experts, not { $count }
brainstorm-rule-position = { $who } takes a position
brainstorm-rule-both-halves = a synthesis names both what converges and the tensions
brainstorm-rule-no-persona = `{ $who }` is no persona: there are { $names }
brainstorm-rule-party-size = a round has 3 to 5 personas, not { $count }
brainstorm-rule-anchor = { $who } takes part in every round
brainstorm-rule-points = { $who } makes 2 or 3 points, not { $count }
brainstorm-rule-no-reference = at least one persona refers to another
brainstorm-rule-synthesis = a round ends with a synthesis
brainstorm-rule-question = a round ends with a question to the user
brainstorm-rule-last = iteration { $iteration } is the last there is
brainstorm-rule-last-hint = `segno brainstorm ask { $slug } --question ...` begins the next one
brainstorm-rule-no-entry = history does not have iteration { $iteration }
brainstorm-rule-no-entry-hint = `segno check` says what is missing
brainstorm-rule-branch-first = return to branch { $branch } first: it holds that iteration
brainstorm-rule-branch-gone = the iteration it goes on from is gone from the file
brainstorm-rule-branch-elsewhere = branch { $branch } goes on from another iteration { $iteration } than this one
brainstorm-rule-no-branch = there is no branch { $branch }
brainstorm-rule-tagged = iteration { $iteration } holds a value with a tag of its own, which cannot be moved without loss
brainstorm-rule-tagged-hint = write that value out by hand first
brainstorm-rule-together = a party and a panel cannot be active together
brainstorm-rule-active-already = a { $mode } is active already
brainstorm-rule-active-already-hint = `{ $mode } round` adds a round, `{ $mode } exit` ends it
brainstorm-rule-none-active = no { $mode } is active
brainstorm-rule-none-active-hint = `segno brainstorm { $mode } start` opens one
brainstorm-rule-still-active = a { $mode } is active
brainstorm-rule-exit-first = `segno brainstorm { $mode } exit` first
brainstorm-rule-round-hint = the round was not recorded; correct it and send it again
brainstorm-rule-topic = a round has a topic
brainstorm-rule-uninvited = `{ $who }` contributes but was not selected
brainstorm-rule-silent = { $who } was selected and does not contribute
brainstorm-rule-twice = { $who } stands there twice
brainstorm-rule-references = { $who } refers to { $count } others; at most 2
brainstorm-rule-itself = { $who } refers to itself
brainstorm-rule-refers-out = { $who } refers to `{ $other }`, who was not selected
brainstorm-rule-statistics = the statistics cannot be updated: { $error }
brainstorm-rule-statistics-hint = correct `{ $path }`, or move it away
brainstorm-rule-not-weak = no technique is called for: no axis is below 50%
brainstorm-rule-unknown-axes = no technique is called for: the five axes are not known
brainstorm-rule-give-axes = give the axes with `segno brainstorm ask ... --axis clarte=42 ...`
brainstorm-rule-or-choose = or choose with `--random`, `--progressive`, or `technique apply NAME`
brainstorm-rule-by-name = a technique is chosen by hand with its name
brainstorm-rule-by-name-hint = `segno brainstorm technique apply SLUG NAME`; `technique list` shows all
brainstorm-rule-not-waiting = `{ $slug }` is not a suggestion that waits
brainstorm-rule-not-waiting-hint = `segno brainstorm technique suggest` makes suggestions
brainstorm-rule-no-technique = there is no technique `{ $name }`
brainstorm-rule-nearest = the nearest: { $names }
brainstorm-rule-all-techniques = `segno brainstorm technique list` shows all 68
