# セッションの表示
show-entries = 全文
