//! `review`: what was flagged stands as it is.

use super::artifact::ArgumentMap;
use super::load::{Session, read_text, touch};
use super::names;
use super::position::Step;
use super::schema::{Progress, Stage};
use super::state::ArgumentSection;
use super::store_artifact::{missing, no_stage};
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;

/// Takes the flag `needs_review` from a stage, or from one of its sections: the artifact was read again and stands.
pub fn review(
    cx: &Context<'_>,
    place: &Place,
    stage: u64,
    section: Option<u64>,
) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    let stage = Stage::of(stage).ok_or_else(|| no_stage(stage))?;
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    let flagged = Some(Progress::NeedsReview);
    let mut cleared = 0;
    let wanted = |index: Option<u64>| section.is_none() || index == section;
    match stage {
        Stage::Thesis | Stage::Outline => {
            let file = if stage == Stage::Thesis {
                &after.thesis.file
            } else {
                &after.outline.file
            };
            if after.stage(stage) == Progress::NeedsReview && file.is_some() {
                after.set_stage(stage, Progress::Completed);
                cleared += 1;
            }
        }
        Stage::Arguments => {
            for row in after
                .arguments
                .sections
                .iter_mut()
                .filter(|row| wanted(row.index))
            {
                if row.status == flagged && row.file.is_some() {
                    // A map that was never approved is flagged with the others; looking at it does not approve it.
                    row.status = Some(if is_approved(cx, &session, row)? {
                        Progress::Completed
                    } else {
                        Progress::InProgress
                    });
                    cleared += 1;
                }
            }
            let rows = &after.arguments.sections;
            let all = rows
                .iter()
                .all(|row| row.status == Some(Progress::Completed));
            if after.arguments.status == flagged && section.is_none() && all && !rows.is_empty() {
                let done = after.arguments.birds_eye_approved == Some(true);
                after.arguments.status = Some(if done {
                    Progress::Completed
                } else {
                    Progress::InProgress
                });
                cleared += 1;
            }
        }
        Stage::Writing => {
            for row in after
                .writing
                .sections
                .iter_mut()
                .filter(|row| wanted(row.index))
            {
                if row.status == flagged && row.completed.unwrap_or(0) > 0 {
                    let whole = row.total.is_some() && row.total == row.completed;
                    row.status = Some(if whole {
                        Progress::Completed
                    } else {
                        Progress::InProgress
                    });
                    cleared += 1;
                }
            }
            if after.writing.status == flagged && section.is_none() && after.writing.draft.is_some()
            {
                after.writing.status = Some(Progress::InProgress);
                cleared += 1;
            }
        }
    }
    if cleared == 0 {
        return Err(missing(
            phrase!(
                "essay-nothing-flagged",
                "nothing of stage {stage} is flagged for review with its artifact in place",
                stage = stage.number()
            ),
            phrase!(
                "essay-nothing-flagged-hint",
                "`segno essay status {id}` shows what is flagged; what was archived is handed in anew",
                id = &place.id
            ),
        ));
    }
    let step = Step::of(&after, place, Vec::new());
    session.save(&after, Vec::new(), step)
}

fn is_approved(cx: &Context<'_>, session: &Session, row: &ArgumentSection) -> Result<bool> {
    let name = names::argument_map(row.index.unwrap_or(0));
    let path = session.artifact(row.file.as_deref(), &name)?;
    let text = read_text(cx.files, &path)?.map(|(text, _)| text);
    Ok(text.is_some_and(|text| ArgumentMap::read(&text).approval.yes))
}
