# 時間の規則: 自動一時停止、期限、`segno watch`
rules-auto-paused = { $session } は操作がなかったため保存して一時停止しました。`segno resume { $session }` で続けられます
rules-expired = { $session } は期限切れです
rules-not-applied = { $session } を一時停止できませんでした: { $why }
rules-watching = { $root } を監視中。Ctrl-C で終了
rules-essay-idle = { $session } は一週間以上作業されていません。`segno resume { $session }` で再開、`segno essay abandon { $session }` のあと `segno clean` でごみ箱に移せます
rules-essay-temporary = { $session } は一時ディレクトリにあり、再起動で消えます。`segno essay move { $session }` で作業場所に移せます
rules-many-auto-paused = { $count } 件のセッションは操作がなかったため保存して一時停止しました。`segno list --status paused` で一覧、`segno resume` で続けられます
rules-many-expired = { $count } 件のセッションが期限切れです。`segno list --status abandoned` で一覧できます
rules-many-essay-idle = { $count } 件のエッセイは一週間以上作業されていません。`segno list --kind essay` で一覧、`segno resume` で再開、`segno essay abandon` で断念できます。指示なしに消えるものはありません
rules-many-essay-temporary = { $count } 件のエッセイは一時ディレクトリにあり、再起動で消えます。`segno list --kind essay` で一覧、`segno essay move` で作業場所に移せます
