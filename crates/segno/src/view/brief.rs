//! A brief, for outsiders: as JSON, and as Markdown for people and agents.

use std::fmt::Write as _;

use segno_store::session::{Brief, Timestamp};
use serde::Serialize;

use super::card::{self, CardView};
use super::one_line;
use super::problem::ProblemView;
use crate::cli::sessions::word;
use crate::messages::{Catalogue, Message};
use crate::msg;

/// A brief as JSON.
#[derive(Debug, Serialize)]
pub struct BriefView<'a> {
    session: CardView<'a>,
    goal: &'a str,
    state: &'a [String],
    decisions: &'a [String],
    open_questions: &'a [String],
    next: Option<&'a str>,
    sections: Vec<SectionView<'a>>,
    turns: Vec<TurnView<'a>>,
    turns_left_out: u64,
    problems: Vec<ProblemView<'a>>,
}

#[derive(Debug, Serialize)]
struct SectionView<'a> {
    title: &'a str,
    text: &'a str,
}

#[derive(Debug, Serialize)]
struct TurnView<'a> {
    role: &'a str,
    text: &'a str,
    at: Option<String>,
}

impl<'a> From<&'a Brief> for BriefView<'a> {
    fn from(brief: &'a Brief) -> Self {
        Self {
            session: (&brief.card).into(),
            goal: &brief.goal,
            state: &brief.state,
            decisions: &brief.decisions,
            open_questions: &brief.open_questions,
            next: brief.next.as_deref(),
            sections: brief
                .sections
                .iter()
                .map(|section| SectionView {
                    title: &section.title,
                    text: &section.text,
                })
                .collect(),
            turns: brief
                .turns
                .iter()
                .map(|turn| TurnView {
                    role: &turn.role,
                    text: &turn.text,
                    at: turn.at.as_ref().map(Timestamp::iso),
                })
                .collect(),
            turns_left_out: brief.turns_left_out,
            problems: brief.problems.iter().map(Into::into).collect(),
        }
    }
}

/// A brief as Markdown. Parts that have nothing to say are left out. Written with `Ui::document`.
pub fn markdown(brief: &Brief, catalogue: &Catalogue) -> String {
    let mut page = Page {
        text: format!("# {}\n\n", one_line(&brief.card.title)),
        catalogue,
    };
    page.head(brief);
    if !brief.goal.trim().is_empty() {
        page.part(&msg!("brief-goal"), &brief.goal);
    }
    // Some formats tell the summary as their state or goal already.
    let summary = brief.card.summary.trim();
    let told = brief
        .state
        .iter()
        .chain([&brief.goal])
        .any(|line| line.trim() == summary);
    if !summary.is_empty() && !told {
        page.part(&msg!("brief-summary"), &brief.card.summary);
    }
    page.list(&msg!("brief-state"), &brief.state);
    page.list(&msg!("brief-decisions"), &brief.decisions);
    page.list(&msg!("brief-open-questions"), &brief.open_questions);
    if let Some(next) = &brief.next {
        page.part(&msg!("brief-next"), next);
    }
    let problems: Vec<String> = brief.problems.iter().map(ToString::to_string).collect();
    page.list(&msg!("brief-problems"), &problems);
    for section in &brief.sections {
        page.titled(&one_line(&section.title), &section.text);
    }
    page.turns(brief);
    page.text
}

/// A brief for an agent that takes the work up again: what this is, the brief, and how to read on and to stop.
pub fn welcome(brief: &Brief, catalogue: &Catalogue) -> String {
    let session = word(&brief.card.reference());
    let page = markdown(brief, catalogue);
    let intro = catalogue.say(&msg!("brief-welcome"));
    let after = catalogue.say(&msg!("brief-go-on", session = session));
    format!("{intro}\n\n{page}\n---\n\n{after}\n")
}

/// Where a session stopped, for somebody who is looking for it: the newest first, as far as a small window goes.
pub fn glance(brief: &Brief, catalogue: &Catalogue) -> String {
    const TURNS: usize = 4;
    const LETTERS: usize = 400;
    let mut page = Page {
        text: format!("# {}\n\n", one_line(&brief.card.title)),
        catalogue,
    };
    page.head(brief);
    let problems: Vec<String> = brief.problems.iter().map(ToString::to_string).collect();
    page.list(&msg!("brief-problems"), &problems);
    if let Some(next) = &brief.next {
        page.part(&msg!("brief-next"), next);
    }
    let summary = brief.card.summary.trim();
    if !summary.is_empty() {
        page.part(&msg!("brief-summary"), summary);
    }
    let turns = brief.turns.iter().rev().take(TURNS).map(|turn| {
        let text = one_line(&turn.text);
        let cut: String = text.chars().take(LETTERS).collect();
        let more = if cut.len() < text.len() { "…" } else { "" };
        format!("{}: {cut}{more}", one_line(&turn.role))
    });
    page.list(&msg!("brief-turns"), &turns.collect::<Vec<_>>());
    page.list(&msg!("brief-open-questions"), &brief.open_questions);
    page.list(&msg!("brief-decisions"), &brief.decisions);
    page.list(&msg!("brief-state"), &brief.state);
    page.text
}

struct Page<'a> {
    text: String,
    catalogue: &'a Catalogue,
}

impl Page<'_> {
    fn say(&self, message: &Message) -> String {
        self.catalogue.say(message)
    }

    fn head(&mut self, brief: &Brief) {
        let card = &brief.card;
        let status = self.say(&card::status(card.status));
        let session = msg!("brief-session", session = card.reference(), status = status);
        let _ = writeln!(self.text, "{}", self.say(&session));
        if !card.position.is_empty() {
            let position = msg!("brief-position", position = &card.position);
            let _ = writeln!(self.text, "{}", self.say(&position));
        }
    }

    fn part(&mut self, title: &Message, text: &str) {
        self.titled(&self.say(title), text);
    }

    fn titled(&mut self, title: &str, text: &str) {
        let _ = write!(self.text, "\n## {title}\n\n{}\n", text.trim_end());
    }

    fn list(&mut self, title: &Message, items: &[String]) {
        if items.is_empty() {
            return;
        }
        // Further lines of an item belong to it only when they are indented.
        let lines: Vec<String> = items
            .iter()
            .map(|item| format!("- {}", item.trim_end().replace('\n', "\n  ")))
            .collect();
        self.part(title, &lines.join("\n"));
    }

    fn turns(&mut self, brief: &Brief) {
        if brief.turns.is_empty() && brief.turns_left_out == 0 {
            return;
        }
        let _ = write!(self.text, "\n## {}\n", self.say(&msg!("brief-turns")));
        if brief.turns_left_out > 0 {
            let left_out = msg!("brief-turns-left-out", count = brief.turns_left_out);
            let _ = write!(self.text, "\n{}\n", self.say(&left_out));
        }
        for turn in &brief.turns {
            let at = turn.at.as_ref().map(|at| format!(" ({})", at.iso()));
            let _ = write!(
                self.text,
                "\n### {}{}\n\n{}\n",
                one_line(&turn.role),
                at.unwrap_or_default(),
                turn.text.trim_end()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use segno_store::session::{BriefSection, Problem, Turn};

    use super::*;
    use crate::messages::Lang;
    use crate::view::card::tests::card;

    fn brief() -> Brief {
        let mut brief = Brief::new(card());
        brief.goal = "Choose how sessions are saved".into();
        brief.decisions = vec!["append-only log\nbecause of crashes".into()];
        brief.next = Some("write the codec".into());
        brief.sections = vec![BriefSection {
            title: "Instructions".into(),
            text: "Be brief.\n".into(),
        }];
        brief.turns = vec![Turn {
            role: "user".into(),
            text: "And the index?".into(),
            at: None,
        }];
        brief.turns_left_out = 11;
        let file = brief.card.path.clone();
        brief.problems = vec![
            Problem::new("torn_tail", file)
                .line(13)
                .found("half a line"),
        ];
        brief
    }

    #[test]
    fn the_text_says_what_there_is_and_leaves_out_what_there_is_not() {
        insta::assert_snapshot!(markdown(&brief(), &Catalogue::new(Lang::En)), @r"
        # The append-only log

        Session: conversation/001-plan-log (paused)
        Stopped at: message 12

        ## Goal

        Choose how sessions are saved

        ## Summary

        We chose the log

        ## Decisions

        - append-only log
          because of crashes

        ## Next

        write the codec

        ## Problems found

        - conversations/2026-11-18/001-plan-log:13: half a line

        ## Instructions

        Be brief.

        ## Last turns

        11 earlier turns are left out to keep within the budget.

        ### user

        And the index?
        ");
    }

    #[test]
    fn an_agent_is_told_what_this_is_and_how_to_read_on_and_to_stop() {
        let text = welcome(&brief(), &Catalogue::new(Lang::En));
        assert!(
            text.starts_with("You are taking up a saved work session"),
            "{text}"
        );
        assert!(text.contains("\n# The append-only log\n"), "{text}");
        for command in [
            "segno show conversation/001-plan-log",
            "segno stop conversation/001-plan-log",
        ] {
            assert!(text.contains(command), "{command} in {text}");
        }
    }

    #[test]
    fn a_glance_begins_with_where_it_stopped() {
        let mut brief = brief();
        brief.turns.push(Turn {
            role: "assistant".into(),
            text: "x".repeat(500),
            at: None,
        });
        let text = glance(&brief, &Catalogue::new(Lang::En));
        let at = |part: &str| {
            text.find(part)
                .unwrap_or_else(|| panic!("{part} in {text}"))
        };
        assert!(at("## Problems found") < at("## Next"));
        assert!(at("## Summary") < at("- assistant: xxx"));
        assert!(at("…") < at("- user: And the index?"));
        assert!(at("And the index?") < at("## Decisions"));
    }

    #[test]
    fn the_json_holds_the_same() {
        let value = serde_json::to_value(BriefView::from(&brief())).unwrap();
        let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            [
                "session",
                "goal",
                "state",
                "decisions",
                "open_questions",
                "next",
                "sections",
                "turns",
                "turns_left_out",
                "problems"
            ]
        );
        assert_eq!(value["session"]["kind"], "conversation");
        assert_eq!(value["turns"][0]["text"], "And the index?");
        assert_eq!(value["problems"][0]["line"], 13);
        assert_eq!(value["problems"][0]["repair"]["kind"], "none");
    }
}
