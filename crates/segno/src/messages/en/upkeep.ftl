# Migration and clean-up.
upkeep-nothing-to-clean = nothing to clean
upkeep-dry-run = nothing was changed (--dry-run)
upkeep-trashed = { $session } → trash, kept for 30 days: { $path }
upkeep-trash-emptied = { $session } left the trash: { $path }
upkeep-migrated = { $session }: { $from } → { $to }
upkeep-nothing-to-migrate = every session is of the current version
upkeep-not-repaired = { $session } could not be repaired
