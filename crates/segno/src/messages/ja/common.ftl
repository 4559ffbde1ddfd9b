# すべての種類に共通の文言。
common-unit-finished = 障害で中断された処理を完了しました（{ $name }、{ $count } ファイル）
common-other-kind = `{ $session }` は { $found } のセッションで、{ $wanted } ではありません
common-outside = `{ $path }` はワークスペースの外です
common-outside-hint = ワークスペースは { $root } です。-C で別の場所を指定できます
common-no-sessions = セッションはまだありません
common-checked = { $sessions } 件のセッションを確認、{ $count ->
    [0] 問題はありません
   *[other] 問題 { $count } 件
}
common-recovered = 修復の必要はありません
common-not-known = 復元できなかった項目: { $what }
common-set-aside = 退避しました（削除はしていません）: { $path }
