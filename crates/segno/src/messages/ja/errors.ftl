# すべてのコマンドに共通するエラー
errors-no-current-dir = 現在のディレクトリはもう存在しません
errors-no-current-dir-hint = 存在するディレクトリに移動するか、-C DIR でワークスペースを指定してください
errors-workspace-missing = ディレクトリ `{ $dir }` はありません
errors-workspace-not-dir = `{ $dir }` はディレクトリではありません
errors-workspace-unreadable = `{ $dir }` をワークスペースとして開けません
errors-workspace-hint = -C には存在するディレクトリを指定します。ワークスペースはそこから上へ探します

errors-not-found = セッション `{ $wanted }` はありません
errors-not-found-near = 近いもの: { $near }
errors-not-found-list = `segno list` で一覧を表示できます
errors-ambiguous = `{ $wanted }` に当てはまるセッションが { $count } 件あります
errors-ambiguous-candidate = 候補: { $candidate }
errors-ambiguous-more = … ほか { $count } 件
errors-ambiguous-hint = ID をもっと長く、または `種類/ID` かパスで指定してください
errors-exists = { $what } はすでに存在します
errors-damaged = `{ $session }` は破損しています
errors-damaged-problem = { $place }: { $found }
errors-damaged-hint = `segno recover { $session }` を実行してください。読めないものも捨てられません
errors-busy = `{ $what }` は別のプロセスが書き込み中です
errors-busy-holder = ロックの保持者: pid { $pid } ({ $program })、{ $since } から
errors-busy-holder-unknown = ロックの保持者は名前を残していません
errors-busy-hint = 終わるのを待って再実行してください。segno が待つ時間は `lock.timeout_ms` で決まります
errors-too-new = `{ $session }` は新しいバージョンで書かれています (形式 { $found }、このプログラムが扱えるのは { $supported })
errors-too-new-hint = 読むことはできますが変更はできません。書き込むには segno を更新してください
errors-unsupported = { $kind } セッションではできません: { $operation }
errors-unsupported-hint = `segno { $kind } --help` でできることを確認できます

errors-disk = `{ $path }` に対する操作 { $op } に失敗しました
errors-disk-full = 空き容量を増やして再実行してください。以前の内容はそのまま残っています
errors-disk-permission = ファイルとディレクトリの所有者と権限を確認してください
errors-disk-read-only = ファイルシステムが読み取り専用です。書き込めるようになるまで、このワークスペースには保存できません
errors-disk-escapes = シンボリックリンクがワークスペースの外を指しています。segno は中にあるものだけを開きます
errors-disk-conflict = その間に別の誰かがファイルを変更しました。何も上書きしていません。再実行してください
errors-disk-bad-path = `/`、`..`、制御文字を含まない名前を使ってください
errors-disk-synced = これまでに保存が確認されたものは無事です。続ける前にディスクを確認してください

errors-stdout = 標準出力に書き込めません
errors-stdin = 標準入力を読み込めません
errors-clock = 時刻を読み取れません
errors-no-terminal = 答えが必要ですが、たずねる端末がありません: { $question }
errors-no-answer = 答えがありませんでした: { $question }
errors-usage-no-command = コマンドが指定されていません
errors-usage-help = 詳しくは `{ $command }` を実行してください
errors-internal = segno { $version } の不具合です: { $what }
errors-internal-safe = segno が保存を確認したものはディスクにあります
errors-internal-report = 実行したコマンドと上の行を添えて報告してください
