//! The two gates before the plan: which operations a contract allows, and what a context lets them be about.

use super::failure::Failure;
use super::meta::Meta;
use super::ops::{Action, Operation};
use super::schema::{Contract, OpType, Subject};

/// Refuses what the contract does not allow.
pub(super) fn check_contract(operations: &[Operation], meta: &Meta) -> Result<(), Failure> {
    let Some(contract) = meta.contract() else {
        return Err(Failure::invalid(format!(
            "Unknown contract type '{}': it is one of {}",
            meta.contract_type,
            Contract::ALL.map(Contract::name).join(", ")
        )));
    };
    for (index, operation) in operations.iter().enumerate() {
        if !contract.allows(operation.op) {
            let allowed: Vec<&str> = contract.allowed().into_iter().map(OpType::name).collect();
            return Err(Failure::refused(format!(
                "Operation '{}' (number {}) not allowed by the {contract} contract. Allowed operations: {}.",
                operation.op,
                index + 1,
                allowed.join(", ")
            )));
        }
    }
    Ok(())
}

/// Refuses what the context does not allow.
pub(super) fn check_context(operations: &[Operation], meta: &Meta) -> Result<(), Failure> {
    if meta.is_rebuilt() {
        return Err(Failure::refused(
            "The context of this session is not known: meta.json was lost. Rerun with --allow-cross-context to override.",
        ));
    }
    // An unknown kind of context is one of another program: it gates nothing, as there.
    let Some(subject) = meta.subject() else {
        return Ok(());
    };
    let Some(prefixes) = subject.prefixes() else {
        return Ok(());
    };
    match operations
        .iter()
        .find(|operation| !prefixes.contains(&operation.item().name()))
    {
        None => Ok(()),
        Some(operation) => Err(Failure::refused(out_of_context(
            operation, subject, prefixes,
        ))),
    }
}

fn out_of_context(operation: &Operation, subject: Subject, prefixes: &[&str]) -> String {
    let op = match &operation.action {
        Action::Mark { item, .. } => format!("{} {item}", operation.op),
        _ => operation.op.to_string(),
    };
    format!(
        "Operation '{op}' not allowed in {subject} context. Allowed prefixes: {}. \
         Rerun with --allow-cross-context to override.",
        prefixes.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::meta;
    use super::*;
    use crate::text::json::Doc;

    fn example(op: OpType, item: &str) -> Operation {
        let item = if item.is_empty() { "task" } else { item };
        let text = format!(
            r#"{{"op_type": "{op}", "data": {{"track_name": "n", "track_id": "t", "phase_name": "n", "phase_id": "p",
            "task_name": "n", "task_id": "k", "source_phase_id": "p", "target_phase_id": "q", "fields": {{"a": 1}},
            "item_id": "k", "item_type": "{item}"}}}}"#
        );
        Operation::parse(Doc::parse(text).unwrap().root()).unwrap()
    }

    fn about(kind: &str, contract: &str) -> Meta {
        let mut meta = meta::unknown("x");
        meta.about.kind = kind.into();
        meta.about.router_reason = "test".into();
        meta.contract_type = contract.into();
        meta
    }

    #[test]
    fn the_contract_allows_what_its_column_says() {
        // Columns: track, phase, task, global.
        let table = [
            (OpType::AddTrack, [true, false, false, true]),
            (OpType::AddPhase, [true, true, false, true]),
            (OpType::AddTask, [true, true, true, true]),
            (OpType::MoveTask, [false, true, true, true]),
            (OpType::EditTaskFields, [false, true, true, true]),
            (OpType::MarkDone, [true, true, true, true]),
            (OpType::MarkTodo, [true, true, true, true]),
        ];
        for (op, row) in table {
            for (contract, allowed) in ["track", "phase", "task", "global"].into_iter().zip(row) {
                let found = check_contract(&[example(op, "task")], &about("global", contract));
                assert_eq!(found.is_ok(), allowed, "{op} under {contract}");
            }
        }
        assert!(check_contract(&[], &about("global", "galaxy")).is_err());
    }

    #[test]
    fn the_context_gates_by_what_an_operation_is_about_and_marks_by_what_they_mark() {
        let check = |kind: &str, op: OpType, item: &str, allowed: bool| {
            let found = check_context(&[example(op, item)], &about(kind, "global"));
            assert_eq!(found.is_ok(), allowed, "{op} {item} in {kind}: {found:?}");
        };
        for item in ["task", "phase", "track"] {
            for mark in [OpType::MarkDone, OpType::MarkTodo] {
                check("task", mark, item, item == "task");
                check("phase", mark, item, item != "track");
                check("track", mark, item, true);
                check("issues", mark, item, item == "task");
                check("repo", mark, item, false);
                check("global", mark, item, true);
                check("somewhere-else", mark, item, true);
            }
        }
        check("task", OpType::AddTask, "", true);
        check("task", OpType::AddPhase, "", false);
        check("phase", OpType::AddTrack, "", false);
        check("track", OpType::AddTrack, "", true);
        for kind in ["repo", "runbook", "workflow", "solutions"] {
            for op in OpType::ALL {
                check(kind, op, "task", false);
            }
        }
    }

    #[test]
    fn a_refusal_of_the_context_says_how_to_override_it() {
        let error = check_context(&[example(OpType::AddTrack, "")], &about("task", "global"));
        assert_eq!(
            error.unwrap_err().message,
            "Operation 'add_track' not allowed in task context. Allowed prefixes: task, issues, log. \
             Rerun with --allow-cross-context to override."
        );
        let lost = check_context(&[], &meta::unknown("x")).unwrap_err();
        assert!(lost.message.contains("--allow-cross-context"));
    }
}
