# 時間の規則: 自動一時停止、期限、`segno watch`
rules-auto-paused = { $session } は操作がなかったため保存して一時停止しました。`segno resume { $session }` で続けられます
rules-expired = { $session } は期限切れです
rules-not-applied = { $session } を一時停止できませんでした: { $why }
rules-watching = { $root } を監視中。Ctrl-C で終了
rules-essay-idle = { $session } は一週間以上作業されていません。`segno resume { $session }` で再開、`segno essay abandon { $session }` で断念でき、その後の `segno clean` がごみ箱に移します。指示なしに消えるものはありません
rules-essay-temporary = { $session } は一時ディレクトリにあり、再起動で消えます。`segno essay move { $session }` で作業場所に移せます
