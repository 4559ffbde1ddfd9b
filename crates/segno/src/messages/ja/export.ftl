# 他の人のための書き出し
export-written = { $path } に書き出しました
export-redacted = { $count ->
    [0] 秘密情報は見つかりませんでした
   *[other] 秘密情報 { $count } 件を置き換えました
}
export-kept = 秘密情報は確認していません。鍵やパスワードが含まれている可能性があります
export-exists = `{ $path }` は既に存在します。上書きしていません
export-exists-hint = 別の名前を選ぶか、そのファイルを移動してください
