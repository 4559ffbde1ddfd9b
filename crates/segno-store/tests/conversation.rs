//! Conversations through the workspace on a simulated disk: what the scenarios of the format ask of the engine.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says plainly what it expects"
)]

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::{Access, Basis, Change, ReadDisk as _, RelPath, SimDisk, Volume};
use segno_store::StoreError;
use segno_store::formats::conversation::{
    self, Conversation, LOCK_NEW, Note, Remark, Role, Said, Start, Started,
};
use segno_store::formats::{
    Context, Format as _, Notice, Place, Plan, RecoverOptions, Recovery, ResumeOptions, Resumed,
    Root,
};
use segno_store::session::{Card, Entry, Kind, Now, Problem, SessionRef, Status};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

/// A workspace on a simulated disk, and a clock that the test moves.
struct Desk {
    disk: SimDisk,
    settings: Settings,
    now: Now,
}

impl Desk {
    fn new() -> Self {
        Self {
            disk: SimDisk::new(),
            settings: Settings::default(),
            now: at("2026-11-18T09:30:00Z"),
        }
    }

    fn later(&mut self, time: &str) -> &mut Self {
        self.now = at(time);
        self
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let bytes = text.as_ref().to_vec();
        let change = Change::replace(
            RelPath::new(path).unwrap(),
            bytes,
            Basis::Any,
            Access::Shared,
        );
        Volume::new(&self.disk, RelPath::new(".segno").unwrap())
            .commit(&[change])
            .unwrap();
        self
    }

    fn read(&self, path: &str) -> String {
        let (bytes, _) = self
            .disk
            .read(&RelPath::new(path).unwrap())
            .unwrap()
            .unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn workspace(&self) -> Workspace<'_> {
        Workspace::new(&self.disk, self.settings.clone())
    }

    fn start(&self, kind: &str, topic: &str) -> Started {
        self.try_start(&Start {
            kind: kind.to_owned(),
            topic: topic.to_owned(),
            ..Start::default()
        })
        .unwrap()
    }

    fn try_start(&self, start: &Start) -> Result<Started, StoreError> {
        let written =
            self.workspace()
                .write_locked(Root::Workspace, LOCK_NEW, &self.now, &writer(), |cx| {
                    conversation::start(cx, start)
                });
        written.map(|written| written.outcome)
    }

    fn act<T>(
        &self,
        place: &Place,
        plan: impl FnMut(&Context<'_>) -> Result<Plan<T>, StoreError>,
    ) -> Result<T, StoreError> {
        let written = self.workspace().write(place, &self.now, &writer(), plan);
        written.map(|written| written.outcome)
    }

    fn say(&self, place: &Place, role: Role, text: &str) -> Said {
        self.try_say(place, role, text).unwrap()
    }

    fn try_say(&self, place: &Place, role: Role, text: &str) -> Result<Said, StoreError> {
        let remarks = [Remark::new(role, text)];
        self.act(place, |cx| conversation::say(cx, place, &remarks))
    }

    fn stop(&self, place: &Place, summary: Option<&str>) -> Result<String, StoreError> {
        self.act(place, |cx| Conversation.stop(cx, place, summary))
            .map(|stopped| stopped.summary)
    }

    fn complete(&self, place: &Place) -> Result<String, StoreError> {
        self.act(place, |cx| conversation::complete(cx, place, None))
            .map(|stopped| stopped.summary)
    }

    fn resume(&self, place: &Place, options: &ResumeOptions) -> Result<Resumed, StoreError> {
        self.act(place, |cx| Conversation.resume(cx, place, options))
    }

    fn resumed_text(&self, place: &Place) -> String {
        let resumed = self.resume(place, &ResumeOptions::default()).unwrap();
        resumed.text.unwrap()
    }

    fn notice(&self, place: &Place) -> Option<Notice> {
        let workspace = self.workspace();
        workspace
            .apply_time_rules(place, &self.now, &writer())
            .unwrap()
    }

    fn card(&self, place: &Place) -> Card {
        self.workspace().card(place, &self.now)
    }

    fn places(&self) -> Vec<Place> {
        self.workspace()
            .places(Some(Kind::Conversation), &self.now)
            .unwrap()
    }

    fn check(&self, place: &Place) -> Vec<Problem> {
        let workspace = self.workspace();
        Conversation
            .check(&workspace.context(Root::Workspace, &self.now), place)
            .unwrap()
    }

    fn recover(&self, place: &Place, options: &RecoverOptions) -> Recovery {
        let workspace = self.workspace();
        workspace
            .recover(place, options, &self.now, &writer())
            .unwrap()
            .outcome
    }

    fn entries(&self, place: &Place) -> Vec<Entry> {
        let workspace = self.workspace();
        let mut entries = Vec::new();
        Conversation
            .entries(
                &workspace.context(Root::Workspace, &self.now),
                place,
                &mut |entry| {
                    entries.push(entry);
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
        entries
    }

    fn texts(&self, place: &Place) -> Vec<String> {
        self.entries(place)
            .into_iter()
            .map(|entry| entry.text)
            .collect()
    }

    fn state(&self, place: &Place) -> serde_json::Value {
        serde_json::from_str(&self.read(&state_path(place))).unwrap()
    }
}

fn at(time: &str) -> Now {
    Now::new(time.parse().unwrap(), TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "test".to_owned(),
        since: String::new(),
        patience: Duration::ZERO,
    }
}

fn state_path(place: &Place) -> String {
    format!("{}/.session/session.json", place.path)
}

fn messages_path(place: &Place) -> String {
    format!("{}/.session/messages.jsonl", place.path)
}

fn codes(problems: &[Problem]) -> Vec<(&'static str, Option<u64>)> {
    problems
        .iter()
        .map(|problem| (problem.code, problem.line))
        .collect()
}

#[track_caller]
fn refused(result: Result<impl std::fmt::Debug, StoreError>, needles: &[&str]) {
    let Err(StoreError::Refused { rule, hints }) = result else {
        panic!("{result:?}");
    };
    let text = format!("{rule}\n{}", hints.join("\n"));
    for needle in needles {
        assert!(text.contains(needle), "`{needle}` in {text}");
    }
}

// SESS-001

#[test]
fn sess_001_session_state_saved_when_conversation_ends() {
    let desk = Desk::new();
    let place = desk.start("brainstorm", "API design").place;
    desk.say(&place, Role::User, "REST or GraphQL?");
    desk.stop(&place, Some("Leaning toward REST")).unwrap();
    let state = desk.state(&place);
    assert_eq!(state["status"], "paused");
    assert_eq!(state["message_count"], 1);
    assert_eq!(state["context_summary"], "Leaning toward REST");
    assert_eq!(
        desk.read(&messages_path(&place)),
        "{\"role\":\"user\",\"content\":\"REST or GraphQL?\",\"timestamp\":\"2026-11-18T09:30:00Z\"}\n"
    );
    desk.complete(&place).unwrap();
    assert_eq!(desk.state(&place)["status"], "completed");
}

#[test]
fn sess_001_session_includes_agent_configuration() {
    let desk = Desk::new();
    desk.write(".claude/commands/workspace_plan.md", "abc");
    let started = desk
        .try_start(&Start {
            kind: "plan".to_owned(),
            topic: "The log".to_owned(),
            model: Some("model-1".to_owned()),
            tools: vec!["search".to_owned(), "files".to_owned()],
            ..Start::default()
        })
        .unwrap();
    assert_eq!(started.notes, []);
    assert_eq!(
        desk.state(&started.place),
        serde_json::json!({
            "version": "1.0", "conversation_id": "001-plan-the-log", "conversation_type": "plan", "status": "active",
            "created_at": "2026-11-18T09:30:00Z", "last_active": "2026-11-18T09:30:00Z", "message_count": 0,
            "agent_config": {
                "command": "/workspace.plan",
                "system_prompt_hash": "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "model": "model-1", "tools": ["search", "files"],
            },
            "context_summary": "",
        })
    );
    // The other tools' files, and none at all.
    for (file, hash) in [
        (Some(".opencode/command/workspace_plan.md"), "sha256:ba7816"),
        (Some(".gemini/commands/plan.toml"), "sha256:ba7816"),
        (None, ""),
    ] {
        let desk = Desk::new();
        if let Some(file) = file {
            desk.write(file, "abc");
        }
        let started = desk.start("plan", "x");
        let state = desk.state(&started.place);
        let found = state["agent_config"]["system_prompt_hash"]
            .as_str()
            .unwrap();
        assert!(
            found.starts_with(hash) && found.is_empty() == hash.is_empty(),
            "{found}"
        );
        let noted = [Note::NoCommandFile("/workspace.plan".to_owned())];
        assert_eq!(
            started.notes.as_slice(),
            if file.is_some() { &[] } else { &noted[..] }
        );
    }
}

#[test]
fn sess_001_message_history_format() {
    let mut desk = Desk::new();
    let place = desk.start("plan", "x").place;
    desk.say(&place, Role::User, "one");
    // The clock goes back an hour: the order stays.
    desk.later("2026-11-18T08:30:00Z")
        .say(&place, Role::Assistant, "two\nlines, \u{4f1a}\u{8b70}");
    desk.later("2026-11-18T09:31:00Z")
        .say(&place, Role::Tool, "three");
    assert_eq!(
        desk.read(&messages_path(&place)),
        "{\"role\":\"user\",\"content\":\"one\",\"timestamp\":\"2026-11-18T09:30:00Z\"}\n\
         {\"role\":\"assistant\",\"content\":\"two\\nlines, \u{4f1a}\u{8b70}\",\"timestamp\":\"2026-11-18T09:30:00Z\"}\n\
         {\"role\":\"tool\",\"content\":\"three\",\"timestamp\":\"2026-11-18T09:31:00Z\"}\n"
    );
}

#[test]
fn the_layout_is_that_of_the_document_without_a_registry() {
    let desk = Desk::new();
    let started = desk.start("brainstorm", "Topic");
    assert_eq!(
        started.place.path.as_str(),
        "conversations/2026-11-18/001-brainstorm-topic"
    );
    assert_eq!(
        desk.read("conversations/2026-11-18/001-brainstorm-topic/brainstorm.md"),
        "# Brainstorm: Topic\n\n**ID**: 001-brainstorm-topic\n**Date**: 2026-11-18\n**Status**: In Progress\n\n\
         ## Goals\n\n## Ideas\n\n## Themes\n\n## Next steps\n"
    );
    let stat = |name: &str| {
        let path = started.place.path.join(name).unwrap();
        desk.disk.stat(&path).unwrap().unwrap().mode & 0o777
    };
    assert_eq!(
        (stat(".session"), stat(".session/session.json")),
        (0o700, 0o600)
    );
    assert_eq!(stat(".session/messages.jsonl"), 0o600);
}

#[test]
fn every_type_has_its_document() {
    for (kind, document) in [
        ("brainstorm", "brainstorm.md"),
        ("debug", "debug-session.md"),
        ("plan", "feature-planning.md"),
        ("learn", "learning-notes.md"),
        ("meeting", "meeting-notes.md"),
        ("review", "review.md"),
        ("projectmanage", "project-management.md"),
        ("retro", "retro.md"),
    ] {
        let desk = Desk::new();
        let started = desk.start(kind, "Deep: water");
        assert_eq!(started.document.name(), document);
        assert!(
            desk.read(started.document.as_str())
                .contains(": Deep: water\n")
        );
        assert_eq!(desk.card(&started.place).title, "Deep: water", "{kind}");
        if kind == "projectmanage" {
            assert!(
                desk.read(&format!("{}/index.md", started.place.path))
                    .contains("Deep: water")
            );
            let docs = started.place.path.join("docs").unwrap();
            assert!(desk.disk.stat(&docs).unwrap().is_some());
        }
    }
}

#[test]
fn a_registry_says_which_types_there_are_and_where_they_lie() {
    let desk = Desk::new();
    desk.write(
        ".workspace/registry.json",
        r#"{"schema_version":"2.0","conversation_types":{
            "plan":{"name":"Planning","folder":"plan","template":"feature-planning.md","command":"/workspace.plan"},
            "retro":{"name":"Retrospective","folder":"team/retro","template":"gone.md","sections":["went-well","to-change"]}}}"#,
    );
    desk.write(
        ".workspace/templates/feature-planning.md",
        "# Plan: [TITLE]\n\n[ID] [DATE] [TOPIC]\n",
    );
    let plan = desk.start("plan", "Log");
    assert_eq!(plan.place.path.as_str(), "plan/2026-11-18/001-plan-log");
    assert_eq!(
        desk.read(plan.document.as_str()),
        "# Plan: Log\n\n001-plan-log 2026-11-18 Log\n"
    );
    let retro = desk.start("retro", "Spring");
    assert_eq!(
        retro.document.as_str(),
        "team/retro/2026-11-18/001-retro-spring/retro.md"
    );
    assert_eq!(
        retro.notes,
        [
            Note::NoCommandFile("/workspace.retro".to_owned()),
            Note::NoTemplate("gone.md".to_owned())
        ]
    );
    assert!(
        desk.read(retro.document.as_str())
            .starts_with("# Retrospective: Spring\n")
    );
    assert!(
        desk.read(retro.document.as_str())
            .contains("## Went well\n\n## To change\n")
    );
    // Built in, though this registry left it out; and one that is nowhere.
    assert_eq!(
        desk.start("debug", "x").place.path.as_str(),
        "debug/2026-11-18/001-debug-x"
    );
    let unknown = desk.try_start(&Start {
        kind: "retor".to_owned(),
        topic: "x".to_owned(),
        ..Start::default()
    });
    let Err(StoreError::Invalid { hints, .. }) = unknown else {
        panic!("{unknown:?}");
    };
    assert!(hints.concat().contains("retro, review"), "{hints:?}");
    assert_eq!(desk.places().len(), 3);
}

#[test]
fn numbers_are_decimal_and_one_more_than_the_highest() {
    let desk = Desk::new();
    for name in ["007-plan-a", "008-plan-b", "010-debug-c", "notes", "99"] {
        desk.write(&format!("conversations/2026-11-18/{name}/x.md"), "");
    }
    assert_eq!(desk.start("plan", "d").place.id.as_str(), "011-plan-d");
    desk.write("conversations/2026-11-18/999-plan-z/x.md", "");
    assert_eq!(desk.start("plan", "e").place.id.as_str(), "1000-plan-e");
}

#[test]
fn topics_in_any_script_give_usable_distinct_names() {
    let desk = Desk::new();
    let mut names = Vec::new();
    for topic in [
        "L'été à Łódź",
        "日本語の設計",
        "!!!",
        "???",
        "Привет мир",
        "../../etc/passwd",
        "a\nb\u{1b}[31m",
    ] {
        let started = desk.start("plan", topic);
        let name = started
            .place
            .id
            .as_str()
            .split_once("-plan-")
            .unwrap()
            .1
            .to_owned();
        assert!(
            !name.is_empty() && !names.contains(&name),
            "{topic}: {name}"
        );
        assert!(!desk.card(&started.place).title.is_empty());
        names.push(name);
    }
    assert_eq!(names[0], "l-ete-a-lodz");
    assert_eq!(names[1], "日本語の設計");
    for (kind, topic) in [
        ("plan", "  "),
        ("", "x"),
        ("a/b", "x"),
        ("..", "x"),
        ("plan", &"x".repeat(3000)),
    ] {
        let bad = desk.try_start(&Start {
            kind: kind.to_owned(),
            topic: topic.to_owned(),
            ..Start::default()
        });
        assert!(
            matches!(bad, Err(StoreError::Invalid { .. })),
            "{kind} {topic}"
        );
    }
}

// SESS-002

#[test]
fn sess_002_stop_command_feedback() {
    let desk = Desk::new();
    let place = desk.start("brainstorm", "API Design Discussion").place;
    desk.say(&place, Role::User, "REST or GraphQL?");
    desk.say(&place, Role::Assistant, "REST,\n\nfor simplicity.");
    desk.say(&place, Role::Tool, "noise");
    let stopped = desk
        .act(&place, |cx| Conversation.stop(cx, &place, None))
        .unwrap();
    assert_eq!(stopped.title, "API Design Discussion");
    assert_eq!(
        stopped.summary,
        "User: REST or GraphQL? Assistant: REST, for simplicity."
    );
    assert_eq!(desk.card(&place).summary, stopped.summary);
    // A person's own summary is kept while nothing else was said.
    desk.resume(&place, &ResumeOptions::default()).unwrap();
    assert_eq!(desk.stop(&place, Some("  Mine. ")).unwrap(), "Mine.");
    desk.resume(&place, &ResumeOptions::default()).unwrap();
    assert_eq!(desk.stop(&place, None).unwrap(), "Mine.");
    desk.say(&place, Role::User, &format!("and {}", "so on ".repeat(100)));
    let made = desk.stop(&place, None).unwrap();
    assert!(
        made.ends_with("so on\u{2026}") && made.len() < 400,
        "{made}"
    );
}

// SESS-003

fn talked() -> (Desk, Place) {
    let mut desk = Desk::new();
    desk.write(
        ".claude/commands/workspace_plan.md",
        "---\ndescription: x\n---\nAsk before you act.\n",
    );
    let place = desk.start("plan", "The log").place;
    desk.say(&place, Role::User, "How?");
    desk.say(&place, Role::Assistant, "Append only.");
    desk.stop(&place, Some("We chose the log.")).unwrap();
    desk.later("2026-11-18T11:30:00Z");
    (desk, place)
}

#[test]
fn sess_003_command_loading_and_context_injection_on_resume() {
    let (desk, place) = talked();
    let resumed = desk.resume(&place, &ResumeOptions::default()).unwrap();
    assert_eq!(
        resumed.text.unwrap(),
        "Ask before you act.\n\n\
         [RESUMED CONVERSATION]\n\
         You are continuing a previous conversation.\n\n\
         Conversation: plan / The log\n\
         Last active: 2 hours ago\n\
         Messages: 2 exchanges\n\
         Summary: We chose the log.\n\n\
         Previous context is loaded. The user expects you to continue where you left off.\n\
         Review the conversation history and pick up naturally.\n\
         [END RESUMED CONTEXT]\n\n\
         [CONVERSATION HISTORY]\n\n\
         user (2026-11-18T09:30:00Z):\nHow?\n\n\
         assistant (2026-11-18T09:30:00Z):\nAppend only.\n\n\
         [END CONVERSATION HISTORY]\n"
    );
    assert_eq!(resumed.warnings, []);
    assert_eq!(resumed.tool.as_deref(), Some("claude"));
    assert_eq!(desk.card(&place).status, Status::Active);
    assert_eq!(desk.state(&place)["last_active"], "2026-11-18T11:30:00Z");
}

#[test]
fn sess_003_command_prompt_changes_since_original_conversation() {
    let (desk, place) = talked();
    desk.write(".claude/commands/workspace_plan.md", "Act at once.\n");
    let resumed = desk.resume(&place, &ResumeOptions::default()).unwrap();
    assert!(
        resumed
            .text
            .unwrap()
            .starts_with("Act at once.\n\n[RESUMED")
    );
    let codes: Vec<&str> = resumed.warnings.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["prompt_changed"]);
    // No file at all is said as well.
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    let resumed = desk.resume(&place, &ResumeOptions::default()).unwrap();
    assert_eq!(resumed.warnings[0].code, "prompt_missing");
    assert_eq!(resumed.tool, None);
}

#[test]
fn a_gemini_command_gives_its_prompt_and_an_agent_its_name() {
    let desk = Desk::new();
    desk.write(
        ".gemini/commands/plan.toml",
        "description = \"d\"\nprompt = \"\"\"\nBe brief.\n\"\"\"\n",
    );
    let start = Start {
        kind: "plan".to_owned(),
        topic: "x".to_owned(),
        agent: Some("codex".to_owned()),
        ..Start::default()
    };
    let place = desk.try_start(&start).unwrap().place;
    let resumed = desk.resume(&place, &ResumeOptions::default()).unwrap();
    assert!(resumed.text.unwrap().starts_with("Be brief.\n\n[RESUMED"));
    assert_eq!(resumed.tool.as_deref(), Some("codex"));
}

#[test]
fn a_budget_keeps_the_newest_turns_whole_and_says_what_was_left_out() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    for n in 0..40 {
        desk.say(
            &place,
            Role::User,
            &format!("message {n} {}", "word ".repeat(20)),
        );
    }
    let options = ResumeOptions {
        budget: Some(400),
        force: false,
    };
    let resumed = desk.resume(&place, &options).unwrap();
    let text = resumed.text.unwrap();
    assert!(
        resumed.left_out > 20 && resumed.left_out < 40,
        "{}",
        resumed.left_out
    );
    assert!(text.contains(&format!(
        "({} earlier messages are left out to keep within the budget of 400 tokens.)",
        resumed.left_out
    )));
    assert!(text.contains("message 39 word"));
    assert!(!text.contains(&format!("message {} word", resumed.left_out - 1)));
    assert!(text.contains(&format!("message {} word", resumed.left_out)));
    // Not even one fits: none is torn apart.
    let options = ResumeOptions {
        budget: Some(1),
        force: false,
    };
    let resumed = desk.resume(&place, &options).unwrap();
    assert_eq!(resumed.left_out, 40);
    assert!(!resumed.text.unwrap().contains("user (2026"));
}

#[test]
fn a_brief_has_the_last_turns_and_what_the_agent_was() {
    let (desk, place) = talked();
    let workspace = desk.workspace();
    let context = workspace.context(Root::Workspace, &desk.now);
    let brief = Conversation.brief(&context, &place, None).unwrap();
    assert_eq!(brief.goal, "The log");
    assert_eq!(
        brief.state,
        [
            "type: plan",
            "command: /workspace.plan",
            "We chose the log."
        ]
    );
    let turns: Vec<&str> = brief.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(turns, ["How?", "Append only."]);
    let small = Conversation.brief(&context, &place, Some(1)).unwrap();
    assert_eq!((small.turns.len(), small.turns_left_out), (0, 2));
}

// SESS-005

#[test]
fn sess_005_status_transitions() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    let options = ResumeOptions::default();
    desk.stop(&place, None).unwrap();
    refused(
        desk.stop(&place, None),
        &[
            "is paused and cannot be paused",
            "paused -> active",
            "paused -> completed",
        ],
    );
    desk.resume(&place, &options).unwrap();
    // Asking again for what is active changes nothing.
    desk.resume(&place, &options).unwrap();
    desk.stop(&place, None).unwrap();
    desk.complete(&place).unwrap();
    refused(
        desk.complete(&place),
        &[
            "is completed and cannot be completed",
            "resume 001-plan-x --force",
        ],
    );
    refused(
        desk.stop(&place, None),
        &["is completed and cannot be paused"],
    );
    refused(
        desk.try_say(&place, Role::User, "x"),
        &["is completed and cannot be continued"],
    );
    let other = desk.start("plan", "y").place;
    desk.complete(&other).unwrap();
    assert_eq!(desk.card(&other).raw_status, "completed");
}

#[test]
fn saying_something_in_a_paused_conversation_makes_it_active() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    assert!(!desk.say(&place, Role::User, "a").resumed);
    desk.stop(&place, None).unwrap();
    assert!(desk.say(&place, Role::User, "b").resumed);
    assert_eq!(desk.state(&place)["status"], "active");
    assert_eq!(desk.card(&place).counts, [("messages", 2)]);
}

#[test]
fn sess_005_auto_pause_on_inactivity() {
    let mut desk = Desk::new();
    let place = desk.start("plan", "x").place;
    desk.later("2026-11-18T09:33:00Z")
        .say(&place, Role::User, "still here");
    // Five minutes after the last thing said, though the state file says nothing of it.
    assert_eq!(desk.later("2026-11-18T09:38:00Z").notice(&place), None);
    let notice = desk.later("2026-11-18T09:38:01Z").notice(&place).unwrap();
    assert_eq!(
        (notice.code, notice.session.as_str()),
        ("auto_paused", "conversation/001-plan-x")
    );
    let state = desk.state(&place);
    assert_eq!(state["status"], "paused");
    assert_eq!(state["last_active"], "2026-11-18T09:33:00Z");
    assert_eq!(state["message_count"], 1);
    assert_eq!(state["context_summary"], "User: still here");
    assert_eq!(desk.notice(&place), None);
    // Configurable, and never when it is 0.
    let mut desk = Desk::new();
    desk.settings.conversation.auto_pause_minutes = 60;
    let place = desk.start("plan", "x").place;
    assert_eq!(desk.later("2026-11-18T10:29:00Z").notice(&place), None);
    assert!(desk.later("2026-11-18T10:31:00Z").notice(&place).is_some());
    desk.settings.conversation.auto_pause_minutes = 0;
    desk.resume(&place, &ResumeOptions::default()).unwrap();
    assert_eq!(desk.later("2027-11-18T10:29:00Z").notice(&place), None);
}

#[test]
fn sess_005_completed_conversations() {
    let (desk, place) = talked();
    desk.complete(&place).unwrap();
    refused(
        desk.resume(&place, &ResumeOptions::default()),
        &["is completed and cannot be resumed", "--force"],
    );
    let forced = ResumeOptions {
        budget: None,
        force: true,
    };
    let resumed = desk.resume(&place, &forced).unwrap();
    assert_eq!(resumed.warnings[0].code, "was_completed");
    assert_eq!(desk.card(&place).status, Status::Active);
}

// Real data

#[test]
fn all_four_layouts_of_the_years_are_found() {
    let desk = Desk::new();
    for dir in [
        "plan/2026-11-18/001-plan-a",
        "conversations/plan/2026-11-18/001-plan-b",
        "conversations/2026-11-18/001-plan-c",
        "conversations/2025-11/001-plan-d",
        "deep/er/still/001-plan-e",
        "no-state/001-plan-f",
    ] {
        let file = if dir.contains("no-state") {
            "messages.jsonl"
        } else {
            "session.json"
        };
        desk.write(&format!("{dir}/.session/{file}"), "{}\n");
    }
    for dir in ["node_modules/x", "target/x", ".git/x", ".hidden/x"] {
        desk.write(&format!("{dir}/.session/session.json"), "{}");
    }
    let ids: Vec<String> = desk
        .places()
        .iter()
        .map(|place| place.id.to_string())
        .collect();
    let mut sorted = ids.clone();
    sorted.sort();
    assert_eq!(
        sorted,
        [
            "001-plan-a",
            "001-plan-b",
            "001-plan-c",
            "001-plan-d",
            "001-plan-e",
            "001-plan-f"
        ]
    );
    for place in desk.places() {
        let workspace = desk.workspace();
        let named = SessionRef::parse_of(Kind::Conversation, place.id.as_str()).unwrap();
        assert_eq!(workspace.resolve(&named, &desk.now).unwrap(), place);
        for inner in ["", "/.session", "/.session/session.json", "/docs/x.md"] {
            let path = SessionRef::Path(format!("{}{inner}", place.path));
            assert_eq!(
                workspace.resolve(&path, &desk.now).unwrap(),
                place,
                "{inner}"
            );
        }
    }
}

#[test]
fn the_temporary_directory_is_not_searched() {
    let (desk, elsewhere) = (Desk::new(), Desk::new());
    elsewhere.start("plan", "x");
    let workspace = desk.workspace().with_temporary(&elsewhere.disk);
    assert_eq!(workspace.places(None, &desk.now).unwrap(), []);
}

#[test]
fn ids_that_repeat_across_days_are_told_apart_by_their_paths() {
    let mut desk = Desk::new();
    desk.start("plan", "x");
    desk.later("2026-11-19T09:30:00Z").start("plan", "x");
    let workspace = desk.workspace();
    let named = SessionRef::parse("conversation/001-plan-x").unwrap();
    let Err(StoreError::Ambiguous { candidates, .. }) = workspace.resolve(&named, &desk.now) else {
        panic!("one was chosen");
    };
    assert_eq!(
        candidates,
        [
            "conversations/2026-11-18/001-plan-x",
            "conversations/2026-11-19/001-plan-x"
        ]
    );
    let path = SessionRef::Path(candidates[1].clone());
    assert_eq!(
        workspace.resolve(&path, &desk.now).unwrap().path.as_str(),
        candidates[1]
    );
}

#[test]
fn unknown_keys_order_and_layout_of_the_state_are_kept() {
    let desk = Desk::new();
    let dir = "conversations/2026-11-18/001-plan-x";
    let before = "{\n    \"status\": \"active\",\n    \"mood\": {\"x\": 1.10},\n    \"version\": \"1.0\",\n    \"last_active\": \"2026-11-18T09:00:00Z\",\n    \"message_count\": 7\n}";
    desk.write(&format!("{dir}/.session/session.json"), before);
    let place = desk.places().remove(0);
    desk.stop(&place, Some("s")).unwrap();
    assert_eq!(
        desk.read(&state_path(&place)),
        "{\n    \"status\": \"paused\",\n    \"mood\": {\"x\": 1.10},\n    \"version\": \"1.0\",\n    \"last_active\": \"2026-11-18T09:30:00Z\",\n    \"message_count\": 0,\n    \"context_summary\": \"s\"\n}"
    );
}

#[test]
fn a_stray_line_end_in_content_is_tolerated_and_spaced_lines_stay_spaced() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    let theirs =
        "{\"role\": \"user\", \"content\": \"hi\\n\", \"timestamp\": \"2026-11-18T09:00:00Z\"}";
    // And without a line end at all.
    desk.write(&messages_path(&place), theirs);
    assert_eq!(desk.texts(&place), ["hi"]);
    desk.say(&place, Role::Assistant, "yes");
    assert_eq!(
        desk.read(&messages_path(&place)),
        format!(
            "{theirs}\n{{\"role\": \"assistant\", \"content\": \"yes\", \"timestamp\": \"2026-11-18T09:30:00Z\"}}\n"
        )
    );
    assert_eq!(desk.check(&place), []);
}

#[test]
fn a_state_that_lags_is_read_through_the_transcript() {
    let mut desk = Desk::new();
    let place = desk.start("plan", "x").place;
    desk.later("2026-11-18T09:33:00Z")
        .say(&place, Role::User, "a");
    let before = desk.read(&state_path(&place));
    assert!(before.contains("\"message_count\": 0"));
    let card = desk.card(&place);
    assert_eq!(card.counts, [("messages", 1)]);
    assert_eq!(card.last_active.unwrap().raw(), "2026-11-18T09:33:00Z");
    assert_eq!(desk.check(&place), []);
}

// Bad input

#[test]
fn an_invalid_line_in_the_middle_is_a_problem_and_nothing_is_dropped() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    desk.say(&place, Role::User, "first");
    let good = desk.read(&messages_path(&place));
    let damaged = format!(
        "{good}{{\"role\": \"user\", oops\n{}{good}{}\n",
        good.trim_end(),
        "\0".repeat(4)
    );
    desk.write(&messages_path(&place), format!("{damaged}{good}"));
    assert_eq!(desk.texts(&place), ["first", "first", "first", "first"]);
    assert_eq!(
        codes(&desk.check(&place)),
        [
            ("line_invalid", Some(2)),
            ("line_spliced", Some(3)),
            ("line_nul", Some(4))
        ]
    );
    let before = desk.read(&messages_path(&place));
    desk.say(&place, Role::User, "more");
    assert!(desk.read(&messages_path(&place)).starts_with(&before));
    let resumed = desk.resume(&place, &ResumeOptions::default()).unwrap();
    assert_eq!(resumed.warnings.last().unwrap().code, "lines_unreadable");

    // Only what loses nothing first: the two on one line are parted.
    let safe = RecoverOptions {
        safe_only: true,
        ..RecoverOptions::default()
    };
    let recovery = desk.recover(&place, &safe);
    // What is left is named by where it stands now.
    assert_eq!(
        codes(&recovery.left),
        [("line_invalid", Some(2)), ("line_nul", Some(5))]
    );
    assert_eq!(
        codes(&desk.check(&place)),
        [("line_invalid", Some(2)), ("line_nul", Some(5))]
    );
    let recovery = desk.recover(&place, &RecoverOptions::default());
    assert_eq!(recovery.left, []);
    assert_eq!(recovery.unknown, ["what line 2, 5 of the transcript said"]);
    assert_eq!(desk.check(&place), []);
    assert_eq!(
        desk.texts(&place),
        ["first", "first", "first", "first", "more"]
    );
    assert!(
        desk.read(&format!("{}.broken-2", messages_path(&place)))
            .contains("oops")
    );
    assert!(
        desk.read(&format!("{}.broken-1", messages_path(&place)))
            .contains("oops")
    );
}

#[test]
fn a_torn_tail_is_set_aside_by_the_next_message_or_by_recover() {
    for torn in [
        "{\"role\":\"us",
        "\0\0\0\0",
        "{\"role\":\"user\",\"content\":\"\\u00",
    ] {
        for by_recover in [false, true] {
            let desk = Desk::new();
            let place = desk.start("plan", "x").place;
            desk.say(&place, Role::User, "kept");
            let whole = desk.read(&messages_path(&place));
            desk.write(&messages_path(&place), format!("{whole}{torn}"));
            assert_eq!(codes(&desk.card(&place).problems), [("torn_tail", None)]);
            assert_eq!(codes(&desk.check(&place)), [("torn_tail", None)]);
            assert_eq!(desk.texts(&place), ["kept"]);
            if by_recover {
                desk.recover(
                    &place,
                    &RecoverOptions {
                        safe_only: true,
                        ..RecoverOptions::default()
                    },
                );
                assert_eq!(desk.read(&messages_path(&place)), whole);
            } else {
                desk.say(&place, Role::User, "next");
                assert_eq!(desk.texts(&place), ["kept", "next"]);
            }
            assert_eq!(desk.check(&place), []);
            let quarantine = desk
                .disk
                .list(&RelPath::new(".segno/quarantine").unwrap())
                .unwrap();
            assert_eq!(quarantine.len(), 1);
        }
    }
}

#[test]
fn an_invalid_state_is_rebuilt_and_the_broken_one_kept() {
    for (broken, salvaged) in [
        (
            "{\"version\": \"1.0\", \"status\": \"completed\", \"agent_config\": {\"model\": \"m-1\", \"tools\": [\"a\"",
            true,
        ),
        ("", false),
        ("\0\0\0", false),
        ("[]", false),
        ("\u{feff}not json", false),
    ] {
        let desk = Desk::new();
        let place = desk.start("debug", "Token race").place;
        desk.say(&place, Role::User, "why?");
        desk.write(&state_path(&place), broken);
        assert_eq!(desk.check(&place)[0].code, "state_invalid", "{broken}");
        assert_eq!(desk.card(&place).title, "Token race");
        // What is said is not lost meanwhile; a change of status waits for the repair.
        desk.say(&place, Role::Assistant, "because");
        assert!(matches!(
            desk.stop(&place, None),
            Err(StoreError::Damaged { .. })
        ));
        let recovery = desk.recover(&place, &RecoverOptions::default());
        assert_eq!(desk.check(&place), [], "{broken}");
        assert_eq!(
            desk.read(&format!("{}.broken-1", state_path(&place))),
            broken
        );
        let state = desk.state(&place);
        assert_eq!(state["conversation_type"], "debug");
        assert_eq!(state["message_count"], 2);
        assert_eq!(state["created_at"], "2026-11-18T09:30:00Z");
        assert_eq!(state["context_summary"], "User: why? Assistant: because");
        assert_eq!(
            state["status"],
            if salvaged { "completed" } else { "paused" }
        );
        assert_eq!(
            state["agent_config"]["model"],
            if salvaged { "m-1" } else { "" }
        );
        assert!(
            recovery
                .unknown
                .contains(&"which instructions the agent had".to_owned())
        );
    }
}

#[test]
fn a_missing_state_is_rebuilt_from_the_directory_and_the_messages() {
    let desk = Desk::new();
    let dir = "conversations/2026-11-17/003-review-the-codec";
    desk.write(&format!("{dir}/.session/messages.jsonl"), "");
    let place = desk.places().remove(0);
    assert_eq!(codes(&desk.check(&place)), [("state_missing", None)]);
    assert_eq!(desk.card(&place).title, "the codec");
    desk.recover(&place, &RecoverOptions::default());
    let state = desk.state(&place);
    assert_eq!(state["conversation_id"], "003-review-the-codec");
    assert_eq!(state["conversation_type"], "review");
    assert_eq!(state["created_at"], "2026-11-17T00:00:00Z");
    assert_eq!(state["agent_config"]["command"], "/workspace.review");
    assert_eq!(desk.check(&place), []);
}

#[test]
fn a_wrong_count_status_or_time_is_named_and_set_right() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    desk.say(&place, Role::User, "a");
    let state = "{\"version\":\"1.0\",\"status\":\"parked\",\"created_at\":\"yesterday\",\"last_active\":5,\"message_count\":9}";
    desk.write(&state_path(&place), state);
    assert_eq!(
        codes(&desk.check(&place)),
        [
            ("status_unknown", None),
            ("field_invalid", None),
            ("field_invalid", None),
            ("count_off", None)
        ]
    );
    assert_eq!(desk.card(&place).counts, [("messages", 1)]);
    assert_eq!(
        (
            desk.card(&place).status,
            desk.card(&place).raw_status.as_str()
        ),
        (Status::Paused, "parked")
    );
    desk.recover(&place, &RecoverOptions::default());
    assert_eq!(desk.check(&place), []);
    assert_eq!(
        desk.read(&state_path(&place)),
        "{\"version\":\"1.0\",\"status\":\"paused\",\"created_at\":\"2026-11-18T09:30:00Z\",\"last_active\":\"2026-11-18T09:30:00Z\",\"message_count\":1}"
    );
}

#[test]
fn a_newer_version_is_read_and_never_written() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    desk.say(&place, Role::User, "a");
    desk.write(
        &state_path(&place),
        "{\"version\":\"2.0\",\"status\":\"active\",\"last_active\":\"2026-11-18T01:00:00Z\"}",
    );
    assert_eq!(codes(&desk.check(&place)), [("too_new", None)]);
    assert_eq!(desk.texts(&place), ["a"]);
    assert_eq!(desk.notice(&place), None);
    for refused in [
        desk.stop(&place, None).map(drop),
        desk.complete(&place).map(drop),
        desk.try_say(&place, Role::User, "b").map(drop),
        desk.resume(&place, &ResumeOptions::default()).map(drop),
    ] {
        assert!(
            matches!(refused, Err(StoreError::TooNew { .. })),
            "{refused:?}"
        );
    }
    // A newer minor version is known well enough.
    desk.write(
        &state_path(&place),
        "{\"version\":\"1.7\",\"status\":\"active\"}",
    );
    desk.stop(&place, None).unwrap();
}

#[test]
fn a_message_that_lacks_something_is_named_and_kept() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    let lines =
        "{\"content\":\"who?\"}\n{\"role\":\"user\"}\n{\"role\":\"user\",\"content\":\"ok\"}\n";
    desk.write(&messages_path(&place), lines);
    assert_eq!(
        codes(&desk.check(&place)),
        [
            ("message_incomplete", Some(1)),
            ("message_incomplete", Some(2))
        ]
    );
    assert_eq!(
        desk.recover(&place, &RecoverOptions::default()).left.len(),
        2
    );
    assert_eq!(desk.read(&messages_path(&place)), lines);
    assert_eq!(desk.texts(&place), ["who?", "ok"]);
    assert!(desk.resumed_text(&place).contains("user:\nok\n"));
}

#[test]
fn further_members_of_a_batch_are_kept_and_its_times_too() {
    let desk = Desk::new();
    let place = desk.start("plan", "x").place;
    let remarks = [
        Remark {
            at: segno_store::session::Timestamp::parse("2026-11-01T00:00:00+09:00"),
            more: vec![("id".to_owned(), 7_u32.into())],
            ..Remark::new(Role::User, "then")
        },
        Remark::new(Role::User, "now"),
    ];
    let said = desk
        .act(&place, |cx| conversation::say(cx, &place, &remarks))
        .unwrap();
    assert_eq!(
        said.times,
        ["2026-11-01T00:00:00+09:00", "2026-11-18T09:30:00Z"]
    );
    assert!(
        desk.read(&messages_path(&place))
            .contains("+09:00\",\"id\":7}\n")
    );
}
