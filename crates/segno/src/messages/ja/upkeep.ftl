# 移行と整理
upkeep-nothing-to-clean = 整理するものはありません
upkeep-dry-run = 変更はしていません（--dry-run）
upkeep-trashed = { $session } → ごみ箱（30日間保持）: { $path }
upkeep-trash-emptied = { $session } をごみ箱から削除: { $path }
upkeep-migrated = { $session }: { $from } → { $to }
upkeep-nothing-to-migrate = すべて現在の版です
upkeep-not-repaired = { $session } を修復できませんでした
