# What `segno list` says.
list-vanished = passed over, it is no longer there: { $root }
list-unreadable = passed over { $root }: { $why }
list-none-anywhere = no sessions in any workspace that was opened here
list-none-fits = no session fits these filters; `segno list` shows all
