//! What is large is taken, and what is taken is bounded.

use crate::{apply, effects, ended, file};

#[test]
fn an_op_list_of_100_000_operations_is_taken() {
    let operations: Vec<String> = (0..100_000)
        .map(|n| format!(r#"{{"op_type": "edit_task_fields", "data": {{"task_id": "write-parser", "fields": {{"owner": "o{n}"}}}}}}"#))
        .collect();
    let disk = ended(&format!("[{}]", operations.join(",")));
    let replayed = apply(&disk, "s");
    assert_eq!(replayed.result.unwrap().operations.len(), 100_000);
    assert!(file(&disk, "docs/maestro/tasks/write-parser.json").contains("\"o99999\""));
}

#[test]
fn a_final_json_of_50_mb_is_taken() {
    let large = "x".repeat(50 << 20);
    let disk = ended(&format!(
        r#"[{{"op_type": "edit_task_fields", "data": {{"task_id": "write-parser", "fields": {{"owner": "{large}"}}}}}}]"#
    ));
    assert_eq!(effects(&apply(&disk, "s")), ["changed"]);
}
