//! The project's central test: for every crash point of a story, what is found afterwards is a prefix of the story that
//! holds every acknowledged step, and the story can then go on.
//!
//! A story runs once on a simulated disk that records every operation. After each operation every image that a power cut
//! may leave is reopened and looked at; then the story goes on from there to its end. Some of the images are crashed a
//! second time while the story goes on, so that recovery itself is interrupted too.

use std::fmt;

use segno_disk::sim::{Image, SimDisk, images, some_images};
use segno_disk::{CountdownDisk, Disk, Fault};

/// A scripted session: numbered steps, and a way to see how many of them a disk holds.
pub trait Story {
    /// How many steps there are.
    fn steps(&self) -> usize;

    /// Performs one step, opening everything anew as a fresh process would. `Ok` is the acknowledgement.
    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String>;

    /// Looks at the disk as a fresh reader would: how many steps it holds, or why it holds no prefix of the story.
    fn observe(&self, disk: &dyn Disk) -> Result<usize, String>;
}

/// What a check went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Points in the record at which the power was cut.
    pub crash_points: u64,
    /// Images that a power cut may leave there, duplicates counted.
    pub images: u64,
    /// Images that differ and were reopened, a second crash included.
    pub reopened: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            crash_points,
            images,
            reopened,
        } = self;
        write!(
            f,
            "{crash_points} crash points, {images} images, {reopened} reopened"
        )
    }
}

/// Puts a disk of another temper over the simulated one, such as one that forgets a sync.
pub type Wrap = dyn Fn(SimDisk) -> Box<dyn Disk>;

/// Checks a short story on every single image, however many there are.
pub fn check_all(story: &dyn Story) -> Result<Report, String> {
    let mut report = Report::default();
    let run = Run {
        story,
        wrap: &|disk| Box::new(disk),
        most: u64::MAX,
    };
    run.check_from(&SimDisk::new(), 0, Depth::Twice, &mut report)?;
    Ok(report)
}

/// Checks a story on the disk as it is: at every crash point, on a spread of what a power cut may leave there. With
/// `SEGNO_SOAK=1` on all of it, as [`check_all`].
pub fn check(story: &dyn Story) -> Result<Report, String> {
    check_on(story, &|disk| Box::new(disk))
}

/// Checks a story that begins on a disk on which something stands already, durable: what `prepare` leaves is no part of
/// the story, and no power is cut while it is made.
pub fn check_after(prepare: &dyn Fn(&SimDisk), story: &dyn Story) -> Result<Report, String> {
    check_after_on(prepare, story, &|disk| Box::new(disk))
}

/// The same through a wrapped disk.
pub fn check_after_on(
    prepare: &dyn Fn(&SimDisk),
    story: &dyn Story,
    wrap: &Wrap,
) -> Result<Report, String> {
    let made = SimDisk::new();
    prepare(&made);
    made.sync_everything(&[])
        .map_err(|error| error.to_string())?;
    let disk = settled(&made)?;
    let mut report = Report::default();
    let most = unless_soaking(IMAGES_PER_CRASH_POINT);
    let run = Run { story, wrap, most };
    run.check_from(&disk, 0, Depth::Twice, &mut report)?;
    Ok(report)
}

/// Checks a story through a wrapped disk.
pub fn check_on(story: &dyn Story, wrap: &Wrap) -> Result<Report, String> {
    check_some(story, wrap, IMAGES_PER_CRASH_POINT)
}

/// Checks a story that touches many files at once: it has many crash points, and so few images are reopened at each.
pub fn check_many(story: &dyn Story) -> Result<Report, String> {
    check_some(story, &|disk| Box::new(disk), IMAGES_OF_MANY_FILES)
}

/// Checks a long story through a wrapped disk, on no more than so many images of a crash point in the short form.
pub fn check_some(story: &dyn Story, wrap: &Wrap, images: u64) -> Result<Report, String> {
    let mut report = Report::default();
    let most = unless_soaking(images);
    let run = Run { story, wrap, most };
    run.check_from(&SimDisk::new(), 0, Depth::Twice, &mut report)?;
    Ok(report)
}

/// How many images of a crash point are reopened in the short form.
const IMAGES_PER_CRASH_POINT: u64 = 48;

/// The same for a story of many files.
const IMAGES_OF_MANY_FILES: u64 = 7;

fn unless_soaking(most: u64) -> u64 {
    if soaking() { u64::MAX } else { most }
}

fn soaking() -> bool {
    std::env::var_os("SEGNO_SOAK").is_some()
}

/// A story, the disk it runs on, and how many images of a crash point are reopened.
struct Run<'a> {
    story: &'a dyn Story,
    wrap: &'a Wrap,
    most: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Once,
    Twice,
}

/// One in so many images is crashed a second time; all of them with `SEGNO_SOAK=1`.
const SECOND_CRASH_EVERY: u64 = 5;
/// The same for a story of many images, from the [`MANY`]th on.
const SECOND_CRASH_OF_MANY_EVERY: u64 = 97;
const MANY: u64 = 1000;

fn second_crash_every(reopened: u64) -> u64 {
    if soaking() {
        1
    } else if reopened < MANY {
        SECOND_CRASH_EVERY
    } else {
        SECOND_CRASH_OF_MANY_EVERY
    }
}

impl Run<'_> {
    fn check_from(
        &self,
        disk: &SimDisk,
        first: usize,
        depth: Depth,
        report: &mut Report,
    ) -> Result<(), String> {
        // Where in the record each step began and was acknowledged.
        let mut spans = Vec::new();
        // A second crash looks at one step only: the rest was looked at from the first run.
        let last = if depth == Depth::Twice {
            self.story.steps()
        } else {
            (first + 1).min(self.story.steps())
        };
        for step in first..last {
            let began = disk.position();
            self.story
                .perform((self.wrap)(disk.clone()).as_ref(), step)
                .map_err(|why| format!("step {step} failed without any fault: {why}"))?;
            spans.push((began, disk.position()));
        }
        for position in 0..=disk.position() {
            report.crash_points += 1;
            let acknowledged = first + spans.iter().filter(|(_, done)| *done <= position).count();
            let begun = first + spans.iter().filter(|(began, _)| *began < position).count();
            let mut failure = None;
            let mut reopened = 0;
            let mut look = |image: Image| {
                reopened += 1;
                if failure.is_some() {
                    return;
                }
                let found = image.into_disk();
                let nth = report.reopened + reopened;
                let again = depth == Depth::Twice && nth.is_multiple_of(second_crash_every(nth));
                failure = self
                    .look(&found, acknowledged, begun, again, report)
                    .map_err(|why| format!("power cut after operation {position}: {why}"))
                    .err();
            };
            let count = if self.most == u64::MAX {
                images(disk, position, &mut look)
            } else {
                some_images(disk, position, self.most, &mut look)
            };
            report.images = report.images.saturating_add(count);
            report.reopened += reopened;
            if let Some(why) = failure {
                return Err(why);
            }
        }
        Ok(())
    }

    fn look(
        &self,
        found: &SimDisk,
        acknowledged: usize,
        begun: usize,
        crash_again: bool,
        report: &mut Report,
    ) -> Result<(), String> {
        let held = self
            .story
            .observe(found)
            .map_err(|why| format!("{why}\n{}", shown(found)))?;
        if held < acknowledged || held > begun.max(acknowledged) {
            return Err(format!(
                "{held} steps are there, {acknowledged} were acknowledged and {begun} begun\n{}",
                shown(found)
            ));
        }
        if crash_again && held < self.story.steps() {
            self.check_from(found, held, Depth::Once, report)
                .map_err(|why| format!("going on from {held} steps, {why}"))?;
            return Ok(());
        }
        for step in held..self.story.steps() {
            self.story
                .perform((self.wrap)(found.clone()).as_ref(), step)
                .map_err(|why| {
                    format!(
                        "the story cannot go on at step {step}: {why}\n{}",
                        shown(found)
                    )
                })?;
        }
        match self.story.observe(found) {
            Ok(all) if all == self.story.steps() => Ok(()),
            Ok(some) => Err(format!(
                "gone on, but only {some} steps are there\n{}",
                shown(found)
            )),
            Err(why) => Err(format!("gone on, but {why}\n{}", shown(found))),
        }
    }
}

fn shown(disk: &SimDisk) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for (path, bytes) in disk.files() {
        let _ = writeln!(text, "  {path}: {:?}", String::from_utf8_lossy(&bytes));
    }
    text
}

/// What a check of failing operations went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FaultReport {
    /// Operations that were made to fail.
    pub faults: u64,
    /// Of those, how many the story reported as an error.
    pub reported: u64,
}

/// Fails every single operation of every step in every way: the step reports it, the disk holds the old or the new
/// state, and the story goes on once the fault is gone.
pub fn check_faults(story: &dyn Story) -> Result<FaultReport, String> {
    let mut report = FaultReport::default();
    // What every acknowledged step has left on the disk, made once.
    let mut base = SimDisk::new();
    for step in 0..story.steps() {
        for fault in [Fault::Full, Fault::Io, Fault::Short, Fault::Refused] {
            for n in 0.. {
                let disk = settled(&base)?;
                let failing = CountdownDisk::new(disk.clone(), n, fault);
                let outcome = story.perform(&failing, step);
                if !failing.has_failed() {
                    break;
                }
                report.faults += 1;
                report.reported += u64::from(outcome.is_err());
                after_fault(story, &disk, step, &outcome)
                    .map_err(|why| format!("{fault:?} at operation {n} of step {step}: {why}"))?;
            }
        }
        story.perform(&base, step)?;
        base = settled(&base)?;
    }
    Ok(report)
}

/// How far a story goes on after a fault in the short form; to its end with `SEGNO_SOAK=1`.
const STEPS_AFTER_FAULT: usize = 3;

/// A disk of its own that holds what a power cut now would leave of this one.
fn settled(disk: &SimDisk) -> Result<SimDisk, String> {
    let mut found = None;
    some_images(disk, disk.position(), 1, &mut |image| {
        found.get_or_insert_with(|| image.into_disk());
    });
    found.ok_or_else(|| "a power cut leaves something".to_owned())
}

fn after_fault(
    story: &dyn Story,
    disk: &SimDisk,
    step: usize,
    outcome: &Result<(), String>,
) -> Result<(), String> {
    let held = story
        .observe(disk)
        .map_err(|why| format!("{why}\n{}", shown(disk)))?;
    let least = if outcome.is_ok() { step + 1 } else { step };
    if held < least || held > step + 1 {
        return Err(format!(
            "{held} steps are there after {outcome:?}\n{}",
            shown(disk)
        ));
    }
    let end = if soaking() {
        story.steps()
    } else {
        (held + STEPS_AFTER_FAULT).min(story.steps())
    };
    for next in held..end {
        story
            .perform(disk, next)
            .map_err(|why| format!("cannot go on at {next}: {why}"))?;
    }
    match story.observe(disk)? {
        all if all == end => Ok(()),
        some => Err(format!(
            "gone on, but only {some} steps are there\n{}",
            shown(disk)
        )),
    }
}
