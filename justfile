# The entrances. `just` alone lists them.

default:
    @just --list

# All tests, as the README says.
test:
    cargo test --workspace

# Formatting and lints, warnings denied.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# The long form of the crash, kill and power-cut tests.
soak:
    SEGNO_SOAK=1 cargo test --release --workspace

# The benchmarks, each a ratio to a floor measured in the same run.
bench:
    cargo bench --workspace

# Regenerate the reference pages and accept changed snapshots.
accept:
    SEGNO_UPDATE=1 INSTA_UPDATE=always cargo test --workspace

# Everything, as CI runs it.
ci:
    bash .ci/run

# A minute of fuzzing per target; needs cargo-fuzz. The variable lets the stable compiler count coverage.
fuzz:
    for target in brainstorm conversation discuss essay handover log; do RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none $target -- -max_total_time=60; done
