# Une session, montrée.
show-entries = Le tout
