# La configuration et la commande qui la montre.
config-unreadable = la configuration `{ $file }` est illisible
config-not-utf8 = la configuration `{ $file }` n’est pas du texte UTF-8
config-too-large = la configuration `{ $file }` dépasse { $max } octets
config-broken = { $file }:{ $line } : ce n’est pas du TOML : { $what }
config-broken-hint = corrigez la ligne, ou déplacez le fichier pour continuer avec les valeurs par défaut
config-wrong-type = { $file }:{ $line } : `{ $key }` doit être { $expected }, et non { $found }
config-wrong-type-hint = `segno config list` explique toutes les clés une fois la ligne corrigée ou retirée
config-unknown-key = { $file }:{ $line } : la clé `{ $key }` n’existe pas
config-unknown-key-near = { $file }:{ $line } : la clé `{ $key }` n’existe pas ; vouliez-vous dire `{ $near }` ?
config-no-key = la clé `{ $key }` n’existe pas
config-no-key-near = vouliez-vous dire `{ $near }` ?
config-no-key-list = `segno config list` montre toutes les clés
config-from-default = par défaut
config-from-file = de { $file }
config-unset = non défini
config-present = présent
config-absent = absent
