# セッションの再開
resume-none = 再開できるセッションはありません
resume-none-hint = 始めるには: { $command }
resume-no-match = `{ $words }` を含む題名や要約はありません
resume-list-hint = `segno resume --list` で再開できるものを表示します
resume-several = `{ $words }` に合うセッションが { $count } 件あります
resume-one-of-several = `{ $command }`: { $title }（{ $status }）
resume-go-on = 続けるには: { $command }
resume-was-completed = 完了していましたが、再び進行中になりました
resume-prompt-changed = エージェントへの指示が変更されています。現在のものを使います
resume-prompt-missing = エージェントへの指示が見つかりません。履歴だけを渡します
resume-lines-unreadable = 履歴に読めない行があります: `segno check { $session }`
resume-which = どれを続けますか？
