# Ce que dit `segno search`.
search-nothing = rien trouvé
search-more = { $shown } sur { $total } affichés ; `--limit` en montre plus
search-open-quote = le guillemet devant `{ $text }` n'est jamais fermé
search-open-quote-hint = fermez-le, et mettez toute la question entre apostrophes : segno search '"deux mots" autre'
search-unknown-filter = `{ $name }:` n'est pas un filtre
search-unknown-filter-hint = les filtres sont kind:, status:, role:, since:, before: et path: ; pour chercher le texte lui-même, mettez-le entre guillemets : '"{ $name }:..."'
search-bad-value = `{ $filter }:` ne peut pas être `{ $value }`
search-bad-value-hint = `{ $filter }:` attend : { $takes }
search-no-letters = `{ $text }` n'a ni lettre ni chiffre à chercher
search-no-letters-hint = les signes ne sont pas indexés : cherchez un mot à côté
search-no-words = il n'y a pas de mot à chercher
search-no-words-hint = donnez au moins un mot qui doit s'y trouver, avant les filtres et ce qui ne doit pas s'y trouver ; `segno list` montre les sessions par genre et par état
