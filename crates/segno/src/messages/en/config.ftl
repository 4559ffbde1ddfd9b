# The configuration and the command that shows it.
config-unreadable = the configuration `{ $file }` cannot be read
config-not-utf8 = the configuration `{ $file }` is not UTF-8 text
config-too-large = the configuration `{ $file }` is larger than { $max } bytes
config-broken = { $file }:{ $line }: this is not TOML: { $what }
config-broken-hint = correct the line, or move the file away to go on with the defaults
config-wrong-type = { $file }:{ $line }: `{ $key }` must be { $expected }, not { $found }
config-wrong-type-hint = correct the line or take it out; `segno config list` then explains every key
config-unknown-key = { $file }:{ $line }: there is no key `{ $key }`
config-unknown-key-near = { $file }:{ $line }: there is no key `{ $key }`; did you mean `{ $near }`?
config-no-key = there is no key `{ $key }`
config-no-key-near = did you mean `{ $near }`?
config-no-key-list = `segno config list` shows every key
config-from-default = default
config-from-file = from { $file }
config-unset = not set
config-present = there
config-absent = not there
