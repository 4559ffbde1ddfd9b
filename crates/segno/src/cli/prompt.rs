//! Questions to a person on a terminal. Without one they are an error that says how to answer beforehand.

use std::io::{self, BufRead};

use super::error::{Code, CommandError};
use super::line::{Line, Role};
use super::ui::Ui;
use crate::messages::Text;
use crate::msg;

/// How often a question is put again after an answer that makes no sense.
const TRIES: usize = 3;

impl Ui {
    /// Asks yes or no. `otherwise` says which argument answers it without a terminal.
    pub fn confirm(
        &self,
        question: impl Into<Text>,
        otherwise: impl Into<Text>,
    ) -> Result<bool, CommandError> {
        let question = question.into();
        let prompt = Line::new()
            .add(Role::Strong, question.clone())
            .plain(" ")
            .plain(msg!("frame-yes-no"))
            .plain(" ");
        let yes = self.say(&msg!("frame-yes"));
        let no = self.say(&msg!("frame-no"));
        self.put(
            &question,
            otherwise.into(),
            &prompt,
            &msg!("frame-answer-yes-no").into(),
            |answer| yes_or_no(answer, &yes, &no),
        )
    }

    /// Lets a person choose one of the options and returns its place.
    pub fn choose(
        &self,
        question: impl Into<Text>,
        options: &[Text],
        otherwise: impl Into<Text>,
    ) -> Result<usize, CommandError> {
        let question = question.into();
        let mut prompt = Line::new().add(Role::Strong, question.clone()).plain("\n");
        for (place, option) in options.iter().enumerate() {
            prompt = prompt
                .plain(format!("  {:>2}  ", place + 1))
                .plain(option.clone())
                .plain("\n");
        }
        prompt = prompt
            .plain(msg!("frame-choose", max = options.len()))
            .plain(" ");
        self.put(
            &question,
            otherwise.into(),
            &prompt,
            &msg!("frame-answer-number", max = options.len()).into(),
            |answer| number(answer, options.len()),
        )
    }

    /// Lets a person choose among options that were shown already; an empty answer is the first of them.
    pub fn choose_shown(
        &self,
        question: impl Into<Text>,
        count: usize,
        otherwise: impl Into<Text>,
    ) -> Result<usize, CommandError> {
        let question = question.into();
        let prompt = Line::new().add(Role::Strong, question.clone()).plain(" ");
        self.put(
            &question,
            otherwise.into(),
            &prompt,
            &msg!("frame-answer-number", max = count).into(),
            |answer| {
                if answer.is_empty() {
                    Some(0)
                } else {
                    number(answer, count)
                }
            },
        )
    }

    /// Asks for a line of text that is not empty.
    pub fn ask(
        &self,
        question: impl Into<Text>,
        otherwise: impl Into<Text>,
    ) -> Result<String, CommandError> {
        let question = question.into();
        let prompt = Line::new().add(Role::Strong, question.clone()).plain(" ");
        self.put(&question, otherwise.into(), &prompt, &question, |answer| {
            (!answer.is_empty()).then(|| answer.to_owned())
        })
    }

    fn put<T>(
        &self,
        question: &Text,
        otherwise: Text,
        prompt: &Line,
        again: &Text,
        understand: impl Fn(&str) -> Option<T>,
    ) -> Result<T, CommandError> {
        let words = || self.catalogue.text(question);
        if !self.can_ask() {
            let error = msg!("errors-no-terminal", question = words());
            return Err(CommandError::new(Code::Refused, error).hint(otherwise));
        }
        let answer = converse(&mut io::stdin().lock(), understand, |round| {
            if round > 0 {
                self.warn(again.clone());
            }
            self.put_question(prompt);
        })
        .map_err(|error| {
            CommandError::new(Code::Io, msg!("errors-stdin")).because(error.to_string())
        })?;
        answer.ok_or_else(|| {
            let error = msg!("errors-no-answer", question = words());
            CommandError::new(Code::Refused, error).hint(otherwise)
        })
    }
}

/// Puts the question until an answer makes sense; `None` at the end of input or after too many tries.
fn converse<T>(
    input: &mut dyn BufRead,
    understand: impl Fn(&str) -> Option<T>,
    mut put: impl FnMut(usize),
) -> io::Result<Option<T>> {
    for round in 0..TRIES {
        put(round);
        let mut answer = String::new();
        if input.read_line(&mut answer)? == 0 {
            return Ok(None);
        }
        if let Some(understood) = understand(answer.trim()) {
            return Ok(Some(understood));
        }
    }
    Ok(None)
}

fn yes_or_no(answer: &str, yes: &str, no: &str) -> Option<bool> {
    let answer = answer.to_lowercase();
    let means = |word: &str| !answer.is_empty() && word.starts_with(&answer);
    if means(yes) || means("yes") {
        Some(true)
    } else if means(no) || means("no") {
        Some(false)
    } else {
        None
    }
}

fn number(answer: &str, max: usize) -> Option<usize> {
    let number: usize = answer.parse().ok()?;
    (1..=max).contains(&number).then(|| number - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yes_and_no_are_understood_in_the_users_language_and_in_english() {
        let check = |answer: &str, expected: Option<bool>| {
            assert_eq!(yes_or_no(answer, "oui", "non"), expected, "{answer}");
        };
        check("o", Some(true));
        check("OUI", Some(true));
        check("y", Some(true));
        check("n", Some(false));
        check("non", Some(false));
        check("", None);
        check("ouistiti", None);
        assert_eq!(yes_or_no("はい", "はい", "いいえ"), Some(true));
        assert_eq!(yes_or_no("い", "はい", "いいえ"), Some(false));
    }

    #[test]
    fn only_the_numbers_offered_are_choices() {
        for (answer, expected) in [
            ("1", Some(0)),
            ("3", Some(2)),
            ("0", None),
            ("4", None),
            ("x", None),
        ] {
            assert_eq!(number(answer, 3), expected, "{answer}");
        }
    }

    #[test]
    fn a_question_is_put_again_a_few_times_and_then_given_up() {
        let ask = |typed: &str| {
            let mut rounds = 0;
            let answer = converse(
                &mut typed.as_bytes(),
                |answer| number(answer, 3),
                |_| rounds += 1,
            );
            (answer.unwrap(), rounds)
        };
        assert_eq!(ask("2\n"), (Some(1), 1));
        assert_eq!(ask("what\n 3 \n"), (Some(2), 2));
        assert_eq!(ask("a\nb\nc\n1\n"), (None, 3));
        assert_eq!(ask(""), (None, 1));
    }
}
