# A session, shown.
show-entries = All of it
