//! What the tour does, step by step.

use segno_store::formats;
use segno_store::session::Kind;

use crate::messages::Message;
use crate::msg;

/// One step: what it is about, what is done, and how much of the answer is shown.
pub(super) struct Step {
    /// A stable word for programs.
    pub(super) key: &'static str,
    /// What it does, in words.
    pub(super) what: Message,
    /// What is done.
    pub(super) act: Act,
    /// How many lines of the answer are shown.
    pub(super) lines: usize,
}

/// What is done in a step. In arguments, `<name>` stands for an id that an earlier step was given.
pub(super) enum Act {
    /// A command of this program.
    Run {
        /// Its arguments.
        args: Vec<&'static str>,
        /// Its standard input.
        input: &'static str,
        /// The exit code it must have.
        expect: i32,
        /// The name under which the session's id is remembered.
        id: Option<&'static str>,
    },
    /// Half a line is left at the end of a file, as a power cut might.
    Tear {
        /// The file; `<path>` stands for the last session's place.
        file: &'static str,
    },
}

/// The whole tour: the kinds that exist, then what they have in common.
pub(super) fn steps() -> Vec<Step> {
    let mut steps = Vec::new();
    for format in formats::all() {
        steps.extend(of_kind(format.kind()));
    }
    steps.push(run("list", msg!("tour-list"), &["list"]).showing(12));
    steps.push(run("search", msg!("tour-search"), &["search", "append_only"]).showing(12));
    steps.push(
        run(
            "export",
            msg!("tour-export"),
            &["export", "<talk>", "--output", "talk.md"],
        )
        .showing(2),
    );
    steps
}

fn of_kind(kind: Kind) -> Vec<Step> {
    match kind {
        Kind::Brainstorm => brainstorm(),
        Kind::Conversation => conversation(),
        Kind::Discuss => discuss(),
        Kind::Essay => essay(),
        Kind::Handover => handover(),
    }
}

fn run(key: &'static str, what: Message, args: &[&'static str]) -> Step {
    let act = Act::Run {
        args: args.to_vec(),
        input: "",
        expect: 0,
        id: None,
    };
    Step {
        key,
        what,
        act,
        lines: 0,
    }
}

impl Step {
    fn showing(mut self, count: usize) -> Self {
        self.lines = count;
        self
    }

    fn reading(mut self, text: &'static str) -> Self {
        if let Act::Run { input, .. } = &mut self.act {
            *input = text;
        }
        self
    }

    fn ending(mut self, code: i32) -> Self {
        if let Act::Run { expect, .. } = &mut self.act {
            *expect = code;
        }
        self
    }

    fn called(mut self, name: &'static str) -> Self {
        if let Act::Run { id, .. } = &mut self.act {
            *id = Some(name);
        }
        self
    }
}

fn conversation() -> Vec<Step> {
    let tear = Act::Tear {
        file: "<path>/.session/messages.jsonl",
    };
    vec![
        run(
            "conversation-start",
            msg!("tour-conversation-start"),
            &[
                "conversation",
                "start",
                "plan",
                "Where to keep the log",
                "--json",
            ],
        )
        .called("talk"),
        run(
            "conversation-say",
            msg!("tour-conversation-say"),
            &[
                "conversation",
                "say",
                "<talk>",
                "--role",
                "user",
                "--input",
                "-",
            ],
        )
        .reading("Append-only, or a table that is rewritten?"),
        run(
            "conversation-answer",
            msg!("tour-conversation-answer"),
            &[
                "conversation",
                "say",
                "<talk>",
                "--role",
                "assistant",
                "We chose the append-only log",
            ],
        ),
        Step {
            key: "crash",
            what: msg!("tour-crash"),
            act: tear,
            lines: 0,
        },
        run("check", msg!("tour-check"), &["check"])
            .ending(3)
            .showing(3),
        run("recover", msg!("tour-recover"), &["recover"]).showing(3),
        run("stop", msg!("tour-stop"), &["stop", "<talk>"]).showing(4),
        run(
            "resume",
            msg!("tour-resume"),
            &["resume", "<talk>", "--print"],
        )
        .showing(12),
    ]
}

fn brainstorm() -> Vec<Step> {
    vec![
        run(
            "brainstorm-start",
            msg!("tour-brainstorm-start"),
            &["brainstorm", "start", "log-store", "--new"],
        ),
        run(
            "brainstorm-ask",
            msg!("tour-brainstorm-ask"),
            &[
                "brainstorm",
                "ask",
                "log-store",
                "--question",
                "Who reads the log?",
                "--ems",
                "34",
            ],
        ),
        run(
            "brainstorm-idea",
            msg!("tour-brainstorm-idea"),
            &[
                "brainstorm",
                "idea",
                "add",
                "log-store",
                "One line per event",
                "--score",
                "8",
            ],
        ),
        run(
            "brainstorm-status",
            msg!("tour-brainstorm-status"),
            &["brainstorm", "status", "log-store"],
        )
        .showing(6),
    ]
}

fn discuss() -> Vec<Step> {
    vec![
        run(
            "discuss-start",
            msg!("tour-discuss-start"),
            &["discuss", "start", "--context", "global", "Plan the log", "--json"],
        )
        .called("plan"),
        run(
            "discuss-done",
            msg!("tour-discuss-done"),
            &["discuss", "done", "<plan>", "--input", "-"],
        )
        .reading(
            r#"{"patch_operations": [{"op_type": "add_track", "data": {"track_name": "The log"}}]}"#,
        ),
        run("discuss-replay", msg!("tour-discuss-replay"), &["discuss", "replay", "<plan>"]).showing(6),
    ]
}

fn essay() -> Vec<Step> {
    vec![
        run("essay-new", msg!("tour-essay-new"), &["essay", "new", "--json"]).called("essay"),
        run(
            "essay-thesis",
            msg!("tour-essay-thesis"),
            &["essay", "thesis", "<essay>", "--claim-type", "argument", "--input", "-"],
        )
        .reading(
            "# Approved Thesis\n\n## Thesis Statement\nAn append-only log is the simplest thing to trust.\n\n\
             ## Claim Type\nargument\n\n## Approved By User\nYes -- 2026-11-18\n",
        )
        .showing(1),
        run("essay-status", msg!("tour-essay-status"), &["essay", "status", "<essay>"]).showing(5),
    ]
}

fn handover() -> Vec<Step> {
    vec![
        run(
            "handover-decide",
            msg!("tour-handover-decide"),
            &[
                "handover",
                "decide",
                "USER_DECISION",
                "Keep the log append-only",
                "--context",
                "two designs",
                "--decision",
                "append-only",
                "--reason",
                "a crash costs a line at most",
                "--impact",
                "readers take the tail",
                "--source",
                "user",
            ],
        ),
        run(
            "handover-draft",
            msg!("tour-handover-draft"),
            &[
                "handover",
                "draft",
                "--after",
                "design",
                "--next",
                "Write the reader",
                "--done",
                "Chose the log",
            ],
        ),
    ]
}
