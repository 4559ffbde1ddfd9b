# Les outils dans lesquels les sessions sont reprises.
tools-starting = reprise de « { $title } » dans { $tool }
tools-ended = quand le travail est fait pour l’instant : `segno stop { $session }`
tools-lead = Vous reprenez une session de travail enregistrée. Voici où elle s’est arrêtée.
tools-read-file = Vous reprenez une session de travail enregistrée. Lisez d’abord tout le fichier { $path } : il dit où elle s’est arrêtée (si votre outil de lecture le refuse parce que git l’ignore, affichez-le par une commande). Puis poursuivez.
tools-instead = { $missing } n’est pas installé ici ; { $tool } est lancé à sa place
tools-missing = aucun outil pour reprendre : { $tools } introuvable
tools-missing-hint = `--print` affiche le texte, pour n’importe quel outil
tools-unknown = `{ $tool }` n’est pas un outil que segno connaît
tools-known = connus : { $tools }
tools-configure = tout autre peut être configuré : { "`tools.NAME = \"commande {text}\"`" } dans la configuration
tools-bad-command = la commande de l’outil `{ $tool }` n’a pas de sens : { $command }
tools-trust = Cet espace de travail apporte sa propre commande pour `{ $tool }` : { $command } - l’exécuter ?
tools-trust-hint = si elle est de vous, mettez `tools.{ $tool }` dans votre { $file } ; sinon choisissez un autre outil avec --tool, ou --print
tools-not-trusted = la commande de l’espace de travail pour `{ $tool }` n’a pas été exécutée
tools-failed = { $tool } s’est terminé avec le code { $code }
tools-killed = { $tool } a été interrompu par un signal
tools-failed-hint = la session est active et rien n’est perdu : `segno resume { $session }` réessaie
