# `segno search` のメッセージ。
search-nothing = 見つかりませんでした
search-more = { $total } 件中 { $shown } 件を表示しました。`--limit` で増やせます
search-open-quote = `{ $text }` の前の引用符が閉じられていません
search-open-quote-hint = 引用符を閉じ、全体を一重引用符で囲んでください: segno search '"二つの 語" ほか'
search-unknown-filter = `{ $name }:` という絞り込みはありません
search-unknown-filter-hint = 使えるのは kind:、status:、role:、since:、before:、path: です。文字列そのものを探すには引用符で囲んでください: '"{ $name }:..."'
search-bad-value = `{ $filter }:` に `{ $value }` は使えません
search-bad-value-hint = `{ $filter }:` に使えるもの: { $takes }
search-no-letters = `{ $text }` には探せる文字も数字もありません
search-no-letters-hint = 記号は索引に入りません。そばにある語を探してください
search-no-words = 探す語がありません
search-no-words-hint = 絞り込みや除外の前に、含まれるべき語を一つ以上書いてください。種類や状態で見るには `segno list` を使います
