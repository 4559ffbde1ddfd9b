# Ce que dit `segno list`.
list-vanished = laissé de côté, il n'existe plus : { $root }
list-unreadable = { $root } laissé de côté : { $why }
list-none-anywhere = aucune session dans les espaces de travail ouverts sur cette machine
list-none-fits = aucune session ne correspond à ces filtres ; `segno list` les montre toutes
