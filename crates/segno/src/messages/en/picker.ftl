# The picker on the terminal.
picker-prompt = resume >
picker-keys = type to search · ↑ ↓ PgUp PgDn move · Enter resume · Esc leave
picker-nothing = nothing fits; erase some letters
picker-left = nothing was chosen
picker-failed = the list cannot be shown on this terminal
