# セッションの中断
stop-saved = セッションを保存しました。
stop-paused = { $kind }「{ $title }」を一時停止しました。
stop-continue = 続けるには `{ $command }`
stop-continue-conversation = 続けるには /workspace.resume または `{ $command }`
stop-summary = 要約:
stop-none = 進行中のセッションはありません
stop-several = 進行中のセッションが { $count } 件あります。どれかを指定してください
stop-one-of-several = `{ $command }`: { $title }
stop-empty-summary = 要約が空です
stop-empty-summary-hint = --summary を省くと、直近のやりとりから作られます
