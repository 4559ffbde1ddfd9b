# Discussions.
discuss-started = discussion sur { $about }, contrat { $contract } ({ $reason })
discuss-said = enregistré ({ $role })
discuss-error-recorded = l'erreur est enregistrée
discuss-final = JSON final de { $count ->
    [one] { $count } opération
   *[other] { $count } opérations
} enregistré ; pour l'appliquer : { $command }
discuss-done-as-is = les identifiants sont peut-être faux (`segno discuss plan` liste ceux qui existent) ; --as-is enregistre les opérations pour un plan qui se trouve ailleurs
discuss-final-several = la réponse contenait { $count } JSON finaux ; le dernier est retenu
discuss-no-operations = aucune opération : la discussion est close
discuss-rejected-hint = aucune opération n'a été appliquée et la discussion reste ouverte : réessayez avec un JSON corrigé
discuss-no-text = aucun texte n'a été donné
discuss-no-text-hint = donnez-le en argument, ou avec --input FICHIER (- pour l'entrée standard)
discuss-input-unreadable = impossible de lire `{ $path }`
discuss-input-too-large = `{ $path }` dépasse { $most } Mo
discuss-input-not-utf8 = `{ $path }` n'est pas du texte UTF-8
discuss-lock-stale = docs/maestro/locks/repo.lock repris à { $holder }, qui n'existe plus
discuss-lock-kept = docs/maestro/locks/repo.lock n'a pas pu être rendu ({ $why }) ; le prochain rejeu verra que son détenteur n'existe plus
discuss-replay-loaded = { $id } : { $about }, contrat { $contract }
discuss-replay-audit = consigné dans { $path }/transcript.jsonl
discuss-replay-failed = REPLAY_FAIL : { $why }
discuss-replay-recover = rien n'a changé dans le plan ; `segno check discuss/{ $id }` en dit plus, `segno recover discuss/{ $id }` répare ce qui peut l'être
discuss-replay-busy = rien n'a changé dans le plan ; attendez le détenteur, ou supprimez le verrou si vous savez qu'il n'existe plus
discuss-replay-nothing = rien n'a changé dans le plan ; l'essai est consigné dans la transcription
discuss-replay-check-plan = rien n'a changé dans le plan ; `segno check` nomme ce qui ne va pas dans ses fichiers et ce qu'il faut faire
discuss-replay-see-plan = `segno discuss plan` montre ce que contient le plan
discuss-no-track = il n'y a pas de piste `{ $track }`
discuss-tracks = les pistes sont : { $tracks }
discuss-more = … et { $count } de plus
discuss-plan-empty = il n'y a pas encore de plan dans docs/maestro
discuss-engine-template = le modèle de moteur `{ $key }` est inutilisable
discuss-engine-unknown = pas de moteur `{ $name }`
discuss-engine-known = moteurs connus : { $known }
discuss-engine-configure = toute autre commande peut en être un : réglez `{ $key }` dans la configuration
discuss-engine-foreign = La configuration de cet espace veut lancer : { $command } — la lancer ?
discuss-engine-foreign-hint = mettez le moteur dans votre propre configuration pour le lancer sans question
discuss-engine-refused = le moteur `{ $name }` n'a pas été lancé
discuss-engine-failed = { $message } { $details }
discuss-chat-help = écrivez un message ; /done termine par les opérations, /history montre l'échange, /quit le laisse ouvert, /help affiche ceci
discuss-chat-began = discussion { $id }
discuss-chat-nothing = rien n'a encore été discuté
discuss-chat-no-command = il n'y a pas de commande { $word } : rien n'a été envoyé
discuss-chat-rejected = le JSON final n'a pas été accepté : { $why }. Continuez, ou réessayez /done
discuss-chat-apply = Appliquer ces changements ? [o]ui/[n]on
discuss-chat-cancelled = rien n'a été appliqué et la discussion est close ; on peut encore l'appliquer : { $command }
discuss-chat-left = la discussion est ouverte ; pour continuer : { $command }
