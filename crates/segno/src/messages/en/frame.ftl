# What the frame of the command itself says.
frame-error = error:
frame-caused-by = caused by:
frame-hint = hint:
frame-warning = warning:
frame-yes-no = [y/n]
# Accepted answers, first letters are enough.
frame-yes = yes
frame-no = no
frame-answer-yes-no = please answer { frame-yes } or { frame-no }
frame-answer-number = please answer with a number from 1 to { $max }
frame-choose = number, 1 to { $max }:
frame-page-written = wrote { $path }
