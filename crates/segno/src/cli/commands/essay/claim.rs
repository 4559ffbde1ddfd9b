//! `segno essay claim`: the fact-check log.

use clap::{Args, Subcommand};
use segno_store::formats::essay::{self, DeferInput, OverrideInput, ResolveInput};

use super::input::step;
use crate::cli::{App, CommandError};

/// Put off, settle or override the verification of a claim
#[derive(Debug, Args)]
pub(super) struct ClaimArgs {
    #[command(subcommand)]
    verb: ClaimVerb,
}

#[derive(Debug, Subcommand)]
enum ClaimVerb {
    /// Put a verification off
    Defer {
        /// The essay: its id, the beginning of it, or a path
        #[arg(value_name = "SESSION")]
        session: String,
        /// What the claim says
        claim: String,
        /// Section it stands in
        #[arg(long, value_name = "N")]
        section: Option<u64>,
        /// Paragraph it stands in
        #[arg(long, value_name = "N")]
        paragraph: Option<u64>,
        /// Why: timeout, `service_unavailable`, `no_results`, or other words
        #[arg(long, value_name = "TEXT", default_value = "timeout")]
        reason: String,
    },
    /// Settle a claim that was put off
    Resolve {
        /// The essay: its id, the beginning of it, or a path
        #[arg(value_name = "SESSION")]
        session: String,
        /// Number in the list of `segno essay status`, the claim's text, or the beginning of it
        claim: String,
        /// What the fact checker found: verified, partial, contested, dropped
        #[arg(long, value_name = "TEXT", default_value = "verified")]
        result: String,
        /// Source: title and address
        #[arg(long, value_name = "TEXT")]
        source: Option<String>,
    },
    /// Keep a claim against the fact checker
    Override {
        /// The essay: its id, the beginning of it, or a path
        #[arg(value_name = "SESSION")]
        session: String,
        /// What the claim says
        claim: String,
        /// What the fact checker found
        #[arg(long, value_name = "TEXT")]
        result: String,
        /// Why the author keeps it
        #[arg(long, value_name = "TEXT")]
        rationale: String,
        /// What the fact checker's result rests on
        #[arg(long, value_name = "TEXT")]
        source: Option<String>,
    },
}

/// Records what becomes of a claim.
pub(super) fn run(app: &App, args: ClaimArgs) -> Result<(), CommandError> {
    match args.verb {
        ClaimVerb::Defer {
            session,
            claim,
            section,
            paragraph,
            reason,
        } => {
            let claim = DeferInput {
                claim,
                section,
                paragraph,
                reason,
            };
            step(app, "essay claim defer", &session, |cx, place| {
                essay::defer(cx, place, &claim)
            })
        }
        ClaimVerb::Resolve {
            session,
            claim,
            result,
            source,
        } => {
            let claim = ResolveInput {
                claim,
                result,
                source,
            };
            step(app, "essay claim resolve", &session, |cx, place| {
                essay::resolve(cx, place, &claim)
            })
        }
        ClaimVerb::Override {
            session,
            claim,
            result,
            rationale,
            source,
        } => {
            let claim = OverrideInput {
                claim,
                result,
                source,
                rationale,
            };
            step(app, "essay claim override", &session, |cx, place| {
                essay::override_claim(cx, place, &claim)
            })
        }
    }
}
