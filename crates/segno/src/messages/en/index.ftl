# The index, and what `segno index` says.
index-progress = indexing: { $done } of { $total } sessions
index-without = done without an index that stays: { $why }
index-failed = the index could not be used
index-failed-hint = `segno index --rebuild` builds it anew
index-what = WHAT
index-value = VALUE
index-file = file
index-bytes = bytes
index-written = last written
index-sessions = sessions
index-files = files watched
index-entries = entries searchable
