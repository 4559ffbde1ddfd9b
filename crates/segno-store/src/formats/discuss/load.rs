//! A session of any sort, read whole.

use std::ops::ControlFlow;

use segno_disk::{FileKind, RelPath};

use super::event::Event;
use super::legacy::{self, Converted};
use super::meta::{self, Meta, MetaFile};
use super::site::{self, Sort};
use super::transcript::{self, Seen, Summary};
use super::{
    BAD_LINE, ID_MISMATCH, META_LAGS, META_UNREADABLE, SECOND_FINAL, TRANSCRIPT_MISSING, grown,
};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place};
use crate::session::Problem;
use crate::text::damage;

/// A session as it was read.
pub(super) struct Loaded {
    /// Where it is.
    pub(super) place: Place,
    /// What `meta.json` says, or what it would say.
    pub(super) meta: Meta,
    /// What the transcript adds up to.
    pub(super) summary: Summary,
    /// Where it comes from.
    pub(super) source: Source,
    /// What is wrong with it.
    pub(super) problems: Vec<Problem>,
}

/// Where a session comes from.
pub(super) enum Source {
    /// Its own two files.
    Canonical(MetaFile),
    /// An older sort.
    Older(Converted),
}

/// The canonical twin of a session where there is one, else the session itself.
pub(super) fn home(cx: &Context<'_>, place: &Place) -> Result<Place> {
    if Sort::of(place) == Sort::Canonical {
        return Ok(place.clone());
    }
    let twin = site::canonical(&place.id)?;
    Ok(if exists(cx, &twin)? {
        twin
    } else {
        place.clone()
    })
}

/// True when a canonical session lies at the place.
pub(super) fn exists(cx: &Context<'_>, place: &Place) -> Result<bool> {
    let is_file = |path: RelPath| -> Result<bool> {
        let stat = cx.files.stat(&path)?;
        Ok(stat.is_some_and(|stat| stat.kind == FileKind::File))
    };
    Ok(is_file(site::transcript_path(place)?)? || is_file(site::meta_path(place)?)?)
}

/// Reads a session whole.
pub(super) fn load(cx: &Context<'_>, place: &Place) -> Result<Loaded> {
    if Sort::of(place) != Sort::Canonical {
        return load_older(cx, place);
    }
    let file = meta::read(cx.files, &site::meta_path(place)?, place.id.as_str())?;
    let path = site::transcript_path(place)?;
    let summary = transcript::summary(cx.files, &path)?;
    let mut problems = file.problems.clone();
    problems.extend(summary.problems.iter().cloned());
    problems.extend(beginning(cx, &path, &file, &summary)?);
    if summary.finals > 1 {
        let line = summary.first_final.as_ref().map_or(1, |(line, _)| *line);
        problems.push(
            Problem::new(SECOND_FINAL, path)
                .line(line)
                .found(format!(
                    "{} final_json events; the last one counts",
                    summary.finals
                ))
                .manual("take the others out by hand if the last one is not meant"),
        );
    }
    if file.found.is_some()
        && let Some(found) = contradiction(&file.meta, &summary)
    {
        problems.push(
            Problem::new(META_LAGS, site::meta_path(place)?)
                .found(found)
                .safe("bring it up to date from the transcript"),
        );
    }
    if file.meta.session_id != place.id.as_str() {
        let found = format!(
            "it calls the session `{}`, its directory is `{}`",
            file.meta.session_id, place.id
        );
        problems.push(
            Problem::new(ID_MISMATCH, site::meta_path(place)?)
                .found(found)
                .manual("write the name of the directory into it, or rename the directory; both names find the session meanwhile"),
        );
    }
    problems.extend(merges(cx, place, &problems)?);
    let problems = damage::settle_first(problems);
    let mut meta = file.meta.clone();
    project(&mut meta, &summary);
    let mut loaded = Loaded {
        place: place.clone(),
        meta,
        summary,
        source: Source::Canonical(file),
        problems,
    };
    let problem = grown::problem(cx, &loaded)?;
    loaded.problems.extend(problem);
    Ok(loaded)
}

/// The marks of a merge, looked for where something is no JSON.
fn merges(cx: &Context<'_>, place: &Place, problems: &[Problem]) -> Result<Vec<Problem>> {
    let broken = [
        (META_UNREADABLE, site::meta_path(place)?),
        (BAD_LINE, site::transcript_path(place)?),
    ];
    let mut found = Vec::new();
    for (code, path) in broken {
        let is_broken = problems.iter().any(|problem| problem.code == code);
        if is_broken && let Some((bytes, _)) = cx.files.read(&path)? {
            found.extend(damage::merge(&bytes, &path));
        }
    }
    Ok(found)
}

/// True unless `meta.json` was read and says that the session began without a prompt, as an older one may have.
fn has_prompt(file: &MetaFile) -> bool {
    file.found.is_none() || !file.meta.initial_prompt.is_empty()
}

/// A discussion begins with a turn of its user: a transcript without any has lost it.
fn beginning(
    cx: &Context<'_>,
    path: &RelPath,
    file: &MetaFile,
    summary: &Summary,
) -> Result<Option<Problem>> {
    let found = match cx.files.stat(path)? {
        None => "there is no transcript.jsonl",
        // Nobody knows of a turn that a session without a prompt would have had.
        Some(_) if summary.first_prompt.is_some() || !has_prompt(file) => return Ok(None),
        // A line that cannot be read may be the one.
        Some(_) if !summary.problems.is_empty() => return Ok(None),
        Some(stat) if stat.len == 0 => "transcript.jsonl is empty",
        // Only what is known to have been there is missed.
        Some(_) if file.found.is_none() => return Ok(None),
        Some(_) => "transcript.jsonl holds no turn of the user",
    };
    let problem = Problem::new(TRANSCRIPT_MISSING, path.clone())
        .found(found)
        .lossy(
            "begin it with the first prompt of meta.json; the other turns cannot be known again",
        );
    Ok(Some(problem))
}

/// What `meta.json` says otherwise than its transcript, which is the truth.
fn contradiction(meta: &Meta, summary: &Summary) -> Option<&'static str> {
    if meta.final_json_present && summary.finals == 0 {
        return Some("it says that there is a final_json, and the transcript holds none");
    }
    let lags =
        (summary.finals > 0 && !meta.final_json_present) || (summary.applied && meta.is_open());
    lags.then_some("it does not say yet what the transcript does")
}

/// Refuses an older session of which not everything can be read.
pub(super) fn refuse_in_part(place: &Place, problems: &[Problem]) -> Result<()> {
    let Some(problem) = problems.first() else {
        return Ok(());
    };
    Err(StoreError::Refused {
        rule: format!("`{}` cannot be read whole: {problem}", place.id),
        hints: vec![problem.repair.text().to_owned()],
    })
}

/// Brings what `meta.json` says up to what the transcript does.
pub(super) fn project(meta: &mut Meta, summary: &Summary) {
    meta.final_json_present = summary.finals > 0;
    if summary.applied {
        "closed".clone_into(&mut meta.status);
    }
    if meta.created_at.is_empty() {
        meta.created_at = summary.first_ts.clone().unwrap_or_default();
    }
    if let Some(last) = &summary.last_ts {
        meta.updated_at.clone_from(last);
    }
    if meta.initial_prompt.is_empty() {
        meta.initial_prompt = summary.first_prompt.clone().unwrap_or_default();
    }
}

fn load_older(cx: &Context<'_>, place: &Place) -> Result<Loaded> {
    let converted = legacy::load(cx.files, place)?;
    let mut summary = Summary {
        problems: converted.problems.clone(),
        ..Summary::default()
    };
    for located in &converted.events {
        summary.add(Seen::Event(located.event.clone(), located.line));
    }
    Ok(Loaded {
        place: place.clone(),
        meta: converted.meta.clone(),
        summary,
        problems: converted.problems.clone(),
        source: Source::Older(converted),
    })
}

/// Shows every event of a session with the place it stands at, in order, until the sink breaks.
pub(super) fn events(
    cx: &Context<'_>,
    place: &Place,
    sink: &mut dyn FnMut(Event, RelPath, u64) -> ControlFlow<()>,
) -> Result<()> {
    if Sort::of(place) == Sort::Canonical {
        let path = site::transcript_path(place)?;
        return transcript::walk(cx.files, &path, &mut |seen| match seen {
            Seen::Event(event, line) => sink(event, path.clone(), line),
            Seen::Problem(_) => ControlFlow::Continue(()),
        });
    }
    for located in legacy::load(cx.files, place)?.events {
        if sink(located.event, located.file, located.line).is_break() {
            break;
        }
    }
    Ok(())
}
