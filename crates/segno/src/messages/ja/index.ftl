# 索引と `segno index` のメッセージ。
index-progress = 索引を作成中: { $total } セッション中 { $done }
index-without = 索引を保存せずに実行しました: { $why }
index-failed = 索引を使えませんでした
index-failed-hint = `segno index --rebuild` で作り直せます
index-what = 項目
index-value = 値
index-file = ファイル
index-bytes = バイト数
index-written = 最終更新
index-sessions = セッション
index-files = 監視中のファイル
index-entries = 検索できる項目
