# `segno list` のメッセージ。
list-vanished = 見つからないため飛ばしました: { $root }
list-unreadable = { $root } を飛ばしました: { $why }
list-none-anywhere = この環境で開かれたどのワークスペースにもセッションはありません
list-none-fits = この条件に合うセッションはありません。`segno list` ですべてを表示します
