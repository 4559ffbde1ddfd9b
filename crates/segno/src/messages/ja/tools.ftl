# セッションを再開するツール
tools-starting = 「{ $title }」を { $tool } で再開します
tools-ended = いったん終えるとき: `segno stop { $session }`
tools-lead = 保存された作業セッションを再開します。以下は中断した時点の記録です。
tools-read-file = 保存された作業セッションを再開します。まずファイル { $path } を全部読んでください。中断した時点の記録です（git の無視対象として読み取りを拒まれる場合は、コマンドで表示してください）。そこから続けてください。
tools-instead = { $missing } はインストールされていません。代わりに { $tool } を起動します
tools-missing = 再開に使うツールが見つかりません: { $tools }
tools-missing-hint = `--print` なら本文を表示するので、どのツールでも使えます
tools-unknown = `{ $tool }` は segno の知らないツールです
tools-known = 利用できるもの: { $tools }
tools-configure = ほかのツールは設定で追加できます: { "`tools.NAME = \"command {text}\"`" }
tools-bad-command = ツール `{ $tool }` のコマンドが正しくありません: { $command }
tools-trust = このワークスペースには `{ $tool }` 用の独自コマンドがあります: { $command } 実行しますか？
tools-trust-hint = 自分のものなら `tools.{ $tool }` を { $file } に書いてください。そうでなければ --tool で別のツールを選ぶか --print を使ってください
tools-not-trusted = ワークスペースの `{ $tool }` 用コマンドは実行しませんでした
tools-failed = { $tool } は終了コード { $code } で終わりました
tools-killed = { $tool } はシグナルで終了しました
tools-failed-hint = セッションは進行中で、何も失われていません。`segno resume { $session }` で再試行できます
