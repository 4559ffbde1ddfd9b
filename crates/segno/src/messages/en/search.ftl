# What `segno search` says.
search-nothing = nothing found
search-more = { $shown } of { $total } shown; `--limit` shows more
search-open-quote = the quotation mark before `{ $text }` is never closed
search-open-quote-hint = close it, and put the whole question in single quotes: segno search '"two words" more'
search-unknown-filter = `{ $name }:` is not a filter
search-unknown-filter-hint = the filters are kind:, status:, role:, since:, before: and path:; to look for the text itself put it in quotation marks: '"{ $name }:..."'
search-bad-value = `{ $filter }:` cannot be `{ $value }`
search-bad-value-hint = `{ $filter }:` takes { $takes }
search-no-letters = `{ $text }` has no letter or digit to look for
search-no-letters-hint = signs are not indexed: look for a word beside them
search-no-words = there is no word to look for
search-no-words-hint = give at least one word that must be there, before filters and what must not be there; `segno list` shows sessions by kind and status
