# Une session, écrite pour d'autres.
export-written = écrit dans { $path }
export-redacted = { $count ->
    [0] aucun secret trouvé
    [one] { $count } secret remplacé
   *[other] { $count } secrets remplacés
}
export-kept = les secrets n'ont pas été cherchés : le fichier peut contenir des clés et des mots de passe
export-exists = « { $path } » existe déjà, et rien n'a été écrasé
export-exists-hint = choisissez un autre nom, ou déplacez ce fichier
