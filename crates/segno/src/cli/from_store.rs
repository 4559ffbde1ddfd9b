//! What the layers below report, in a person's words and with something to do next.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use segno_disk::lock::Holder;
use segno_disk::{DiskError, Reason};
use segno_store::StoreError;
use segno_store::phrase::{Fault, Refusal};
use segno_store::session::Problem;

use super::error::{Code, CommandError};
use crate::messages::{Message, Text};
use crate::msg;

/// How many candidates or problems an error lists.
const LISTED: usize = 8;

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound { wanted, near } => not_found(&wanted, &near),
            StoreError::Ambiguous { wanted, candidates } => ambiguous(&wanted, &candidates),
            StoreError::Exists { what, hint } => {
                Self::new(Code::Exists, msg!("errors-exists", what = what)).hint(hint)
            }
            StoreError::Refused { rule, hints } => {
                with_hints(Self::new(Code::Refused, rule), hints)
            }
            StoreError::Invalid { what, hints } => {
                with_hints(Self::new(Code::Invalid, what), hints)
            }
            StoreError::Said(refusal) => (*refusal).into(),
            StoreError::Damaged { session, problems } => damaged(&session, &problems),
            StoreError::Busy { what, holder } => busy(&what, &holder),
            StoreError::TooNew {
                session,
                found,
                supported,
            } => Self::new(
                Code::TooNew,
                msg!(
                    "errors-too-new",
                    session = session,
                    found = found,
                    supported = supported
                ),
            )
            .hint(msg!("errors-too-new-hint")),
            StoreError::Unsupported { kind, operation } => Self::new(
                Code::Unsupported,
                msg!("errors-unsupported", kind = kind, operation = operation),
            )
            .hint(msg!("errors-unsupported-hint", kind = kind)),
            StoreError::Disk(error) => error.into(),
            other => Self::new(Code::Internal, other.to_string()),
        }
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> Self {
        let code = match refusal.fault {
            Fault::Refused => Code::Refused,
            Fault::Invalid => Code::Invalid,
        };
        let error = Self::new(code, Message::from(refusal.what));
        let causes = refusal.causes.into_iter().map(Message::from);
        let error = causes.fold(error, Self::because);
        let hints = refusal.hints.into_iter().map(Message::from);
        hints.fold(error, Self::hint)
    }
}

fn with_hints(error: CommandError, hints: Vec<String>) -> CommandError {
    hints.into_iter().fold(error, CommandError::hint)
}

fn not_found(wanted: &str, near: &[String]) -> CommandError {
    let error = CommandError::new(Code::NotFound, msg!("errors-not-found", wanted = wanted));
    if near.is_empty() {
        error.hint(msg!("errors-not-found-list"))
    } else {
        error.hint(msg!("errors-not-found-near", near = near.join(", ")))
    }
}

fn ambiguous(wanted: &str, candidates: &[String]) -> CommandError {
    let count = candidates.len();
    let mut error = CommandError::new(
        Code::Ambiguous,
        msg!("errors-ambiguous", wanted = wanted, count = count),
    );
    for candidate in candidates.iter().take(LISTED) {
        error = error.hint(msg!("errors-ambiguous-candidate", candidate = candidate));
    }
    if count > LISTED {
        error = error.hint(msg!("errors-ambiguous-more", count = count - LISTED));
    }
    error.hint(msg!("errors-ambiguous-hint"))
}

fn damaged(session: &str, problems: &[Problem]) -> CommandError {
    let error = CommandError::new(Code::Damaged, msg!("errors-damaged", session = session));
    let error = problems.iter().take(LISTED).fold(error, |error, problem| {
        error.because(msg!(
            "errors-damaged-problem",
            place = problem.location(),
            found = &problem.found
        ))
    });
    if problems.is_empty() || problems.iter().any(|problem| problem.repair.is_automatic()) {
        return error.hint(msg!("errors-damaged-hint", session = session));
    }
    // Only a person can repair it.
    let texts: BTreeSet<&str> = problems
        .iter()
        .take(LISTED)
        .map(|problem| problem.repair.text())
        .collect();
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.fold(error, CommandError::hint)
}

fn busy(what: &str, holder: &Holder) -> CommandError {
    CommandError::new(Code::Busy, msg!("errors-busy", what = what))
        .because(held_by(holder))
        .hint(msg!("errors-busy-hint"))
}

fn held_by(holder: &Holder) -> Text {
    if holder.pid == 0 {
        return msg!("errors-busy-holder-unknown").into();
    }
    // Text, not a number: a process id has no thousands separator and no plural.
    msg!(
        "errors-busy-holder",
        pid = holder.pid.to_string(),
        program = &holder.program,
        since = &holder.since
    )
    .into()
}

impl From<DiskError> for CommandError {
    fn from(error: DiskError) -> Self {
        let path = error.path.display().to_string();
        let failed = |code: Code| {
            Self::new(code, msg!("errors-disk", op = error.op, path = &path))
                .because(error.source.to_string())
        };
        match &error.reason {
            Reason::Busy(holder) => busy(&path, holder),
            Reason::Conflict => failed(Code::Busy).hint(msg!("errors-disk-conflict")),
            Reason::BadPath => failed(Code::Invalid).hint(msg!("errors-disk-bad-path")),
            Reason::Escapes => failed(Code::Refused).hint(msg!("errors-disk-escapes")),
            Reason::Io => match error.source.kind() {
                ErrorKind::NotFound => failed(Code::NotFound),
                ErrorKind::AlreadyExists => failed(Code::Exists),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                    failed(Code::Io).hint(msg!("errors-disk-full"))
                }
                ErrorKind::PermissionDenied => {
                    failed(Code::Io).hint(msg!("errors-disk-permission"))
                }
                ErrorKind::ReadOnlyFilesystem => {
                    failed(Code::Io).hint(msg!("errors-disk-read-only"))
                }
                _ if error.op.contains("sync") => failed(Code::Io).hint(msg!("errors-disk-synced")),
                _ => failed(Code::Io),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use segno_store::session::Kind;

    use super::*;
    use crate::cli::report;
    use crate::messages::{Catalogue, Lang};

    fn check(error: impl Into<CommandError>, code: Code, expected: &str) {
        let error = error.into();
        assert_eq!(error.code, code);
        let said = report::lines(&error, &Catalogue::new(Lang::En)).join("\n");
        assert_eq!(said, expected);
    }

    fn disk(kind: io::ErrorKind) -> DiskError {
        DiskError::io("write", "a/b.jsonl", io::Error::new(kind, "the cause"))
    }

    #[test]
    fn a_miss_names_the_nearest_sessions() {
        let wanted = || "k7f".to_owned();
        check(
            StoreError::NotFound {
                wanted: wanted(),
                near: vec!["conversation/k7a".into(), "essay/k8f".into()],
            },
            Code::NotFound,
            "error: no session `k7f`\n  hint: the nearest: conversation/k7a, essay/k8f",
        );
        check(
            StoreError::Ambiguous {
                wanted: wanted(),
                candidates: (1..=10).map(|n| format!("essay/k7f{n}")).collect(),
            },
            Code::Ambiguous,
            "error: `k7f` names 10 sessions\n  hint: one of them: essay/k7f1\n  hint: one of them: essay/k7f2\n  \
             hint: one of them: essay/k7f3\n  hint: one of them: essay/k7f4\n  hint: one of them: essay/k7f5\n  \
             hint: one of them: essay/k7f6\n  hint: one of them: essay/k7f7\n  hint: one of them: essay/k7f8\n  \
             hint: … and 2 more\n  hint: give more of the id, `kind/id`, or the path",
        );
    }

    #[test]
    fn a_lock_names_its_holder() {
        let holder = Holder {
            pid: 4127,
            program: "segno conversation say".into(),
            since: "2026-11-18T09:30:00Z".into(),
        };
        let expected = "error: `essay/k7f` is being written by another process\n  \
             caused by: lock held by pid 4127 (segno conversation say) since 2026-11-18T09:30:00Z\n  \
             hint: wait for it and try again; `lock.timeout_ms` sets how long segno itself waits";
        check(
            StoreError::Busy {
                what: "essay/k7f".into(),
                holder: holder.clone(),
            },
            Code::Busy,
            expected,
        );
        let reason = Reason::Busy(Box::new(holder));
        check(
            DiskError::because(
                "lock",
                "essay/k7f",
                reason,
                "another process holds the lock",
            ),
            Code::Busy,
            expected,
        );
    }

    #[test]
    fn every_failure_of_the_disk_has_its_code_and_advice() {
        let hint = |error: DiskError, code: Code, expected: &[&str]| {
            let error = CommandError::from(error);
            assert_eq!(error.code, code);
            let catalogue = Catalogue::new(Lang::En);
            let hints: Vec<String> = error
                .hints
                .iter()
                .map(|hint| catalogue.text(hint))
                .collect();
            assert_eq!(hints.len(), expected.len(), "{hints:?}");
            for (hint, part) in hints.iter().zip(expected) {
                assert!(hint.contains(part), "{hint}");
            }
        };
        hint(
            disk(io::ErrorKind::StorageFull),
            Code::Io,
            &["free some space"],
        );
        hint(
            disk(io::ErrorKind::QuotaExceeded),
            Code::Io,
            &["free some space"],
        );
        hint(
            disk(io::ErrorKind::PermissionDenied),
            Code::Io,
            &["permissions"],
        );
        hint(
            disk(io::ErrorKind::ReadOnlyFilesystem),
            Code::Io,
            &["read-only"],
        );
        hint(disk(io::ErrorKind::NotFound), Code::NotFound, &[]);
        hint(disk(io::ErrorKind::AlreadyExists), Code::Exists, &[]);
        hint(disk(io::ErrorKind::Other), Code::Io, &[]);
        let because = |reason| DiskError::because("open", "x", reason, "why");
        hint(because(Reason::BadPath), Code::Invalid, &["`..`"]);
        hint(because(Reason::Escapes), Code::Refused, &["symbolic link"]);
        hint(because(Reason::Conflict), Code::Busy, &["try again"]);
        let unsynced = DiskError::io("sync", "x", io::Error::other("EIO"));
        hint(unsynced, Code::Io, &["acknowledged"]);
    }

    #[test]
    fn the_other_refusals_keep_their_code_and_their_advice() {
        check(
            StoreError::Unsupported {
                kind: Kind::Essay,
                operation: "be replayed",
            },
            Code::Unsupported,
            "error: sessions of the kind essay cannot be replayed\n  hint: `segno essay --help` shows what it can do",
        );
        check(
            StoreError::Refused {
                rule: "a completed session cannot be paused".into(),
                hints: vec!["reopen it first".into()],
            },
            Code::Refused,
            "error: a completed session cannot be paused\n  hint: reopen it first",
        );
        check(
            StoreError::TooNew {
                session: "essay/k7f".into(),
                found: "9".into(),
                supported: "2",
            },
            Code::TooNew,
            "error: `essay/k7f` was written by a newer version (format 9, this program knows 2)\n  \
             hint: it can be read but not changed: update segno to write to it",
        );
    }
}
