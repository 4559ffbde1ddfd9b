# Migration et nettoyage.
upkeep-nothing-to-clean = rien a nettoyer
upkeep-dry-run = rien n'a ete modifie (--dry-run)
upkeep-trashed = { $session } → corbeille, conservee 30 jours : { $path }
upkeep-trash-emptied = { $session } a quitte la corbeille : { $path }
upkeep-migrated = { $session } : { $from } → { $to }
upkeep-nothing-to-migrate = toutes les sessions sont a la version actuelle
upkeep-not-repaired = { $session } n'a pas pu être réparé
