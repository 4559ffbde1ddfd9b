//! A command with places for the text: split into words as a shell would, expanded as a shell never does.

use std::fmt;

/// What stands for the text itself.
const TEXT: &str = "{text}";
/// What stands for the path of a file that holds it.
const FILE: &str = "{file}";

/// A command with places for what the tool is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    program: String,
    args: Vec<String>,
}

/// Why a command cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadTemplate {
    /// There is nothing in it.
    Empty,
    /// A quotation mark is never closed.
    OpenQuote,
    /// Nothing follows the last backslash.
    OpenEscape,
    /// It says nowhere where the text goes.
    NoPlace,
    /// The text would be the program.
    PlaceAsProgram,
}

impl fmt::Display for BadTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it is empty",
            Self::OpenQuote => "a quotation mark is not closed",
            Self::OpenEscape => "it ends with a backslash",
            Self::NoPlace => "neither {text} nor {file} is in it",
            Self::PlaceAsProgram => "it has to begin with a program",
        })
    }
}

impl Template {
    /// Reads a command as it stands in the configuration.
    pub fn parse(command: &str) -> Result<Self, BadTemplate> {
        let mut words = split(command)?.into_iter();
        let program = words.next().ok_or(BadTemplate::Empty)?;
        let template = Self {
            program,
            args: words.collect(),
        };
        if has_place(&template.program) {
            Err(BadTemplate::PlaceAsProgram)
        } else if template.args.iter().any(|arg| has_place(arg)) {
            Ok(template)
        } else {
            Err(BadTemplate::NoPlace)
        }
    }

    /// The program: a name to be looked for, or a path.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// True when it takes the text in an argument.
    pub fn takes_text(&self) -> bool {
        self.args.iter().any(|arg| arg.contains(TEXT))
    }

    /// True when it takes the path of a file.
    pub fn takes_file(&self) -> bool {
        self.args.iter().any(|arg| arg.contains(FILE))
    }

    /// The arguments with the text and the path in their places. What the text itself holds is not looked at again.
    pub fn fill(&self, text: &str, file: &str) -> Vec<String> {
        let fill = |arg: &String| {
            let mut out = String::new();
            let mut rest = arg.as_str();
            while let Some(at) = rest.find('{') {
                let (before, from) = rest.split_at(at);
                out.push_str(before);
                rest = if let Some(after) = from.strip_prefix(TEXT) {
                    out.push_str(text);
                    after
                } else if let Some(after) = from.strip_prefix(FILE) {
                    out.push_str(file);
                    after
                } else {
                    out.push('{');
                    from.strip_prefix('{').unwrap_or_default()
                };
            }
            out.push_str(rest);
            out
        };
        self.args.iter().map(fill).collect()
    }
}

fn has_place(word: &str) -> bool {
    word.contains(TEXT) || word.contains(FILE)
}

/// Splits a command into words: white space separates, quotation marks and backslashes keep together. Variables, globs,
/// pipes and the like are letters like any other.
pub fn split(command: &str) -> Result<Vec<String>, BadTemplate> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or(BadTemplate::OpenQuote)? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or(BadTemplate::OpenQuote)? {
                        '"' => break,
                        '\\' => {
                            let next = chars.next().ok_or(BadTemplate::OpenQuote)?;
                            if !matches!(next, '"' | '\\' | '$' | '`') {
                                word.push('\\');
                            }
                            word.push(next);
                        }
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => {
                let next = chars.next().ok_or(BadTemplate::OpenEscape)?;
                word.get_or_insert_default().push(next);
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_splits_them_and_nothing_is_expanded() {
        let check = |command: &str, expected: &[&str]| {
            assert_eq!(split(command).unwrap(), expected, "{command}");
        };
        check("claude {text}", &["claude", "{text}"]);
        check("  a\t b\n", &["a", "b"]);
        check(r#"a "b c" 'd e' f\ g"#, &["a", "b c", "d e", "f g"]);
        check(r#"a "" ''"#, &["a", "", ""]);
        check(r#"a --x="b c"d"#, &["a", "--x=b cd"]);
        check(r#"a "q\"q" "w\n" '\n'"#, &["a", "q\"q", "w\\n", "\\n"]);
        check(
            "a $HOME; b | c > *",
            &["a", "$HOME;", "b", "|", "c", ">", "*"],
        );
        check("", &[]);
        for (command, why) in [
            ("a 'b", BadTemplate::OpenQuote),
            ("a \"b\\", BadTemplate::OpenQuote),
            ("a \\", BadTemplate::OpenEscape),
        ] {
            assert_eq!(split(command), Err(why), "{command}");
        }
    }

    #[test]
    fn a_command_has_to_say_where_the_text_goes() {
        let check = |command: &str, expected: Result<(), BadTemplate>| {
            assert_eq!(Template::parse(command).map(|_| ()), expected, "{command}");
        };
        check("tool {text}", Ok(()));
        check("tool --prompt={file}", Ok(()));
        check("tool", Err(BadTemplate::NoPlace));
        check("  ", Err(BadTemplate::Empty));
        check("{text}", Err(BadTemplate::PlaceAsProgram));
    }

    #[test]
    fn the_text_is_filled_in_once_whatever_it_holds() {
        let template = Template::parse("tool --p={text} {file} {other} '{'").unwrap();
        assert!(template.takes_text() && template.takes_file());
        assert_eq!(
            template.fill("a {file} $(rm) {text}", "/f"),
            ["--p=a {file} $(rm) {text}", "/f", "{other}", "{"]
        );
    }
}
