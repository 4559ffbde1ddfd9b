//! Reviews that are not settled: the Tracked list of the latest batch in every `verdicts.md`, wherever it lies.
//!
//! Files of single specs, of waves and of cross-checks are read, in the layout with `verdicts.md` beside the spec and in
//! the one with a `reviews/` directory. Batches that people wrote in other shapes are read as far as they can be.

use segno_disk::{FileKind, RelPath};

use super::document;
use super::layout::Layout;
use crate::error::Result;
use crate::formats::Context;
use crate::session::Problem;
use crate::text::markdown::{Doc, Section};

/// The latest batch of a review that has something tracked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// What was reviewed: the spec, `wave`, `cross-check`.
    pub subject: String,
    /// The batch, as in its heading: `B2`, `W1-B3`.
    pub batch: String,
    /// What sort of review, with what else its heading says.
    pub heading: String,
    /// How it was disposed of.
    pub disposition: Option<String>,
    /// What is tracked.
    pub tracked: Vec<Tracked>,
    /// The file.
    pub file: RelPath,
    /// The line of the batch's heading, from 1.
    pub line: u64,
}

/// One thing that a review tracks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracked {
    /// How bad, as written: `H`, `M (noise)`.
    pub severity: String,
    /// Of what sort.
    pub category: String,
    /// Where.
    pub location: String,
    /// What.
    pub description: String,
}

impl std::fmt::Display for Tracked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            &self.severity,
            &self.category,
            &self.location,
            &self.description,
        ];
        let said: Vec<&str> = parts
            .into_iter()
            .map(String::as_str)
            .filter(|part| !part.is_empty())
            .collect();
        f.write_str(&said.join(" | "))
    }
}

/// The reviews that are active, in the order of their files.
pub fn active(
    cx: &Context<'_>,
    layout: &Layout,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Review>> {
    let mut found = Vec::new();
    for (subject, path) in files(cx, layout)? {
        if let Some(loaded) = document::read(cx, &path, problems)? {
            found.extend(latest(&loaded.doc, &subject, &path));
        }
    }
    Ok(found)
}

/// Every file of verdicts with what it is about.
fn files(cx: &Context<'_>, layout: &Layout) -> Result<Vec<(String, RelPath)>> {
    let mut found = Vec::new();
    let is_there = |path: &RelPath| -> Result<bool> {
        Ok(cx
            .files
            .stat(path)?
            .is_some_and(|stat| stat.kind == FileKind::File))
    };
    for entry in cx.files.list(&layout.specs)? {
        let Ok(path) = layout.specs.join_name(&entry.name) else {
            continue;
        };
        if entry.kind == FileKind::File {
            let subject = entry
                .name
                .strip_prefix("verdicts")
                .and_then(|rest| rest.strip_suffix(".md"));
            if let Some(subject) = subject {
                found.push((subject.trim_start_matches('-').to_owned(), path));
            }
            continue;
        }
        if entry.name == "reviews" {
            continue;
        }
        for name in ["verdicts.md", "reviews/verdicts.md"] {
            let file = path.join(name)?;
            if is_there(&file)? {
                found.push((entry.name.clone(), file));
            }
        }
    }
    for above in [&layout.specs, &layout.project] {
        let reviews = above.join("reviews")?;
        for entry in cx.files.list(&reviews)? {
            let Ok(path) = reviews.join_name(&entry.name) else {
                continue;
            };
            if entry.name == "verdicts.md" {
                found.push(("all".to_owned(), path));
                continue;
            }
            let inner = path.join("verdicts.md")?;
            if entry.kind != FileKind::File && is_there(&inner)? {
                found.push((entry.name.clone(), inner));
            }
        }
    }
    Ok(found)
}

/// The latest batch of every series in a file, where it tracks something.
fn latest(doc: &Doc, subject: &str, file: &RelPath) -> Vec<Review> {
    let mut series: Vec<(Batch<'_>, Section<'_>)> = Vec::new();
    for section in doc.sections() {
        let Some(batch) = Batch::of(section.title()) else {
            continue;
        };
        let known = series
            .iter_mut()
            .find(|(other, _)| other.series == batch.series);
        match known {
            // Batches are added at the end; of two with one number the later one counts.
            Some(slot) if batch.seq >= slot.0.seq => *slot = (batch, section),
            Some(_) => {}
            None => series.push((batch, section)),
        }
    }
    let reviews = series.into_iter().map(|(batch, section)| Review {
        subject: subject.to_owned(),
        batch: batch.name.to_owned(),
        heading: batch.rest.to_owned(),
        disposition: disposition(section),
        tracked: tracked(doc, section),
        file: file.clone(),
        line: section.heading().line as u64 + 1,
    });
    reviews
        .filter(|review| !review.tracked.is_empty())
        .collect()
}

/// The number of a batch in its heading: `[B2] design | ...`, `[W1-DC-B3] ...`.
struct Batch<'t> {
    name: &'t str,
    series: &'t str,
    seq: u64,
    rest: &'t str,
}

impl<'t> Batch<'t> {
    fn of(title: &'t str) -> Option<Self> {
        let (name, rest) = title.strip_prefix('[')?.split_once(']')?;
        let (series, digits) = name.rsplit_once('B')?;
        let fits = series.is_empty() || series.ends_with('-');
        let seq = digits.parse().ok()?;
        fits.then_some(Self {
            name,
            series: series.trim_end_matches('-'),
            seq,
            rest: rest.trim(),
        })
    }
}

fn disposition(section: Section<'_>) -> Option<String> {
    let text = section.section(&["Disposition"])?.own_text();
    let first = text.lines().next()?.trim().trim_matches(['*', '`']);
    (!first.is_empty()).then(|| first.to_owned())
}

fn tracked(doc: &Doc, section: Section<'_>) -> Vec<Tracked> {
    let Some(list) = section.children().into_iter().find(|child| {
        let title = child.title().to_lowercase();
        title.starts_with("tracked") || title.starts_with("追跡")
    }) else {
        return Vec::new();
    };
    let tables = doc.tables(list.body());
    let mut found = Vec::new();
    for table in &tables {
        let named = [
            ["severity", "sev", "\u{91cd}\u{5927}\u{5ea6}"],
            ["category", "type", "\u{30ab}\u{30c6}\u{30b4}\u{30ea}"],
            ["location", "where", "\u{5834}\u{6240}"],
            ["description", "issue", "\u{5185}\u{5bb9}"],
        ]
        .map(|names| names.iter().find_map(|name| table.column(name)));
        // A table without any of these headings is read from left to right.
        let unnamed = named.iter().all(Option::is_none);
        let mut place = 0..4;
        let columns = named.map(|column| {
            let place = place.next().filter(|_| unnamed);
            column.or(place).unwrap_or(usize::MAX)
        });
        for row in 0..table.rows.len() {
            let [severity, category, location, description] =
                columns.map(|column| table.cell(row, column).unwrap_or_default().to_owned());
            found.push(Tracked {
                severity,
                category,
                location,
                description,
            });
        }
    }
    let in_table = |at: usize| tables.iter().any(|table| table.range.contains(&at));
    for (_, line) in doc
        .lines_in(list.body())
        .filter(|(_, line)| !in_table(line.start))
    {
        let text = doc.slice(line.range()).trim();
        let text = text.trim_start_matches(['-', '*', ' ']).trim();
        if document::is_none(text) || text.starts_with("```") || text.starts_with('#') {
            continue;
        }
        let mut parts = text.splitn(4, '|').map(|part| part.trim().to_owned());
        let mut part = || parts.next().unwrap_or_default();
        let first = part();
        let tracked = if text.contains('|') {
            Tracked {
                severity: first,
                category: part(),
                location: part(),
                description: part(),
            }
        } else {
            Tracked {
                severity: String::new(),
                category: String::new(),
                location: String::new(),
                description: first,
            }
        };
        found.push(tracked);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &[&str])]) {
        let doc = Doc::parse(text);
        let found: Vec<(String, Vec<String>)> = latest(&doc, "x", &RelPath::root())
            .into_iter()
            .map(|review| {
                (
                    review.batch,
                    review.tracked.iter().map(ToString::to_string).collect(),
                )
            })
            .collect();
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(batch, tracked)| {
                (
                    (*batch).to_owned(),
                    tracked.iter().map(ToString::to_string).collect(),
                )
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_latest_batch_counts_and_only_what_it_tracks() {
        check(
            "# Verdicts: x\n\n## [B1] design | t | v1.0.0 | runs:1 | threshold:1/1\n### Disposition\nCONDITIONAL-TRACKED\n### Tracked\nM|a|b|old\n\n\
             ## [B2] impl | t | v1.0.0 | runs:1 | threshold:1/1\n### Disposition\nCONDITIONAL-TRACKED\n### Tracked\nH|cat|loc|what | with a pipe\nM (noise)|c|l|d\n### Resolved since B1\nM|a|b|old\n",
            &[(
                "B2",
                &[
                    "H | cat | loc | what | with a pipe",
                    "M (noise) | c | l | d",
                ],
            )],
        );
        check(
            "## [B1] design\n### Tracked\nM|a|b|old\n## [B2] design\n### Disposition\nGO-ACCEPTED\n",
            &[],
        );
    }

    #[test]
    fn waves_are_series_of_their_own() {
        check(
            "## [W1-B1] design\n### Tracked\nL|a|b|one\n## [W2-B1] design\n### Tracked\nM|a|b|two\n## [W1-B2] design\n### Tracked\nL|a|b|three\n## [W1-DC-B1] dead-code\n### Tracked\n- L|a|b|four\n",
            &[
                ("W1-B2", &["L | a | b | three"]),
                ("W2-B1", &["M | a | b | two"]),
                ("W1-DC-B1", &["L | a | b | four"]),
            ],
        );
    }

    #[test]
    fn tables_and_other_headings_are_read_as_people_write_them() {
        check(
            "# Verdicts \u{2014} x\n## [Design-B1] Design Review (v1.1.0 Revision)\n**Verdict**: CONDITIONAL\n### Tracked\n\n| # | Severity | Location | Description |\n|---|---|---|---|\n| 1 | M | 3.AC1 | vague |\n\n### Notes\n- n\n",
            &[("Design-B1", &["M | 3.AC1 | vague"])],
        );
    }
}
