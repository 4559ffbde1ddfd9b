# `segno` だけで表示されるもの
dashboard-empty = { $root } にはまだ何も保存されていません
dashboard-begin = 会話を始める
dashboard-elsewhere = 別のワークスペースを見る
dashboard-help = できることの一覧
dashboard-open = { $count ->
    [0] 開いているセッションはありません
   *[other] 開いているセッション { $count } 件
}{ $paused ->
    [0] { "" }
   *[other] （一時停止 { $paused } 件）
}
dashboard-more = ほか { $count } 件: `segno list`
dashboard-attention = 要確認
dashboard-expired = 期限切れ
dashboard-claims = 未解決の主張 { $count } 件
dashboard-reviews = 追跡中のレビュー { $count } 件
dashboard-go-on = 続けるには:
dashboard-all-closed = 開いているものはありません。`segno list` で過去のものを表示します
dashboard-attention-more = …ほか { $count } 件:
