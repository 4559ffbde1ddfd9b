# 端末の選択画面
picker-prompt = 再開 >
picker-keys = 入力で検索 · ↑ ↓ PgUp PgDn 移動 · Enter 再開 · Esc 終了
picker-nothing = 該当なし。文字を消してください
picker-left = 何も選ばれませんでした
picker-failed = この端末では一覧を表示できません
