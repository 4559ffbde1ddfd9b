# Ce que disent les verbes de toutes les sortes.
common-unit-finished = ce qu'une panne avait interrompu est terminé ({ $name }, { $count ->
    [one] { $count } fichier
   *[other] { $count } fichiers
})
common-other-kind = `{ $session }` est une session { $found }, pas { $wanted }
common-outside = `{ $path }` n'est pas dans l'espace de travail
common-outside-hint = l'espace de travail est { $root } ; choisissez-en un autre avec -C
common-no-sessions = aucune session ici pour le moment
common-checked = { $sessions ->
    [one] { $sessions } session vérifiée
   *[other] { $sessions } sessions vérifiées
}, { $count ->
    [0] rien à signaler
    [one] { $count } problème
   *[other] { $count } problèmes
}
common-recovered = rien à réparer
common-not-known = n'a pas pu être retrouvé : { $what }
common-set-aside = mis de côté, rien n'est supprimé : { $path }
