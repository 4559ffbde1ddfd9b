# セッションの一覧
card-kind = 種類
card-id = ID
card-status = 状態
card-last-active = 最終更新
card-title = 題名
card-position = 中断箇所
card-workspace = ワークスペース
card-active = 進行中
card-paused = 一時停止
card-completed = 完了
card-abandoned = 中止
card-problems = 問題 { $count } 件
card-summary = 要約
card-sort = タイプ
card-damaged = 破損
