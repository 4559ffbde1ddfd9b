//! The central test on a conversation: started, talked in, paused, resumed, talked in, completed.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says plainly what it expects"
)]

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::Disk;
use segno_disk::sim::{SimDisk, images};
use segno_store::formats::conversation::{self, LOCK_NEW, Remark, Role, Start};
use segno_store::formats::{Format as _, Place, ResumeOptions, Root};
use segno_store::session::{Kind, Now, Status};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};
use segno_testkit::crash::{self, Story};
use segno_testkit::forgetful::{Forget, ForgetfulDisk};

struct Talk;

const SAID: [(Role, &str); 3] = [
    (Role::User, "log?"),
    (Role::Assistant, "o\u{f9}i"),
    (Role::User, "and\nnow"),
];

fn now(step: usize) -> Now {
    let second = 1_763_458_200 + i64::try_from(step).unwrap();
    Now::new(jiff::Timestamp::from_second(second).unwrap(), TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "story".to_owned(),
        since: String::new(),
        patience: Duration::ZERO,
    }
}

fn the_one(workspace: &Workspace<'_>) -> Result<Option<Place>, String> {
    let mut places = workspace
        .places(Some(Kind::Conversation), &now(0))
        .map_err(|e| e.to_string())?;
    match places.len() {
        0 | 1 => Ok(places.pop()),
        n => Err(format!("{n} conversations")),
    }
}

impl Story for Talk {
    fn steps(&self) -> usize {
        7
    }

    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String> {
        let workspace = Workspace::new(disk, Settings::default());
        let (now, writer) = (now(step), writer());
        workspace.settle(&writer).map_err(|e| e.to_string())?;
        if step == 0 {
            let start = Start {
                kind: "plan".to_owned(),
                topic: "log".to_owned(),
                ..Start::default()
            };
            let started = workspace.write_locked(Root::Workspace, LOCK_NEW, &now, &writer, |cx| {
                conversation::start(cx, &start)
            });
            return started.map(drop).map_err(|e| e.to_string());
        }
        let place = the_one(&workspace)?.ok_or("there is no conversation")?;
        let format = conversation::Conversation;
        let say = |(role, text): (Role, &str)| {
            let remark = [Remark::new(role, text)];
            workspace
                .write(&place, &now, &writer, |cx| {
                    conversation::say(cx, &place, &remark)
                })
                .map(drop)
        };
        match step {
            1 | 2 => say(SAID[step - 1]),
            3 => workspace
                .write(&place, &now, &writer, |cx| format.stop(cx, &place, None))
                .map(drop),
            4 => workspace
                .write(&place, &now, &writer, |cx| {
                    format.resume(cx, &place, &ResumeOptions::default())
                })
                .map(drop),
            5 => say(SAID[2]),
            _ => workspace
                .write(&place, &now, &writer, |cx| {
                    conversation::complete(cx, &place, Some("done"))
                })
                .map(drop),
        }
        .map_err(|e| e.to_string())
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let workspace = Workspace::new(disk, Settings::default());
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let Some(place) = the_one(&workspace)? else {
            return Ok(0);
        };
        let now = now(20);
        let mut said = Vec::new();
        let context = workspace.context(Root::Workspace, &now);
        conversation::Conversation
            .entries(&context, &place, &mut |entry| {
                said.push((entry.role.unwrap_or_default(), entry.text));
                ControlFlow::Continue(())
            })
            .map_err(|e| e.to_string())?;
        for ((role, text), (own_role, own_text)) in said.iter().zip(SAID) {
            if role != own_role.name() || text != own_text {
                return Err(format!("{role} said {text:?}"));
            }
        }
        let card = workspace.card(&place, &now);
        let torn_only = card
            .problems
            .iter()
            .all(|problem| problem.code == "torn_tail");
        if !torn_only || card.title != "log" || card.counts != [("messages", said.len() as u64)] {
            return Err(format!("{card:?}"));
        }
        match (said.len(), card.status, card.summary.as_str()) {
            (n @ 0..=2, Status::Active, "") => Ok(n + 1),
            (2, Status::Paused, "User: log? Assistant: o\u{f9}i") => Ok(4),
            (2, Status::Active, _) => Ok(5),
            (3, Status::Active, _) => Ok(6),
            (3, Status::Completed, "done") => Ok(7),
            other => Err(format!("no step leaves {other:?}")),
        }
    }
}

#[test]
fn every_acknowledged_step_of_a_conversation_survives_every_power_cut() {
    let report = crash::check(&Talk).unwrap();
    println!("conversation: {report}");
    assert!(report.images > 200, "{report}");
}

#[test]
fn every_failing_operation_is_reported_and_the_conversation_goes_on() {
    let report = crash::check_faults(&Talk).unwrap();
    println!("conversation: {report:?}");
    assert!(report.reported > 0);
}

/// Whether every image that a power cut may leave right after a message holds it.
fn message_survives(forget: Option<Forget>) -> bool {
    let disk = SimDisk::new();
    Talk.perform(&disk, 0).unwrap();
    let spoken = match forget {
        Some(forget) => Talk.perform(&ForgetfulDisk::new(disk.clone(), forget), 1),
        None => Talk.perform(&disk, 1),
    };
    spoken.unwrap();
    let mut survives = true;
    images(&disk, disk.position(), &mut |image| {
        survives &= Talk.observe(&image.into_disk()) == Ok(2);
    });
    survives
}

#[test]
fn the_test_notices_a_forgotten_sync() {
    assert!(message_survives(None));
    assert!(!message_survives(Some(Forget::Data)));
}
