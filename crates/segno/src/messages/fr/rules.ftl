# Les règles de temps : pause automatique, expiration, `segno watch`.
rules-auto-paused = { $session } était inactive : elle a été enregistrée et mise en pause ; `segno resume { $session }` la reprend
rules-expired = { $session } a expiré
rules-not-applied = { $session } n’a pas pu être mise en pause : { $why }
rules-watching = surveillance de { $root } ; Ctrl-C pour finir
rules-essay-idle = { $session } n’a pas été touché depuis une semaine ou plus : `segno resume { $session }` continue ; `segno essay abandon { $session }` puis `segno clean` le mettent à la corbeille
rules-essay-temporary = { $session } se trouve dans le répertoire temporaire, qu’un redémarrage vide : `segno essay move { $session }` l’amène dans l’espace de travail
rules-many-auto-paused = { $count } sessions étaient inactives : elles ont été enregistrées et mises en pause ; `segno list --status paused` les montre, `segno resume` en reprend une
rules-many-expired = { $count } sessions ont expiré ; `segno list --status abandoned` les montre
rules-many-essay-idle = { $count } essais n’ont pas été touchés depuis une semaine ou plus : `segno list --kind essay` les montre ; `segno resume` en continue un, `segno essay abandon` en abandonne un ; rien n’est supprimé avant que vous le disiez
rules-many-essay-temporary = { $count } essais se trouvent dans le répertoire temporaire, qu’un redémarrage vide : `segno list --kind essay` les montre, `segno essay move` en amène un dans l’espace de travail
