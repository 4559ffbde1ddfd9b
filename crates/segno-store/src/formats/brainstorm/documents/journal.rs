//! The journal: how the exploration went, iteration by iteration.

use super::super::ems::Axis;
use super::super::ideas::ranked;
use super::super::iterate::VALIDATED;
use super::super::schema::{Idea, PanelPhase, PanelRound, PartyRound, Phase, Session, VERSION};
use super::super::summary::title;
use super::{Page, Sheet, idea_text, plain, techniques};

/// The journal.
pub(in super::super) fn journal(sheet: &Sheet<'_>) -> String {
    let session = sheet.session;
    let name = title(sheet.slug);
    let mut page = Page(String::new());
    page.line(format!("# Journal d'Exploration — {name}"))
        .line("");
    page.line(format!("> **Feature**: {}", plain(sheet.slug)));
    page.line(format!("> **Date**: {}", sheet.date));
    page.line(format!("> **Iterations**: {}", session.iteration()));
    page.section(
        "Resume",
        &[format!(
            "Exploration de {} en {} iterations et {} minutes : {} idees, EMS final {}/100.",
            plain(&name),
            session.iteration(),
            session.duration_minutes.unwrap_or(0),
            session.ideas.len(),
            session.ems(),
        )],
    );
    page.section("Progression EMS", &progression(sheet));
    page.section("EMS Final Détaillé", &final_axes(session));
    page.section("Metadonnees Brainstormer", &metadata(session));
    page.section("Decisions Cles", &decisions(session));
    page.section("Pivots", &pivots(session));
    page.section("Deep Dives", &dives(session));
    page.section("Frameworks Appliques", &techniques(session));
    page.section("Questions Resolues", &resolved(sheet));
    page.0
}

fn progression(sheet: &Sheet<'_>) -> Vec<String> {
    let path = sheet.path();
    let mut lines = vec![
        "| Iteration | Score | Delta | Focus |".to_owned(),
        "|-----------|-------|-------|-------|".to_owned(),
    ];
    let before = path.first().map_or(sheet.session.ems(), |entry| {
        entry.ems.unwrap_or(0) - entry.ems_delta.unwrap_or(0)
    });
    lines.push(format!("| Init | {before} | - | Cadrage initial |"));
    for entry in &path {
        let focus = entry
            .questions
            .first()
            .map_or_else(|| "-".to_owned(), |question| plain(question));
        let phase = entry.phase.map_or("-", Phase::name);
        lines.push(format!(
            "| {} | {} | {:+} | {phase} : {focus} |",
            entry.iteration.unwrap_or_default(),
            entry.ems.unwrap_or_default(),
            entry.ems_delta.unwrap_or_default(),
        ));
    }
    lines.push(format!(
        "| Final | {} | - | Finalisation |",
        sheet.session.ems()
    ));
    if !path.is_empty() {
        lines.push(String::new());
        lines.push(format!("`{}`", sheet.scores()));
    }
    lines
}

fn final_axes(session: &Session) -> Vec<String> {
    let Some(axes) = session.axes() else {
        return Vec::new();
    };
    let mut lines = vec![
        "| Axe | Score | Poids |".to_owned(),
        "|-----|-------|-------|".to_owned(),
    ];
    for axis in Axis::ALL {
        let score = axes
            .get(axis)
            .map_or_else(|| "-".to_owned(), |score| format!("{score}/100"));
        lines.push(format!(
            "| {} | {score} | {}% |",
            axis.name(),
            axis.weight()
        ));
    }
    lines.push(String::new());
    lines.push(format!("**EMS Global Pondéré**: {}/100", session.ems()));
    lines
}

fn metadata(session: &Session) -> Vec<String> {
    let mut lines = vec![
        "| Metrique | Valeur |".to_owned(),
        "|----------|--------|".to_owned(),
    ];
    let used = if session.techniques_used.is_empty() {
        "-".to_owned()
    } else {
        session.techniques_used.join(", ")
    };
    for (key, value) in [
        ("Format", VERSION.to_owned()),
        ("Techniques appliquees", used),
        (
            "Duree exploration",
            format!("{} min", session.duration_minutes.unwrap_or(0)),
        ),
        ("Phase finale", session.phase().to_string()),
        ("Persona", session.persona.clone().unwrap_or_default()),
        (
            "Rounds party / panel",
            format!("{} / {}", session.party.len(), session.panel.len()),
        ),
    ] {
        lines.push(format!("| {key} | {} |", plain(&value)));
    }
    lines
}

/// The ideas that were scored as worth it stand for the decisions, which the session does not record as such.
fn decisions(session: &Session) -> Vec<String> {
    let good = |idea: &&Idea| idea.score.is_some_and(|score| score >= VALIDATED);
    let mut lines = Vec::new();
    for (n, idea) in ranked(session).into_iter().filter(good).enumerate() {
        lines.push(format!("{}. {}", n + 1, idea_text(idea)));
    }
    lines
}

fn pivots(session: &Session) -> Vec<String> {
    let mut lines = Vec::new();
    for branch in &session.branches {
        let asked = branch.history.iter().flat_map(|entry| &entry.questions);
        lines.push(format!(
            "- Apres l'iteration {} : {} iterations mises de cote (branche {})",
            branch.from_iteration.unwrap_or_default(),
            branch.history.len(),
            branch.branch.unwrap_or_default(),
        ));
        lines.extend(asked.map(|question| format!("  - {}", plain(question))));
    }
    for entry in session
        .history
        .iter()
        .filter(|entry| entry.user_choice == Some(4))
    {
        lines.push(format!(
            "- Iteration {} : pivot demande",
            entry.iteration.unwrap_or_default()
        ));
    }
    lines
}

fn dives(session: &Session) -> Vec<String> {
    let party = session.party.iter().map(party_round);
    let panel = session.panel.iter().map(panel_round);
    let rounds: Vec<Vec<String>> = party.chain(panel).collect();
    rounds.join(&String::new())
}

fn party_round(round: &PartyRound) -> Vec<String> {
    let topic = plain(round.topic.as_deref().unwrap_or_default());
    let number = round.round.unwrap_or_default();
    let mut lines = vec![format!("### Party {number} — {topic}"), String::new()];
    for one in &round.contributions {
        let who = plain(one.persona.as_deref().unwrap_or_default());
        lines.push(format!("- **{who}** : {}", joined(&one.key_points)));
    }
    for (label, text) in [
        ("Synthese", &round.synthesis),
        ("Question", &round.user_question),
    ] {
        if let Some(text) = text {
            lines.push(format!("- **{label}** : {}", plain(text)));
        }
    }
    lines
}

fn panel_round(round: &PanelRound) -> Vec<String> {
    let topic = plain(round.topic.as_deref().unwrap_or_default());
    let phase = round.phase.map_or("-", PanelPhase::name);
    let number = round.round.unwrap_or_default();
    let mut lines = vec![
        format!("### Panel {number} ({phase}) — {topic}"),
        String::new(),
    ];
    for one in &round.contributions {
        let who = plain(one.expert.as_deref().unwrap_or_default());
        let school = plain(one.framework.as_deref().unwrap_or("-"));
        let position = plain(one.position.as_deref().unwrap_or_default());
        lines.push(format!("- **{who}** ({school}) : {position}"));
    }
    if let Some(synthesis) = &round.synthesis {
        lines.push(format!(
            "- **Convergences** : {}",
            joined(&synthesis.convergent)
        ));
        lines.push(format!("- **Tensions** : {}", joined(&synthesis.tensions)));
    }
    if let Some(question) = &round.user_question {
        lines.push(format!("- **Question** : {}", plain(question)));
    }
    lines
}

fn joined(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| plain(text)).collect();
    texts.join(" ; ")
}

fn resolved(sheet: &Sheet<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in sheet.path() {
        for (question, answer) in entry.questions.iter().zip(&entry.responses) {
            let n = entry.iteration.unwrap_or_default();
            lines.push(format!(
                "- (iteration {n}) **{}** — {}",
                plain(question),
                plain(answer)
            ));
        }
    }
    lines
}
