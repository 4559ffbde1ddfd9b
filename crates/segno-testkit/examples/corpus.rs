//! Writes a workspace full of sessions: `cargo run -p segno-testkit --example corpus -- DIR SESSIONS MESSAGES`.

#![expect(clippy::print_stdout, reason = "it says what it wrote")]

use std::path::Path;

use segno_testkit::corpus::Corpus;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, dir, sessions, messages] = args.as_slice() else {
        return Err("usage: corpus DIR SESSIONS MESSAGES".into());
    };
    let corpus = Corpus {
        sessions: sessions.parse()?,
        messages: messages.parse()?,
        seed: 1,
    };
    let written = corpus.write(Path::new(dir))?;
    println!("{} files, {} bytes", written.files, written.bytes);
    for plant in &written.planted {
        println!("{}: {}", plant.query, plant.places.len());
    }
    Ok(())
}
