//! Repairs: `meta.json` from the transcript, a torn end set aside, lines that are no events taken out and kept.

use segno_disk::{Access, Basis, Change, ReadDisk, RelPath, log};

use super::event::{Event, to_line};
use super::load::{self, Loaded, Source};
use super::meta::{self, MetaFile};
use super::schema::EventKind;
use super::site::{self, Sort};
use super::talk;
use super::{META_INCOMPLETE, ORIGIN_GREW, SECOND_FINAL, TORN_TAIL, grown};
use crate::error::Result;
use crate::formats::{Context, Place, Plan, RecoverOptions, Recovery};
use crate::session::{Problem, Repair};
use crate::text::damage;
use crate::text::json::Tree;
use crate::text::jsonl::{Fault, Lines};

/// Repairs what is wrong with a session.
pub(super) fn recover(
    cx: &Context<'_>,
    place: &Place,
    options: &RecoverOptions,
) -> Result<Plan<Recovery>> {
    let loaded = load::load(cx, place)?;
    let mut recovery = Recovery::default();
    if Sort::of(place) != Sort::Canonical {
        recovery.left = loaded.problems;
        return Ok(Plan::nothing(recovery));
    }
    let is_merge = |problem: &Problem| problem.code == damage::MERGE_CONFLICT;
    if loaded.problems.iter().any(is_merge) {
        // Which side of a merge is right is not for a program to say.
        recovery.left = loaded.problems;
        return Ok(Plan::nothing(recovery));
    }
    let mut changes = Vec::new();
    mend_transcript(cx, &loaded, options, &mut changes, &mut recovery)?;
    mend_meta(cx, &loaded, options, &mut changes, &mut recovery)?;
    let added = grown::add(cx, &loaded)?;
    let is_alone = changes.is_empty();
    if let Some((change, migration)) = added.filter(|_| is_alone) {
        changes.push(change);
        recovery.done.extend(migration.steps.into_iter().take(1));
    } else {
        // The transcript is mended first; what its origin says is added the next time.
        let grew = loaded.problems.iter();
        let grew = grew.filter(|found| found.code == ORIGIN_GREW && found.repair.is_automatic());
        recovery.left.extend(grew.cloned());
    }
    for problem in &loaded.problems {
        let wanted = match &problem.repair {
            Repair::Lossy(_) => options.safe_only,
            Repair::Manual(_) => true,
            Repair::Safe(_) | Repair::None => false,
        };
        if wanted || matches!(problem.code, SECOND_FINAL | META_INCOMPLETE) {
            recovery.left.push(problem.clone());
        }
    }
    Ok(if changes.len() > 1 {
        Plan::all_or_none(changes, recovery)
    } else {
        Plan::in_order(changes, recovery)
    })
}

fn mend_transcript(
    cx: &Context<'_>,
    loaded: &Loaded,
    options: &RecoverOptions,
    changes: &mut Vec<Change>,
    recovery: &mut Recovery,
) -> Result<()> {
    let path = site::transcript_path(&loaded.place)?;
    let stat = cx.files.stat(&path)?;
    let Some(stat) = stat.filter(|stat| stat.len > 0) else {
        if let Some(line) = first_line(loaded, options, recovery) {
            let basis = stat.map_or(Basis::Absent, |stat| Basis::Version(stat.stamp()));
            let bytes = line.into_bytes();
            changes.push(Change::replace(path, bytes, basis, Access::Private));
        }
        return Ok(());
    };
    let problems = &loaded.summary.problems;
    let rewrite = problems.iter().any(|problem| {
        problem.code != TORN_TAIL
            && match problem.repair {
                Repair::Safe(_) => true,
                _ => !options.safe_only,
            }
    });
    let is_begun = loaded.summary.first_prompt.is_some();
    if rewrite || (!is_begun && problems.is_empty() && can_begin(loaded, options)) {
        let Rewritten {
            mut bytes,
            left_out,
            is_begun,
        } = rewritten(cx.files, &path, options.safe_only)?;
        if !is_begun && let Some(line) = first_line(loaded, options, recovery) {
            bytes.splice(..0, line.into_bytes());
        }
        let kept = free_name(cx.files, &path)?;
        recovery.done.push(format!(
            "transcript.jsonl rewritten; as it was, it is kept in {kept}"
        ));
        for line in left_out {
            recovery
                .unknown
                .push(format!("what line {line} of the transcript said"));
        }
        let change = Change::replace(path, bytes, Basis::Version(stat.stamp()), Access::Private);
        changes.push(change.with_backup(kept));
        return Ok(());
    }
    let tail = log::tail(cx.files, &path)?;
    if tail.torn().is_some() {
        changes.push(tail.append(path, b"", Access::Private));
        recovery
            .done
            .push("the broken end of transcript.jsonl is set aside".to_owned());
    }
    Ok(())
}

/// True when `meta.json` knows what the first turn said.
fn can_begin(loaded: &Loaded, options: &RecoverOptions) -> bool {
    !options.safe_only && !loaded.meta.initial_prompt.is_empty()
}

/// The first turn of a transcript that has lost it.
fn first_line(
    loaded: &Loaded,
    options: &RecoverOptions,
    recovery: &mut Recovery,
) -> Option<String> {
    if !can_begin(loaded, options) {
        return None;
    }
    recovery
        .done
        .push("transcript.jsonl begins anew with the first prompt".to_owned());
    recovery
        .unknown
        .push("the turns after the first prompt".to_owned());
    let payload = Tree::object([("content", loaded.meta.initial_prompt.as_str())]);
    let ts = &loaded.meta.created_at;
    Some(to_line(ts, EventKind::UserMessage, payload))
}

/// A transcript with every event on a line of its own.
#[derive(Default)]
struct Rewritten {
    bytes: Vec<u8>,
    /// The numbers of the lines that are left out.
    left_out: Vec<u64>,
    /// Whether a turn of the user is in it.
    is_begun: bool,
}

fn rewritten(files: &dyn ReadDisk, path: &RelPath, safe_only: bool) -> Result<Rewritten> {
    let file = files.open(path)?;
    let valid = log::tail_of(file.as_ref(), path)?.valid;
    let mut lines = Lines::new(file.as_ref());
    let mut out = Rewritten::default();
    while let Some(line) = lines.next()? {
        let torn = line.range.start >= valid;
        let mut objects = line.objects();
        objects.retain(|text| {
            let event = Event::parse(text).ok();
            let kind = event.as_ref().and_then(Event::kind);
            out.is_begun |= kind == Some(EventKind::UserMessage);
            event.is_some()
        });
        let is_whole = matches!(&line.json, Ok(_) | Err(Fault::Spliced { torn: false, .. }));
        if torn || objects.is_empty() || !is_whole {
            out.left_out.push(line.number);
        }
        if safe_only && objects.is_empty() && !torn {
            out.bytes.extend_from_slice(line.bytes);
            out.bytes.push(b'\n');
        }
        for object in objects {
            out.bytes.extend_from_slice(object.as_bytes());
            out.bytes.push(b'\n');
        }
    }
    Ok(out)
}

fn mend_meta(
    cx: &Context<'_>,
    loaded: &Loaded,
    options: &RecoverOptions,
    changes: &mut Vec<Change>,
    recovery: &mut Recovery,
) -> Result<()> {
    let Source::Canonical(file) = &loaded.source else {
        return Ok(());
    };
    if file.found.is_some() {
        return follow(loaded, file, changes, recovery);
    }
    if options.safe_only {
        return Ok(());
    }
    let path = site::meta_path(&loaded.place)?;
    let mut meta = meta::unknown(loaded.place.id.as_str());
    load::project(&mut meta, &loaded.summary);
    let bytes = meta.to_text().into_bytes();
    let change = match file.unreadable {
        Some(stamp) => {
            let kept = free_name(cx.files, &path)?;
            recovery
                .done
                .push(format!("the unreadable meta.json is kept in {kept}"));
            Change::replace(path, bytes, Basis::Version(stamp), Access::Private).with_backup(kept)
        }
        None => Change::replace(path, bytes, Basis::Absent, Access::Private),
    };
    changes.push(change);
    recovery
        .done
        .push("meta.json written anew from the transcript".to_owned());
    if !meta.final_json_present {
        recovery.unknown.push(
            "whether the discussion was closed without operations: its status is open now"
                .to_owned(),
        );
    }
    recovery.unknown.push(
        "what the discussion was about, its contract, engine and model; a replay now needs --allow-cross-context"
            .to_owned(),
    );
    Ok(())
}

/// Brings a `meta.json` that lags up to its transcript.
fn follow(
    loaded: &Loaded,
    file: &MetaFile,
    changes: &mut Vec<Change>,
    recovery: &mut Recovery,
) -> Result<()> {
    let mut edits = Vec::new();
    let is_final = loaded.meta.final_json_present;
    if is_final != file.meta.final_json_present {
        edits.push(("final_json_present", Tree::from(is_final)));
    }
    if !loaded.meta.is_open() && file.meta.is_open() {
        edits.push(("status", Tree::from("closed")));
    }
    if edits.is_empty() {
        return Ok(());
    }
    edits.push(("updated_at", Tree::from(loaded.meta.updated_at.as_str())));
    changes.extend(talk::meta_change(loaded, &edits)?);
    recovery
        .done
        .push("meta.json says what the transcript does".to_owned());
    Ok(())
}

/// A name in quarantine that nothing has yet.
fn free_name(files: &dyn ReadDisk, path: &RelPath) -> Result<RelPath> {
    let dir = RelPath::new(".segno/quarantine")?;
    let stem = path.as_str().replace('/', "_");
    let stem: String = stem
        .chars()
        .rev()
        .take(180)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let mut n = 0_u64;
    loop {
        let free = dir.join_name(&format!("{stem}.{n}"))?;
        if files.stat(&free)?.is_none() {
            return Ok(free);
        }
        n += 1;
    }
}
