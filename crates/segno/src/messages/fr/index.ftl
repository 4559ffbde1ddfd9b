# L'index, et ce que dit `segno index`.
index-progress = indexation : { $done } sessions sur { $total }
index-without = fait sans index durable : { $why }
index-failed = l'index n'a pas pu servir
index-failed-hint = `segno index --rebuild` le reconstruit
index-what = QUOI
index-value = VALEUR
index-file = fichier
index-bytes = octets
index-written = dernière écriture
index-sessions = sessions
index-files = fichiers surveillés
index-entries = entrées trouvables
