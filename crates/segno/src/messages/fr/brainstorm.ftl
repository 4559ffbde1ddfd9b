# Les brainstorms, dans les mots du document de leur format.
brainstorm-saved = Session saved: { $path }
brainstorm-saved-state = EMS: { $ems }/100 | Phase: { $phase } | Iteration: { $iteration }
brainstorm-come-back = Pour reprendre: { $command }
brainstorm-created = Session commencee: { $path }
brainstorm-archived = la session de ce nom est conservee: { $path }
brainstorm-box-found = Session existante detectee: "{ $slug }" (EMS: { $ems })
brainstorm-box-active = { "   " }Derniere activite: { $when }
brainstorm-box-phase = { "   " }Phase: { $phase } | Iteration: { $iteration }
brainstorm-box-status = { "   " }Statut: { $status }
brainstorm-box-unreadable = Une session existe mais elle est illisible: { $path }
brainstorm-which = Votre choix ? [1]
brainstorm-resume-it = [1] Reprendre cette session
brainstorm-new-one = [2] Nouvelle session
brainstorm-exists-hint = choisissez avec --resume (la reprendre) ou --new (elle est archivee, jamais ecrasee)
brainstorm-which-slug = Quel nom pour la session, en kebab-case ?
brainstorm-which-slug-hint = nommez-la : segno brainstorm start SLUG
brainstorm-asked = Iteration { $iteration } | EMS: { $ems }/100 ({ $delta }) { $bar }
brainstorm-many-questions = plus de { $max } questions par iteration fatiguent l'utilisateur
brainstorm-many-iterations = plus de { $max } iterations : envisagez de conclure
brainstorm-branched = les iterations remplacees sont conservees: branche { $branch }
brainstorm-answered = Iteration { $iteration } : { $open ->
    [0] toutes les questions ont une reponse
    [one] { $open } question ouverte
   *[other] { $open } questions ouvertes
}
brainstorm-no-idea = aucune idee donnee : ecrivez-la en argument, ou utilisez --stdin
brainstorm-idea-added = Idee { $id } ajoutee
brainstorm-idea-scored = Idee { $id } : { $score }/10 — { $content }
brainstorm-no-ideas = aucune idee pour le moment
brainstorm-column-id = ID
brainstorm-column-score = SCORE
brainstorm-column-idea = IDEE
brainstorm-column-technique = TECHNIQUE
brainstorm-column-category = CATEGORIE
brainstorm-column-phase = PHASE
brainstorm-column-difficulty = DIFFICULTE
brainstorm-column-what = QUE FAIRE
brainstorm-column-iteration = ITERATION
brainstorm-column-ems = EMS
brainstorm-column-questions = QUESTIONS
brainstorm-phase-changed = Phase: { $from } → { $to }
brainstorm-persona-changed = Persona: { $persona }
brainstorm-energy = ENERGY CHECK | EMS: { $ems }/100 | Phase: { $phase }
brainstorm-status-head = { $slug } | Iteration { $iteration } | Phase: { $phase }
brainstorm-status-ems = EMS: { $ems }/100 { $bar } { $level }
brainstorm-status-stagnant = Le score stagne depuis deux iterations : essayez une technique ou un pivot
brainstorm-status-open = Questions ouvertes :
brainstorm-level-germination = Germination
brainstorm-level-development = Développement
brainstorm-level-mature = Mature
brainstorm-level-complete = Très complète
brainstorm-level-exceptional = Exceptionnelle
brainstorm-next-answer = Suite : répondre aux questions ouvertes ({ $command })
brainstorm-next-finish = Suite : finaliser ({ $command })
brainstorm-next-may-finish = Suite : continuer, ou finaliser ({ $command })
brainstorm-next-technique = Suite : essayer une technique ({ $command })
brainstorm-next-converge = Suite : converger ({ $command })
brainstorm-next-ask = Suite : poser les questions suivantes ({ $command })
brainstorm-next-nothing = Il ne reste rien a faire
brainstorm-alternatives = egalement possible : { $names }
brainstorm-technique-applied = Technique appliquee: { $name }
brainstorm-technique-skipped = Technique ignoree: { $name }
brainstorm-party-started = Party ouvert ; personas suggeres : { $personas }
brainstorm-party-ended = Party termine apres { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
}
brainstorm-panel-started = Panel ouvert ; experts suggeres : { $experts }
brainstorm-panel-ended = Panel termine apres { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
}
brainstorm-round-recorded = Round { $round } enregistre
brainstorm-back-too-far = Impossible de revenir de { $n } iterations
brainstorm-back-now = Iteration actuelle: { $iteration }
brainstorm-back-most = Maximum possible: back { $most }
brainstorm-back-none = il n'y a rien avant cette iteration
brainstorm-back-done = { $n ->
    [one] Retour de { $n } iteration
   *[other] Retour de { $n } iterations
}
brainstorm-forward-done = Avance de 1 iteration
brainstorm-branch-returned = Retour sur la branche { $branch }
brainstorm-jump-iteration = Iteration: { $from } → { $to }
brainstorm-jump-ems = EMS: { $from }/100 → { $to }/100 ({ $delta })
brainstorm-jump-phase = Phase: { $phase }
brainstorm-jump-questions = Questions restaurees (iteration { $iteration }):
brainstorm-no-branches = aucune branche
brainstorm-branch = Branche { $branch }, apres l'iteration { $from } : { $count ->
    [one] { $count } iteration
   *[other] { $count } iterations
}
brainstorm-branch-hint = y revenir avec : segno brainstorm continue { $slug } --branch N
brainstorm-finished-early = l'EMS est de { $ems } : en dessous de { $wanted } une exploration est rarement mure
brainstorm-brief-written = Brief: { $path }
brainstorm-journal-written = Journal: { $path }
brainstorm-abandoned = { $slug } est abandonnee ; elle est conservee jusqu'au nettoyage
brainstorm-stdin = l'entree standard n'est pas l'objet JSON attendu
brainstorm-stdin-hint = `--help` nomme les cles
brainstorm-resume-none = aucune session en cours a reprendre
brainstorm-resume-none-hint = sans `--resume` une nouvelle session commence
brainstorm-missing = `{ $name }` manque
brainstorm-no-axis = il n'y a pas d'axe `{ $name }`
brainstorm-axes = les axes sont { $names }
brainstorm-one-way = choisissez l'un des deux : ils s'excluent
brainstorm-not-editable = le fichier ne peut pas etre modifie ainsi : { $error }
brainstorm-not-editable-hint = corrigez le fichier a la main a cette ligne, puis reessayez
brainstorm-rule-early = l'EMS est de { $ems } : en dessous de { $least }, il faut forcer la finalisation
brainstorm-rule-early-hint = continuez l'exploration, ou ajoutez `--force`
brainstorm-rule-no-idea = il n'y a pas d'idee { $id }
brainstorm-rule-there-are = il y a : { $names }
brainstorm-rule-idea-score = le score est de { $score }
brainstorm-rule-idea-score-hint = une idee est notee de 0 a 10
brainstorm-rule-score = { $what } vaut { $score }
brainstorm-rule-score-hint = un score est un nombre entier de 0 a 100
brainstorm-rule-both-scores = l'EMS et des axes sont donnes a la fois
brainstorm-rule-both-scores-hint = donnez `--ems`, ou les axes dont il est calcule
brainstorm-rule-axes = l'EMS demande les cinq axes ; inconnus pour l'instant : { $names }
brainstorm-rule-axes-hint = ajoutez { $flags }
brainstorm-rule-not-asked = aucune question n'a encore ete posee
brainstorm-rule-not-asked-hint = posez d'abord une question : `segno brainstorm ask { $slug } --question ...`
brainstorm-rule-answers = reponses donnees : { $given }, questions ouvertes : { $open }
brainstorm-rule-answers-hint = un `--response` par question ouverte, dans leur ordre
brainstorm-rule-over = `{ $slug }` est { $status } : seule une session en cours peut etre travaillee
brainstorm-rule-over-new = recommencez avec `segno brainstorm start { $slug } --new` ; celle-ci est conservee
brainstorm-rule-over-reopen = ou reprenez-la avec `segno brainstorm start { $slug } --resume --force`
brainstorm-rule-no-question = aucune question n'est donnee
brainstorm-rule-no-question-hint = donnez-en au moins une avec `--question`
brainstorm-rule-no-response = aucune reponse n'est donnee
brainstorm-rule-no-response-hint = donnez-en au moins une avec `--response`
brainstorm-rule-empty-question = une question est vide
brainstorm-rule-empty-response = une reponse est vide
brainstorm-rule-empty-idea = l'idee est vide
brainstorm-rule-empty-hint = chacune doit dire quelque chose
brainstorm-rule-slug = `{ $slug }` ne peut pas etre un slug
brainstorm-rule-slug-hint = un slug est fait de minuscules, de chiffres et de `-`, { $max } octets au plus : `{ $example }`
brainstorm-rule-over-already = la session est deja { $status }
brainstorm-rule-no-expert = `{ $who }` n'est pas un expert du panel : il y a { $names }
brainstorm-rule-panel-size = un round compte exactement 3 experts, pas { $count }
brainstorm-rule-position = { $who } prend position
brainstorm-rule-both-halves = une synthese nomme les convergences et les tensions
brainstorm-rule-no-persona = `{ $who }` n'est pas un persona : il y a { $names }
brainstorm-rule-party-size = un round compte 3 a 5 personas, pas { $count }
brainstorm-rule-anchor = { $who } participe a chaque round
brainstorm-rule-points = { $who } donne 2 ou 3 points, pas { $count }
brainstorm-rule-no-reference = au moins un persona se refere a un autre
brainstorm-rule-synthesis = un round se termine par une synthese
brainstorm-rule-question = un round se termine par une question a l'utilisateur
brainstorm-rule-last = l'iteration { $iteration } est la derniere
brainstorm-rule-last-hint = `segno brainstorm ask { $slug } --question ...` commence la suivante
brainstorm-rule-no-entry = l'historique n'a pas d'iteration { $iteration }
brainstorm-rule-no-entry-hint = `segno check` dit ce qui manque
brainstorm-rule-branch-first = revenez d'abord a la branche { $branch } : elle contient cette iteration
brainstorm-rule-branch-gone = l'iteration dont elle part n'est plus dans le fichier
brainstorm-rule-branch-elsewhere = la branche { $branch } part d'une autre iteration { $iteration } que celle-ci
brainstorm-rule-no-branch = il n'y a pas de branche { $branch }
brainstorm-rule-tagged = l'iteration { $iteration } contient une valeur avec un tag propre, qui ne peut pas etre deplacee sans perte
brainstorm-rule-tagged-hint = ecrivez d'abord cette valeur en toutes lettres
brainstorm-rule-together = un party et un panel ne peuvent pas etre actifs ensemble
brainstorm-rule-active-already = un { $mode } est deja actif
brainstorm-rule-active-already-hint = `{ $mode } round` ajoute un round, `{ $mode } exit` y met fin
brainstorm-rule-none-active = aucun { $mode } n'est actif
brainstorm-rule-none-active-hint = `segno brainstorm { $mode } start` en ouvre un
brainstorm-rule-still-active = un { $mode } est actif
brainstorm-rule-exit-first = d'abord `segno brainstorm { $mode } exit`
brainstorm-rule-round-hint = le round n'est pas enregistre ; corrigez-le et renvoyez-le
brainstorm-rule-topic = un round a un sujet
brainstorm-rule-uninvited = `{ $who }` contribue sans etre selectionne
brainstorm-rule-silent = { $who } est selectionne et ne contribue pas
brainstorm-rule-twice = { $who } figure deux fois
brainstorm-rule-references = { $who } se refere a { $count } autres ; 2 au plus
brainstorm-rule-itself = { $who } se refere a soi-meme
brainstorm-rule-refers-out = { $who } se refere a `{ $other }`, qui n'est pas selectionne
brainstorm-rule-statistics = les statistiques ne peuvent pas etre mises a jour : { $error }
brainstorm-rule-statistics-hint = corrigez `{ $path }`, ou deplacez-le
brainstorm-rule-not-weak = aucune technique n'est indiquee : aucun axe n'est sous 50%
brainstorm-rule-unknown-axes = aucune technique n'est indiquee : les cinq axes ne sont pas connus
brainstorm-rule-give-axes = donnez les axes avec `segno brainstorm ask ... --axis clarte=42 ...`
brainstorm-rule-or-choose = ou choisissez avec `--random`, `--progressive`, ou `technique apply NAME`
brainstorm-rule-by-name = une technique choisie a la main se donne par son nom
brainstorm-rule-by-name-hint = `segno brainstorm technique apply SLUG NAME` ; `technique list` les montre toutes
brainstorm-rule-not-waiting = `{ $slug }` n'est pas une suggestion en attente
brainstorm-rule-not-waiting-hint = `segno brainstorm technique suggest` fait des suggestions
brainstorm-rule-no-technique = il n'y a pas de technique `{ $name }`
brainstorm-rule-nearest = les plus proches : { $names }
brainstorm-rule-all-techniques = `segno brainstorm technique list` montre les 68
