# 設定と、設定を表示するコマンド
config-unreadable = 設定 `{ $file }` を読み込めません
config-not-utf8 = 設定 `{ $file }` は UTF-8 のテキストではありません
config-too-large = 設定 `{ $file }` が { $max } バイトを超えています
config-broken = { $file }:{ $line }: TOML として読めません: { $what }
config-broken-hint = その行を直すか、ファイルを移動すれば既定値で続けられます
config-wrong-type = { $file }:{ $line }: `{ $key }` に必要な値: { $expected } (見つかった値: { $found })
config-wrong-type-hint = その行を直すか取り除けば、`segno config list` ですべてのキーの説明を表示できます
config-unknown-key = { $file }:{ $line }: キー `{ $key }` はありません
config-unknown-key-near = { $file }:{ $line }: キー `{ $key }` はありません。`{ $near }` のことですか?
config-no-key = キー `{ $key }` はありません
config-no-key-near = `{ $near }` のことですか?
config-no-key-list = `segno config list` ですべてのキーを表示します
config-from-default = 既定値
config-from-file = { $file } より
config-unset = 未設定
config-present = あり
config-absent = なし
