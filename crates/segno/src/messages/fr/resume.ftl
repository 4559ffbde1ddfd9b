# Revenir à une session.
resume-none = il n’y a ici aucune session à reprendre
resume-none-hint = commencez-en une : { $command }
resume-no-match = aucun titre ni résumé ne contient `{ $words }`
resume-list-hint = `segno resume --list` montre ce qui peut être repris
resume-several = `{ $words }` convient à { $count } sessions
resume-one-of-several = `{ $command }` : { $title } ({ $status })
resume-go-on = continuer avec : { $command }
resume-was-completed = elle était terminée et est de nouveau active
resume-prompt-changed = les instructions de l’agent ont changé depuis ; les actuelles sont utilisées
resume-prompt-missing = les instructions de l’agent sont introuvables ; il reçoit l’historique sans elles
resume-lines-unreadable = certaines lignes de l’historique sont illisibles : `segno check { $session }`
resume-which = Laquelle voulez-vous continuer ?
