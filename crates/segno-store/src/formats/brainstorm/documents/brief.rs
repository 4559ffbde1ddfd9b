//! The brief: a PRD as far as the session can fill it.

use super::super::ems::Level;
use super::super::ideas::ranked;
use super::super::iterate::VALIDATED;
use super::super::schema::{Idea, Session};
use super::super::summary::{open_questions, title};
use super::{Page, Sheet, bullets, idea_text, plain, techniques};

/// The brief.
pub(in super::super) fn brief(sheet: &Sheet<'_>) -> String {
    let session = sheet.session;
    let name = title(sheet.slug);
    let year = sheet.date.get(..4).unwrap_or("0000");
    let mut page = Page(String::new());
    page.line(format!("# PRD — {name}")).line("");
    page.line("| Metadata | Value |")
        .line("|----------|-------|");
    for (key, value) in [
        ("Document ID", format!("PRD-{year}-{:03}", sheet.number)),
        ("Version", "1.0".to_owned()),
        ("Status", "Draft".to_owned()),
        ("Owner", "-".to_owned()),
        ("Created", sheet.date.clone()),
        ("Last Updated", sheet.date.clone()),
        ("Slug", sheet.slug.to_owned()),
        ("EMS Score", format!("{}/100", session.ems())),
        ("Template", "feature".to_owned()),
    ] {
        page.line(format!("| **{key}** | {} |", plain(&value)));
    }
    page.line("").line("### Change History").line("");
    page.line("| Version | Date | Author | Changes |")
        .line("|---------|------|--------|---------|");
    page.line(format!(
        "| 1.0 | {} | segno | Initial generation |",
        sheet.date
    ));

    page.section("Executive Summary", &executive(sheet));
    let scored = |low: i64, high: i64| {
        let fits = move |idea: &&Idea| {
            idea.score
                .is_some_and(|score| (low..=high).contains(&score))
        };
        let ideas = ranked(session).into_iter().filter(fits);
        ideas
            .map(|idea| format!("- {}", idea_text(idea)))
            .collect::<Vec<_>>()
    };
    page.section("Goals", &scored(VALIDATED, 10));
    page.section("Non-Goals (Out of Scope v1)", &scored(0, 3));
    page.section("Exploration Summary", &exploration(sheet));
    page.section("Questions Ouvertes", &bullets(&open_questions(session)));
    page.section("Risques (Pre-mortem)", &risks(session));
    page.section(
        "Appendix",
        &[
            format!("- Journal: [{0}]({0})", sheet.journal_file),
            format!("- Session: `{}`", sheet.session_file),
        ],
    );
    page.0
}

fn executive(sheet: &Sheet<'_>) -> Vec<String> {
    let session = sheet.session;
    let best = ranked(session).first().map(|idea| idea_text(idea));
    let best = best.unwrap_or_else(|| title(sheet.slug));
    vec![
        format!("**TL;DR** : {best}"),
        String::new(),
        format!(
            "{} iterations, {} idees, {} techniques, EMS {}/100 ({}).",
            session.iteration(),
            session.ideas.len(),
            session.techniques_used.len(),
            session.ems(),
            Level::of(session.ems()).name(),
        ),
    ]
}

fn exploration(sheet: &Sheet<'_>) -> Vec<String> {
    let session = sheet.session;
    let mut lines = Vec::new();
    if !session.history.is_empty() {
        lines.push(format!(
            "EMS par iteration : {} {}/100",
            sheet.scores(),
            session.ems()
        ));
    }
    if !session.ideas.is_empty() {
        lines.extend(
            [
                "",
                "### Idees classees",
                "",
                "| Rang | Idee | Score |",
                "|------|------|-------|",
            ]
            .map(ToOwned::to_owned),
        );
        for (rank, idea) in ranked(session).into_iter().enumerate() {
            let score = idea
                .score
                .map_or_else(|| "-".to_owned(), |score| format!("{score}/10"));
            let content = plain(idea.content.as_deref().unwrap_or_default());
            lines.push(format!("| {} | {content} | {score} |", rank + 1));
        }
    }
    if session.applied().next().is_some() {
        lines.extend(["", "### Techniques", ""].map(ToOwned::to_owned));
        lines.extend(techniques(session));
    }
    let party: Vec<String> = session
        .party
        .iter()
        .filter_map(|round| round.synthesis.clone())
        .collect();
    if !party.is_empty() {
        lines.extend(["", "### Party", ""].map(ToOwned::to_owned));
        lines.extend(bullets(&party));
    }
    let agreed = session
        .panel
        .iter()
        .filter_map(|round| round.synthesis.as_ref());
    let agreed: Vec<String> = agreed
        .flat_map(|synthesis| synthesis.convergent.clone())
        .collect();
    if !agreed.is_empty() {
        lines.extend(["", "### Panel", ""].map(ToOwned::to_owned));
        lines.extend(bullets(&agreed));
    }
    lines
}

/// What panels left in tension, and what a premortem brought up.
fn risks(session: &Session) -> Vec<String> {
    let tensions = session
        .panel
        .iter()
        .filter_map(|round| round.synthesis.as_ref());
    let mut lines: Vec<String> = tensions
        .flat_map(|synthesis| bullets(&synthesis.tensions))
        .collect();
    for used in session
        .applied()
        .filter(|used| used.slug.as_deref() == Some("premortem"))
    {
        if let Some(entry) = used.iteration.and_then(|n| session.entry(n)) {
            lines.extend(bullets(&entry.responses));
        }
    }
    lines
}
