//! The pipeline's state, rebuilt from every `spec.yaml`: they are its only truth, and none of it is stored in a handover.

use std::collections::{BTreeMap, BTreeSet};

use segno_disk::{FileKind, RelPath};

use super::layout::Layout;
use super::problems::{DEPENDENCY_CYCLE, MISSING_DEPENDENCY, UNKNOWN_PHASE};
use super::spec::{Phase, Spec};
use crate::error::Result;
use crate::formats::Context;
use crate::session::Problem;

/// All specs of a roadmap, in waves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// The waves in order; specs without one come last.
    pub waves: Vec<Wave>,
    /// Circles of specs that wait for each other, each as a path back to its beginning.
    pub cycles: Vec<Vec<String>>,
    /// Specs that could not be read, and what else is wrong.
    pub problems: Vec<Problem>,
}

/// The specs that are worked on together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    /// Its number; `None` for specs that belong to none.
    pub number: Option<u64>,
    /// Its specs, what others depend on first.
    pub specs: Vec<Spec>,
}

impl Wave {
    /// How many of its specs are implemented.
    pub fn done(&self) -> usize {
        let done = |spec: &&Spec| spec.phase == Phase::ImplementationComplete;
        self.specs.iter().filter(done).count()
    }

    /// How much of it is implemented, in whole percent.
    pub fn percent(&self) -> usize {
        (self.done() * 100)
            .checked_div(self.specs.len())
            .unwrap_or(0)
    }

    /// True when nothing is left to do in it: every spec is implemented or blocked.
    pub fn is_complete(&self) -> bool {
        self.specs
            .iter()
            .all(|spec| matches!(spec.phase, Phase::ImplementationComplete | Phase::Blocked))
    }
}

impl Pipeline {
    /// Reads every spec when there is a roadmap; `None` when there is none.
    pub fn scan(cx: &Context<'_>, layout: &Layout) -> Result<Option<Self>> {
        if cx.files.stat(&layout.roadmap)?.is_none() {
            return Ok(None);
        }
        let mut specs = Vec::new();
        let mut problems = Vec::new();
        for entry in cx.files.list(&layout.specs)? {
            if entry.kind == FileKind::File {
                continue;
            }
            let Ok(dir) = layout.specs.join_name(&entry.name) else {
                continue;
            };
            let path = dir.join("spec.yaml")?;
            match cx.files.read(&path) {
                Ok(Some((bytes, _))) => match Spec::read(&bytes, &entry.name, &path) {
                    Ok(spec) => specs.push(spec),
                    Err(problem) => problems.push(problem),
                },
                Ok(None) => {}
                Err(error) => problems.push(unreadable(&path, &error.to_string())),
            }
        }
        Ok(Some(Self::of(specs, problems)))
    }

    fn of(specs: Vec<Spec>, mut problems: Vec<Problem>) -> Self {
        let cycles = cycles(&specs);
        for cycle in &cycles {
            let path = specs.iter().find(|spec| Some(&spec.name) == cycle.first());
            if let Some(spec) = path {
                problems.push(
                    Problem::new(DEPENDENCY_CYCLE, spec.path.clone())
                        .found(format!(
                            "Circular dependency detected: {}",
                            cycle.join(" -> ")
                        ))
                        .manual("take one of these dependencies out of its spec.yaml"),
                );
            }
        }
        let names: BTreeSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        for spec in &specs {
            for missing in spec
                .dependencies
                .iter()
                .filter(|name| !names.contains(name.as_str()))
            {
                problems.push(
                    Problem::new(MISSING_DEPENDENCY, spec.path.clone())
                        .found(format!(
                            "{} depends on {missing}, which is not there",
                            spec.name
                        ))
                        .manual("add that spec, or correct the dependency"),
                );
            }
            if let Phase::Unknown(phase) = &spec.phase {
                problems.push(
                    Problem::new(UNKNOWN_PHASE, spec.path.clone())
                        .found(format!("Unknown phase '{phase}'"))
                        .manual("set one of initialized, design-generated, implementation-complete, blocked"),
                );
            }
        }
        let order = topological(&specs);
        let mut waves: BTreeMap<(bool, Option<u64>), Vec<Spec>> = BTreeMap::new();
        for spec in specs {
            let wave = spec.wave;
            waves.entry((wave.is_none(), wave)).or_default().push(spec);
        }
        let waves = waves.into_iter().map(|((_, number), mut specs)| {
            specs.sort_by_key(|spec| order.get(&spec.name).copied().unwrap_or(usize::MAX));
            Wave { number, specs }
        });
        Self {
            waves: waves.collect(),
            cycles,
            problems,
        }
    }

    /// All specs, wave by wave.
    pub fn specs(&self) -> impl Iterator<Item = &Spec> {
        self.waves.iter().flat_map(|wave| &wave.specs)
    }

    /// The dependencies of a spec that are not implemented yet.
    pub fn waiting_for<'s>(&self, spec: &'s Spec) -> Vec<&'s str> {
        let open = |name: &&String| {
            let found = self.specs().find(|other| other.name == **name);
            found.is_none_or(|other| other.phase != Phase::ImplementationComplete)
        };
        let names = spec.dependencies.iter().filter(open);
        names.map(String::as_str).collect()
    }

    /// What the pipeline says is to be done next; `None` when it has no specs.
    pub fn next_action(&self) -> Option<String> {
        let mut blocked = None;
        let mut any = false;
        for spec in self.specs() {
            any = true;
            match &spec.phase {
                Phase::ImplementationComplete => {}
                Phase::Blocked | Phase::Unknown(_) => {
                    blocked = blocked
                        .or_else(|| Some(format!("Unblock {}: {}", spec.name, spec.obstacle())));
                }
                _ if !self.waiting_for(spec).is_empty() => {}
                Phase::Initialized => {
                    return Some(format!(
                        "Design {name}: `/sdd-design {name}`",
                        name = spec.name
                    ));
                }
                Phase::DesignGenerated => {
                    return Some(format!(
                        "Implement {name}: `/sdd-impl {name}`",
                        name = spec.name
                    ));
                }
            }
        }
        if let Some(cycle) = self.cycles.first() {
            return Some(format!(
                "Resolve the circular dependency {}",
                cycle.join(" -> ")
            ));
        }
        blocked.or_else(|| {
            let waiting = self
                .specs()
                .find(|spec| spec.phase != Phase::ImplementationComplete);
            match waiting {
                Some(spec) => Some(format!(
                    "Resolve what {} waits for: {}",
                    spec.name,
                    self.waiting_for(spec).join(", ")
                )),
                None if any => Some(
                    "All specs are implementation-complete: choose the next step with the user"
                        .to_owned(),
                ),
                None => None,
            }
        })
    }
}

fn unreadable(path: &RelPath, why: &str) -> Problem {
    Problem::new("unreadable", path.clone())
        .found(why.to_owned())
        .manual("look at the file, or move it away")
}

/// The position of each spec when what others depend on comes first; circles are broken by name.
fn topological(specs: &[Spec]) -> BTreeMap<String, usize> {
    let mut left: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let names: BTreeSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    for spec in specs {
        let needs = spec.dependencies.iter().map(String::as_str);
        left.insert(
            &spec.name,
            needs.filter(|name| names.contains(name)).collect(),
        );
    }
    let mut order = BTreeMap::new();
    while !left.is_empty() {
        let ready: Vec<&str> = left
            .iter()
            .filter(|(_, needs)| needs.iter().all(|name| order.contains_key(*name)))
            .map(|(name, _)| *name)
            .collect();
        let ready = match (ready.is_empty(), left.keys().next()) {
            (true, Some(first)) => vec![*first],
            _ => ready,
        };
        for name in ready {
            left.remove(name);
            order.insert(name.to_owned(), order.len());
        }
    }
    order
}

/// Every circle once, found by walking the dependencies without recursion.
fn cycles(specs: &[Spec]) -> Vec<Vec<String>> {
    let needs: BTreeMap<&str, &[String]> = specs
        .iter()
        .map(|spec| (spec.name.as_str(), spec.dependencies.as_slice()))
        .collect();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    let mut found: Vec<Vec<String>> = Vec::new();
    for start in needs.keys() {
        if done.contains(start) {
            continue;
        }
        let mut path: Vec<(&str, usize)> = vec![(start, 0)];
        while let Some((name, at)) = path.last().copied() {
            let next = needs.get(name).and_then(|all| all.get(at));
            let Some(next) = next else {
                done.insert(name);
                path.pop();
                continue;
            };
            if let Some(last) = path.last_mut() {
                last.1 += 1;
            }
            if let Some(from) = path.iter().position(|(seen, _)| seen == next) {
                let circle = path.iter().skip(from).map(|(name, _)| (*name).to_owned());
                found.push(circle.chain([next.clone()]).collect());
            } else if let Some((name, _)) = needs.get_key_value(next.as_str())
                && !done.contains(name)
            {
                path.push((name, 0));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(name: &str, wave: u64, phase: Phase, dependencies: &[&str]) -> Spec {
        Spec {
            wave: Some(wave),
            phase,
            dependencies: dependencies.iter().map(ToString::to_string).collect(),
            ..Spec::named(name, RelPath::root())
        }
    }

    #[test]
    fn waves_are_ordered_and_what_others_depend_on_comes_first() {
        let pipeline = Pipeline::of(
            vec![
                spec("a", 2, Phase::Initialized, &["b", "c"]),
                spec("b", 2, Phase::DesignGenerated, &["c"]),
                spec("c", 1, Phase::ImplementationComplete, &[]),
                spec("z", 10, Phase::Initialized, &[]),
                Spec::named("loose", RelPath::root()),
            ],
            Vec::new(),
        );
        let names: Vec<Vec<&str>> = pipeline
            .waves
            .iter()
            .map(|wave| wave.specs.iter().map(|spec| spec.name.as_str()).collect())
            .collect();
        assert_eq!(names, [vec!["c"], vec!["b", "a"], vec!["z"], vec!["loose"]]);
        assert_eq!(pipeline.waves[0].percent(), 100);
        assert!(pipeline.waves[0].is_complete());
        assert!(!pipeline.waves[1].is_complete());
        assert_eq!(
            pipeline.next_action().unwrap(),
            "Implement b: `/sdd-impl b`"
        );
    }

    #[test]
    fn circles_are_found_once_and_named() {
        let pipeline = Pipeline::of(
            vec![
                spec("a", 1, Phase::Initialized, &["b"]),
                spec("b", 1, Phase::Initialized, &["c"]),
                spec("c", 1, Phase::Initialized, &["a"]),
                spec("d", 1, Phase::Initialized, &["a", "nowhere"]),
                spec("e", 1, Phase::Initialized, &["e"]),
            ],
            Vec::new(),
        );
        assert_eq!(pipeline.cycles, [vec!["a", "b", "c", "a"], vec!["e", "e"]]);
        let codes: Vec<&str> = pipeline
            .problems
            .iter()
            .map(|problem| problem.code)
            .collect();
        assert_eq!(
            codes,
            [DEPENDENCY_CYCLE, DEPENDENCY_CYCLE, MISSING_DEPENDENCY]
        );
        assert!(pipeline.next_action().unwrap().contains("a -> b -> c -> a"));
    }

    #[test]
    fn the_next_action_follows_the_phases() {
        let next = |specs: Vec<Spec>| Pipeline::of(specs, Vec::new()).next_action();
        let mut stuck = spec("a", 1, Phase::Blocked, &[]);
        stuck.blocked_by = Some("b".to_owned());
        stuck.blocked_reason = Some("upstream_failure".to_owned());
        assert_eq!(next(vec![]), None);
        assert_eq!(
            next(vec![stuck.clone()]).unwrap(),
            "Unblock a: blocked by b (upstream_failure)"
        );
        assert_eq!(
            next(vec![stuck, spec("c", 2, Phase::Initialized, &[])]).unwrap(),
            "Design c: `/sdd-design c`"
        );
        let all = next(vec![spec("a", 1, Phase::ImplementationComplete, &[])]).unwrap();
        assert!(all.starts_with("All specs are implementation-complete"));
    }
}
