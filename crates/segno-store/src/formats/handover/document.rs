//! `session.md`: a person's document. Its known sections and header lines are found by name; everything else is theirs.

use std::borrow::Cow;

use segno_disk::{RelPath, Stamp};

use super::problems::{conflicts, not_utf8, refuse};
use crate::error::{Result, StoreError};
use crate::formats::Context;
use crate::session::Problem;
use crate::text::damage;
use crate::text::markdown::{Doc, EditError, Section};

/// The value of the Mode line in a draft. A document without that line was polished by hand.
pub const AUTO_DRAFT: &str = "auto-draft";

/// The names of a header line or section: the one that is written first, then those that are understood.
pub(super) type Names = &'static [&'static str];

pub(super) const GENERATED: Names = &["Generated", "生成日", "作成日"];
pub(super) const BRANCH: Names = &["Branch", "ブランチ"];
pub(super) const GOAL: Names = &["Session Goal", "Goal", "セッションゴール", "セッション目標"];
pub(super) const MODE: Names = &["Mode", "モード"];
pub(super) const DIRECTION: Names = &["Direction", "方向性", "方針"];
pub(super) const NEXT: Names = &[
    "Immediate Next Action",
    "Next Action",
    "次のアクション",
    "直近のアクション",
];
pub(super) const GOALS: Names = &["Active Goals", "アクティブゴール", "進行中の目標"];
pub(super) const DECISIONS: Names = &["Key Decisions", "主要な決定", "決定事項"];
pub(super) const WARNINGS: Names = &["Warnings", "警告", "注意事項"];
pub(super) const CONTEXT: Names = &["Session Context", "セッションコンテキスト"];
pub(super) const TONE: Names = &[
    "Tone and Nuance",
    "Tone/Nuance",
    "Tone & Nuance",
    "トーン・ニュアンス",
    "トーンとニュアンス",
];
pub(super) const EXCEPTIONS: Names = &[
    "Steering Exceptions",
    "ステアリング例外",
    "ステアリングからの逸脱",
];
pub(super) const ACCOMPLISHED: Names = &["Accomplished", "成果", "完了した作業", "実施内容"];
pub(super) const FILES: Names = &["Modified Files", "変更ファイル"];
pub(super) const INSTRUCTIONS: Names = &["Resume Instructions", "再開手順"];

const KNOWN: [Names; 11] = [
    DIRECTION,
    NEXT,
    GOALS,
    DECISIONS,
    WARNINGS,
    CONTEXT,
    TONE,
    EXCEPTIONS,
    ACCOMPLISHED,
    FILES,
    INSTRUCTIONS,
];

/// How a document came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Written by a draft.
    AutoDraft,
    /// Polished with the user: the Mode line is absent.
    Polished,
}

impl Mode {
    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AutoDraft => AUTO_DRAFT,
            Self::Polished => "manual-polish",
        }
    }
}

/// What a handover document says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    /// How it came to be.
    pub mode: Mode,
    /// The day it was written, as written.
    pub generated: Option<String>,
    /// The branch it was written on.
    pub branch: Option<String>,
    /// What the session was for.
    pub goal: Option<String>,
    /// The specific step to take first.
    pub next: Option<String>,
    /// How far the objectives are.
    pub goals: Option<String>,
    /// The decisions that still hold, groups included.
    pub decisions: Option<String>,
    /// What the next Lead must beware of.
    pub warnings: Option<String>,
    /// How the user feels about the work.
    pub tone: Option<String>,
    /// Intentional deviations from the steering documents.
    pub exceptions: Option<String>,
    /// What was done.
    pub accomplished: Option<String>,
    /// Which files were changed.
    pub files: Option<String>,
    /// How to begin.
    pub instructions: Option<String>,
    /// The sections that only this document has: title and text.
    pub others: Vec<(String, String)>,
}

impl Handed {
    /// Reads a document.
    pub fn read(doc: &Doc) -> Self {
        let field = |names: Names| {
            let field = doc.field(doc.header(), names)?;
            (!field.value.is_empty()).then(|| field.value.to_owned())
        };
        let section = |names: Names| {
            let text = doc.section(names)?.own_text();
            (!is_none(text)).then(|| text.to_owned())
        };
        let with_inner = |names: Names| {
            let section = doc.section(names)?;
            let mut text = section.own_text().to_owned();
            for child in section.children() {
                if !KNOWN.iter().any(|known| child.is(known)) {
                    let title = child.heading();
                    text.push_str("\n\n");
                    text.push_str(doc.slice(title.range.start..child.range().end).trim());
                }
            }
            let text = text.trim();
            (!is_none(text)).then(|| text.to_owned())
        };
        Self {
            mode: mode_of(doc),
            generated: field(GENERATED),
            branch: field(BRANCH),
            goal: field(GOAL),
            next: section(NEXT),
            goals: with_inner(GOALS),
            decisions: with_inner(DECISIONS),
            warnings: with_inner(WARNINGS),
            tone: section(TONE),
            exceptions: section(EXCEPTIONS),
            accomplished: with_inner(ACCOMPLISHED),
            files: section(FILES),
            instructions: with_inner(INSTRUCTIONS),
            others: others(doc),
        }
    }

    /// The decisions one by one, as they are listed.
    pub fn decision_items(&self) -> Vec<String> {
        let Some(text) = &self.decisions else {
            return Vec::new();
        };
        let doc = Doc::parse(text.as_str());
        let items: Vec<String> = doc
            .items(doc.whole())
            .iter()
            .filter(|item| item.depth == 0)
            .map(|item| item.text.to_owned())
            .collect();
        if items.is_empty() {
            vec![text.clone()]
        } else {
            items
        }
    }
}

/// The sections of the first two levels that are none of ours.
fn others(doc: &Doc) -> Vec<(String, String)> {
    doc.sections()
        .filter(|section| section.level() == 2)
        .filter(|section| !KNOWN.iter().any(|known| section.is(known)))
        .map(|section| (section.title().to_owned(), section.text().to_owned()))
        .collect()
}

/// How a document came to be.
pub(super) fn mode_of(doc: &Doc) -> Mode {
    let field = doc.field(doc.header(), MODE);
    if field.is_some_and(|field| field.value.eq_ignore_ascii_case(AUTO_DRAFT)) {
        Mode::AutoDraft
    } else {
        Mode::Polished
    }
}

/// True for what people write when there is nothing to say.
pub(super) fn is_none(text: &str) -> bool {
    let bare = text
        .trim()
        .trim_start_matches(['-', '*', '('])
        .trim_end_matches(['.', '\u{3002}', ')'])
        .trim();
    let lower = bare.to_lowercase();
    matches!(
        lower.as_str(),
        "" | "none"
            | "n/a"
            | "na"
            | "nothing"
            | "no"
            | "なし"
            | "無し"
            | "特になし"
            | "特に無し"
            | "ない"
            | "aucun"
            | "aucune"
    )
}

/// A document and the version it was read from.
pub(super) struct Loaded {
    pub(super) doc: Doc,
    pub(super) stamp: Stamp,
}

/// The same of the document that is handed over: there is something in it.
pub(super) fn read_handed(
    cx: &Context<'_>,
    path: &RelPath,
    problems: &mut Vec<Problem>,
) -> Result<Option<Loaded>> {
    let loaded = read(cx, path, problems)?;
    if loaded
        .as_ref()
        .is_some_and(|loaded| loaded.doc.text().trim().is_empty())
    {
        problems.push(damage::empty(path));
    }
    Ok(loaded)
}

/// Reads a document for reading. Of one in another encoding, what can be read is there, and it is never written.
pub(super) fn read(
    cx: &Context<'_>,
    path: &RelPath,
    problems: &mut Vec<Problem>,
) -> Result<Option<Loaded>> {
    let Some((bytes, stamp)) = cx.files.read(path)? else {
        return Ok(None);
    };
    let mended = match String::from_utf8_lossy(&bytes) {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    };
    let doc = match Doc::from_bytes(bytes) {
        Ok(doc) => {
            problems.extend(damage::nul(doc.text().as_bytes(), path));
            problems.extend(conflicts(&doc, path));
            doc
        }
        Err(error) => {
            problems.push(not_utf8(&error, path));
            Doc::parse(mended.unwrap_or_default())
        }
    };
    Ok(Some(Loaded { doc, stamp }))
}

/// Reads a document for editing; refuses one that an edit could make worse.
pub(super) fn load(cx: &Context<'_>, path: &RelPath) -> Result<Option<Loaded>> {
    let mut problems = Vec::new();
    let loaded = read(cx, path, &mut problems)?;
    match problems.pop() {
        Some(problem) => Err(refuse(problem)),
        None => Ok(loaded),
    }
}

/// An edit that the document or the given text does not allow, in the user's words.
pub(super) fn edit_error(error: &EditError) -> StoreError {
    StoreError::Invalid {
        what: error.to_string(),
        hints: vec!["nothing was written; change the text and try again".to_owned()],
    }
}

/// The section to put a missing part behind, in the order of the format.
pub(super) fn last_of<'d>(doc: &'d Doc, all: &[Names]) -> Option<Section<'d>> {
    let found = all.iter().filter_map(|names| doc.section(names));
    found.max_by_key(|section| section.heading().range.start)
}
