//! `segno handover decide`: one more entry of the append-only log.

use clap::Args;
use segno_store::formats::handover::decide::decide;
use segno_store::formats::handover::decision::{DecisionType, NewDecision};
use serde_json::json;

use super::{Desk, RoleArgs, warn};
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::card;

/// Record a decision in the append-only log, under the next number
#[derive(Debug, Args)]
pub(super) struct DecideArgs {
    /// What it records, such as `USER_DECISION` or `steering-exception`
    #[arg(value_name = "TYPE")]
    kind: DecisionType,
    /// What was decided, in a line
    summary: String,
    /// What led to it
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,
    /// What was decided
    #[arg(long, value_name = "TEXT")]
    decision: Option<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// What follows from it
    #[arg(long, value_name = "TEXT")]
    impact: Option<String>,
    /// Who or what initiated it
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// For a `STEERING_EXCEPTION`: the steering document that it deviates from
    #[arg(long, value_name = "TEXT")]
    steering_ref: Option<String>,
    #[command(flatten)]
    role: RoleArgs,
}

pub(super) fn run(app: &App, args: &DecideArgs) -> Result<(), CommandError> {
    let desk = Desk::open(app, "handover decide", &args.role)?;
    let decision = NewDecision {
        kind: args.kind,
        summary: args.summary.clone(),
        context: args.context.clone(),
        decision: args.decision.clone(),
        reason: args.reason.clone(),
        impact: args.impact.clone(),
        source: args.source.clone(),
        steering_ref: args.steering_ref.clone(),
    };
    let recorded = desk
        .write(app, |cx| decide(cx, &desk.place, desk.lead, &decision))?
        .outcome;
    warn(app, &recorded.problems);
    let ids: Vec<String> = recorded.seqs.iter().map(|seq| format!("D{seq}")).collect();
    if app.ui.is_json() {
        let more = json!({ "decision": ids.first() });
        return app
            .ui
            .json(&card::session(&desk.opened.card(&desk.place), more));
    }
    for id in &ids {
        app.ui.data(id.as_str())?;
    }
    app.ui.note(msg!("handover-decided"));
    Ok(())
}
