//! The artifacts of the four stages: what can be read back from each, whatever its heading levels and line ends.

mod approval;
mod argument;
mod draft;
mod final_essay;
mod logs;
mod outline;
mod source;
mod thesis;
mod words;

pub(super) use approval::with_approval;
pub(super) use argument::ArgumentMap;
pub(super) use draft::{Draft, one_paragraph};
pub(super) use final_essay::FinalEssay;
pub(super) use logs::{
    LogEntry, fact_log, overrides_of, paragraph_counts, paragraph_sources, voice_scores,
};
pub(super) use outline::Outline;
pub(super) use source::{Source, unique};
pub(super) use thesis::Thesis;
pub(super) use words::{count_words, one_line, same_title};
