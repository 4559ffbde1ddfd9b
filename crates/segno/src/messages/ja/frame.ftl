# コマンド自体のメッセージ
frame-error = エラー:
frame-caused-by = 原因:
frame-hint = ヒント:
frame-warning = 警告:
frame-yes-no = [y/n]
# 受け付ける答え
frame-yes = はい
frame-no = いいえ
frame-answer-yes-no = { frame-yes } (y) か { frame-no } (n) で答えてください
frame-answer-number = 1 から { $max } までの番号で答えてください
frame-choose = 番号 (1〜{ $max }):
frame-page-written = { $path } を書き込みました
