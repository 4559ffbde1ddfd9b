# Le sélecteur sur le terminal.
picker-prompt = reprendre >
picker-keys = tapez pour chercher · ↑ ↓ PgUp PgDn bouger · Entrée reprendre · Échap quitter
picker-nothing = rien ne convient ; effacez quelques lettres
picker-left = rien n’a été choisi
picker-failed = la liste ne peut pas s’afficher sur ce terminal
