# Ce que dit la commande elle-même.
frame-error = erreur :
frame-caused-by = cause :
frame-hint = conseil :
frame-warning = attention :
frame-yes-no = [o/n]
# Réponses acceptées, la première lettre suffit.
frame-yes = oui
frame-no = non
frame-answer-yes-no = répondez { frame-yes } ou { frame-no }
frame-answer-number = répondez par un nombre de 1 à { $max }
frame-choose = numéro, de 1 à { $max } :
frame-page-written = { $path } écrit
