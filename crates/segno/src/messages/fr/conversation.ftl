# Les verbes des conversations.
conversation-started = « { $title } » est commencée : { $session }
conversation-no-command = aucun fichier d’instructions pour { $command } dans .claude, .opencode ou .gemini : leur empreinte n’est pas gardée
conversation-no-template = le modèle { $name } du registre est introuvable : le document reçoit les sections de son type
conversation-own-type = `{ $kind }` est un type à vous : ni intégré, ni dans un registre
conversation-said = { $count ->
    [one] { $count } message enregistré dans { $session }
   *[other] { $count } messages enregistrés dans { $session }
}
conversation-said-line = ligne { $line } enregistrée { $at }
conversation-active-again = { $id } était en pause et redevient active
conversation-input = impossible de lire `{ $path }`
conversation-nothing-said = il n’y a rien à dire
conversation-nothing-said-hint = donnez le message en texte, depuis un fichier avec --input FICHIER, ou sur l’entrée standard
conversation-not-text = le message n’est pas du texte UTF-8 à partir de l’octet { $at }
conversation-batch-line = ligne { $line } du lot : { $why }
conversation-batch-hint = une ligne est {"{"}"role":"user","content":"..."{"}"}, le rôle étant user, assistant, system ou tool
conversation-completed = La conversation « { $title } » est terminée.
conversation-committed = validé dans git : { $hash }
conversation-nothing-to-commit = rien à valider dans git : le dernier commit contient tout
conversation-git-missing = la session est enregistrée mais pas validée : git n’est pas dans PATH
conversation-git-no-repository = la session est enregistrée mais pas validée : ce n’est pas un dépôt git
conversation-git-in-progress = la session est enregistrée mais pas validée : { $what } en cours ; validez ensuite
conversation-git-locked = la session est enregistrée mais pas validée : un autre git écrit, ou s’est arrêté net ({ $path })
conversation-git-ignored = la session est enregistrée mais pas validée : git doit l’ignorer
conversation-git-timeout = la session est enregistrée mais pas validée : `git { $command }` ne s’est pas terminé
conversation-git-failed = la session est enregistrée mais pas validée : `git { $command }` a dit : { $said }
