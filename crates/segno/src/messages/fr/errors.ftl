# Erreurs formulées pour toutes les commandes.
errors-no-current-dir = le répertoire courant n’existe plus
errors-no-current-dir-hint = allez dans un répertoire qui existe, ou nommez l’espace de travail avec -C DIR
errors-workspace-missing = le répertoire `{ $dir }` n’existe pas
errors-workspace-not-dir = `{ $dir }` n’est pas un répertoire
errors-workspace-unreadable = `{ $dir }` ne peut pas être ouvert comme espace de travail
errors-workspace-hint = -C attend un répertoire qui existe ; l’espace de travail est cherché à partir de là en remontant

errors-not-found = aucune session `{ $wanted }`
errors-not-found-near = les plus proches : { $near }
errors-not-found-list = `segno list` montre ce qui existe
errors-ambiguous = `{ $wanted }` désigne { $count } sessions
errors-ambiguous-candidate = l’une d’elles : { $candidate }
errors-ambiguous-more = … et { $count } de plus
errors-ambiguous-hint = donnez une plus grande partie de l’identifiant, `genre/identifiant`, ou le chemin
errors-exists = { $what } existe déjà
errors-damaged = `{ $session }` est endommagée
errors-damaged-problem = { $place } : { $found }
errors-damaged-hint = lancez `segno recover { $session }` ; rien de ce qui est illisible n’est jeté
errors-busy = `{ $what }` est en cours d’écriture par un autre processus
errors-busy-holder = verrou tenu par le processus { $pid } ({ $program }) depuis { $since }
errors-busy-holder-unknown = le détenteur du verrou n’a pas laissé de nom
errors-busy-hint = attendez qu’il finisse et recommencez ; `lock.timeout_ms` règle l’attente de segno lui-même
errors-too-new = `{ $session }` a été écrite par une version plus récente (format { $found }, ce programme connaît { $supported })
errors-too-new-hint = elle peut être lue mais pas modifiée : mettez segno à jour pour y écrire
errors-unsupported = une session { $kind } ne permet pas : { $operation }
errors-unsupported-hint = `segno { $kind } --help` montre ce qu’elle permet

errors-disk = opération « { $op } » impossible sur `{ $path }`
errors-disk-full = libérez de la place et recommencez ; ce qui existait avant est intact
errors-disk-permission = vérifiez à qui appartiennent le fichier et son répertoire, et leurs droits
errors-disk-read-only = le système de fichiers est en lecture seule : rien ne peut être enregistré dans cet espace de travail
errors-disk-escapes = un lien symbolique sort de l’espace de travail ; segno n’ouvre que ce qui s’y trouve
errors-disk-conflict = quelqu’un d’autre a modifié le fichier entre-temps et rien n’a été écrasé : recommencez
errors-disk-bad-path = prenez un nom sans `/`, `..` ni caractère de contrôle
errors-disk-synced = ce qui a été confirmé auparavant est sauf ; vérifiez le disque avant de continuer

errors-stdout = impossible d’écrire sur la sortie standard
errors-stdin = impossible de lire l’entrée standard
errors-clock = impossible de lire l’heure
errors-no-terminal = une réponse est nécessaire, et il n’y a pas de terminal où la demander : { $question }
errors-no-answer = aucune réponse à : { $question }
errors-usage-no-command = aucune commande n’a été donnée
errors-usage-help = pour en savoir plus, essayez `{ $command }`
errors-internal = c’est un défaut de segno { $version } : { $what }
errors-internal-safe = ce que segno a confirmé comme enregistré est sur le disque
errors-internal-report = merci de le signaler avec la commande lancée et les lignes ci-dessus
