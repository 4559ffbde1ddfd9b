//! No test file is forgotten.

use std::path::Path;

#[test]
fn every_file_of_this_folder_is_part_of_the_test_binary() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let main = std::fs::read_to_string(dir.join("main.rs")).unwrap();
    for entry in std::fs::read_dir(dir).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        if module != "main" {
            assert!(main.contains(&format!("mod {module};\n")), "{name}");
        }
    }
}
