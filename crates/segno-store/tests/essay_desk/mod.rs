//! A desk for the tests of essays: a simulated disk, a clock that can be moved, and artifacts to hand in.

#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test binary uses the part of the desk that it needs"
)]

use std::fmt::Write as _;
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::sim::SimDisk;
use segno_disk::{Access, Disk, ReadDisk, RelPath};
use segno_store::Result;
use segno_store::formats::essay::{
    ArgumentInput, Essay, NEW_LOCK, NewEssay, ParagraphInput, Pushback, Step, ThesisInput,
};
use segno_store::formats::{Context, Format, Place, Plan, RecoverOptions, Recovery, Root, essay};
use segno_store::session::{Now, Problem};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer, Written};

/// The simulated disk, and the moment.
pub(crate) struct Desk {
    pub(crate) disk: SimDisk,
    pub(crate) now: Now,
}

pub(crate) fn moment(text: &str) -> Now {
    Now::new(text.parse().unwrap(), TimeZone::UTC)
}

pub(crate) fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "test".to_owned(),
        since: "now".to_owned(),
        patience: Duration::ZERO,
    }
}

pub(crate) fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

pub(crate) const DIR: &str = "essays/essay-pipeline-20260214-143022";

impl Desk {
    pub(crate) fn new() -> Self {
        Self {
            disk: SimDisk::new(),
            now: moment("2026-02-14T14:30:22Z"),
        }
    }

    pub(crate) fn workspace(&self) -> Workspace<'_> {
        Workspace::new(&self.disk, Settings::default())
    }

    /// Carries out an operation on a session.
    pub(crate) fn write<T>(
        &self,
        place: &Place,
        plan: impl FnMut(&Context<'_>) -> Result<Plan<T>>,
    ) -> Result<Written<T>> {
        self.workspace().write(place, &self.now, &writer(), plan)
    }

    /// Looks at a session.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Context<'_>) -> Result<T>) -> Result<T> {
        let workspace = self.workspace();
        look(&workspace.context(Root::Workspace, &self.now))
    }

    pub(crate) fn begin(&self) -> Place {
        begin(&self.workspace(), &self.now).unwrap()
    }

    pub(crate) fn thesis(&self, place: &Place) -> Step {
        let input = thesis_input();
        self.write(place, |cx| essay::thesis(cx, place, &input))
            .unwrap()
            .outcome
    }

    pub(crate) fn outline(&self, place: &Place, sections: &[&str]) -> Step {
        let text = outline_text(sections);
        self.write(place, |cx| essay::outline(cx, place, &text))
            .unwrap()
            .outcome
    }

    pub(crate) fn argue(&self, place: &Place, section: u64) -> Step {
        let input = argument_input(section, true);
        self.write(place, |cx| essay::argument(cx, place, &input))
            .unwrap()
            .outcome
    }

    pub(crate) fn approve(&self, place: &Place) -> Step {
        self.write(place, |cx| essay::approve(cx, place))
            .unwrap()
            .outcome
    }

    pub(crate) fn say(&self, place: &Place, section: u64, text: &str) -> Step {
        let input = paragraph_input(section, text);
        self.write(place, |cx| essay::paragraph(cx, place, &input))
            .unwrap()
            .outcome
    }

    pub(crate) fn done(&self, place: &Place, section: u64) -> Step {
        self.write(place, |cx| essay::section_done(cx, place, section))
            .unwrap()
            .outcome
    }

    /// A session with everything but the final essay.
    pub(crate) fn written(&self) -> Place {
        let place = self.begin();
        self.thesis(&place);
        self.outline(&place, &["The Sea", "The Town"]);
        self.argue(&place, 1);
        self.argue(&place, 2);
        self.approve(&place);
        self.say(&place, 1, "The sea comes twice a day.");
        self.say(&place, 1, "It never forgets.");
        self.done(&place, 1);
        self.say(&place, 2, "The town is hungry.");
        place
    }

    pub(crate) fn recover(&self, place: &Place, options: &RecoverOptions) -> Written<Recovery> {
        self.workspace()
            .recover(place, options, &self.now, &writer())
            .unwrap()
    }

    pub(crate) fn check(&self, place: &Place) -> Vec<Problem> {
        self.read(|cx| Essay.check(cx, place)).unwrap()
    }

    pub(crate) fn codes(&self, place: &Place) -> Vec<&'static str> {
        self.check(place)
            .iter()
            .map(|problem| problem.code)
            .collect()
    }

    pub(crate) fn text(&self, place: &Place, name: &str) -> String {
        let file = place.path.join(name).unwrap();
        let (bytes, _) = self.disk.read(&file).unwrap().expect("the file is there");
        String::from_utf8(bytes).unwrap()
    }

    pub(crate) fn has(&self, place: &Place, name: &str) -> bool {
        self.disk
            .stat(&place.path.join(name).unwrap())
            .unwrap()
            .is_some()
    }

    pub(crate) fn state(&self, place: &Place) -> String {
        self.text(place, "session-state.yaml")
    }

    /// Writes a file as another program would.
    pub(crate) fn put(&self, place: &Place, name: &str, text: impl AsRef<[u8]>) {
        let file = place.path.join(name).unwrap();
        if self.disk.stat(&file).unwrap().is_some() {
            self.disk.remove(&file).unwrap();
        }
        let mut open = self.disk.create(&file, Access::Shared).unwrap();
        open.write_all(text.as_ref()).unwrap();
    }

    /// Changes the state as a person with an editor would.
    pub(crate) fn edit(&self, place: &Place, from: &str, to: &str) {
        let text = self.state(place);
        assert!(text.contains(from), "{from} is not in\n{text}");
        self.put(place, "session-state.yaml", text.replacen(from, to, 1));
    }

    pub(crate) fn drop_file(&self, place: &Place, name: &str) {
        self.disk.remove(&place.path.join(name).unwrap()).unwrap();
    }
}

pub(crate) fn begin(workspace: &Workspace<'_>, now: &Now) -> Result<Place> {
    let input = NewEssay {
        uuid: "3f0c1e5a-0000-4000-8000-000000000001".to_owned(),
        pushback: Pushback::Light,
        style_profile: Some("style-profile.md".to_owned()),
        samples: None,
    };
    let written = workspace.write_locked(Root::Workspace, NEW_LOCK, now, &writer(), |cx| {
        essay::begin(cx, &input)
    })?;
    Ok(written.outcome.0)
}

pub(crate) fn thesis_input() -> ThesisInput {
    ThesisInput {
        text: "# Approved Thesis\n\n## Thesis Statement\n\nTidal power will feed coastal towns.\n\n## Claim Type\n\nargument\n\n## Domain\n\nenergy\n".to_owned(),
        claim_type: None,
        log: None,
    }
}

pub(crate) fn outline_text(sections: &[&str]) -> String {
    let mut text = "# Essay Outline: On Tides\n\n## Thesis\n\nTidal power will feed coastal towns.\n\n## Parameters\n\n- **Target length**: 900 words\n- **Audience**: general -- readers of a newspaper\n- **Claim type**: argument\n\n## Structure\n".to_owned();
    for (title, n) in sections.iter().zip(1..) {
        let _ = write!(
            text,
            "\n### Section {n}: {title} (~300 words)\n\n**Purpose**: say what {title} means\n"
        );
    }
    text
}

pub(crate) fn map_text(section: u64) -> String {
    format!(
        "# Section {section} Argument Map\n\n## Argument Flow\n\n### Point 1: Claim {section}\n\n**Claim**: Claim number {section} holds\n**Source**: Almanac. https://sea.example/{section}\n**Verified**: YES\n"
    )
}

pub(crate) fn argument_input(section: u64, approved: bool) -> ArgumentInput {
    ArgumentInput {
        section,
        text: map_text(section),
        approved,
    }
}

pub(crate) fn paragraph_input(section: u64, text: &str) -> ParagraphInput {
    ParagraphInput {
        section,
        text: text.to_owned(),
        ..ParagraphInput::default()
    }
}
