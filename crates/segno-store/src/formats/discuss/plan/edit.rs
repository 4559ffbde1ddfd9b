//! Changes to what is there: a task moves to another phase, its fields are edited, an item is marked.

use super::super::failure::Failure;
use super::super::schema::{Item, OpType};
use super::Stopped;
use super::apply::{Effect, OpReport, Run, report};
use super::fields::{Field, field};
use crate::text::json::Tree;

impl Run<'_> {
    pub(super) fn move_task(
        &mut self,
        task: &str,
        source: &str,
        target: &str,
    ) -> Stopped<OpReport> {
        let task = self.names.resolve(&mut self.store, Item::Task, task)?;
        let source = self.names.resolve(&mut self.store, Item::Phase, source)?;
        let target = self.names.resolve(&mut self.store, Item::Phase, target)?;
        let home = self.store.get(Item::Task, &task)?.text("phase_id");
        let in_source = source != target && self.lists(&source, &task)?;
        let in_target = self.lists(&target, &task)?;
        let is_home = home.as_deref() == Some(target.as_str());
        let is_there = is_home && in_target && !in_source;
        if !is_there {
            if !in_source && !is_home && home.as_deref() != Some(source.as_str()) {
                return Err(Failure::refused(format!(
                    "Task '{task}' is not in phase '{source}' but in '{}'",
                    home.unwrap_or_default()
                ))
                .into());
            }
            if source != target {
                self.store
                    .list_of(Item::Phase, &source, Item::Task)?
                    .remove(&task);
            }
            self.store
                .list_of(Item::Phase, &target, Item::Task)?
                .add(&task);
            self.store
                .get(Item::Task, &task)?
                .set("phase_id", target.as_str());
        }
        let (effect, text) = if is_there {
            let text = format!("task '{task}' is already in phase '{target}'");
            (Effect::AlreadyThere, text)
        } else {
            let text = format!("move task '{task}' from phase '{source}' to '{target}'");
            (Effect::Changed, text)
        };
        Ok(report(OpType::MoveTask, Item::Task, task, text, effect))
    }

    fn lists(&mut self, phase: &str, task: &str) -> Stopped<bool> {
        let list = self.store.list_of(Item::Phase, phase, Item::Task)?;
        Ok(list.contains(task))
    }

    pub(super) fn edit(&mut self, task: &str, fields: &[(String, Tree)]) -> Stopped<OpReport> {
        let id = self.names.resolve(&mut self.store, Item::Task, task)?;
        let entity = self.store.get(Item::Task, &id)?;
        let (mut changed, mut details, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for (name, value) in fields {
            match field(name, value)? {
                Field::Own(value) => {
                    if entity.set(name, value) {
                        changed.push(name.as_str());
                    }
                }
                Field::Detail => details.push((name.clone(), value.clone())),
                Field::Fixed => {
                    return Err(Failure::refused(format!(
                        "Field '{name}' of a task cannot be edited; move_task moves it"
                    ))
                    .into());
                }
            }
        }
        if !details.is_empty() {
            let names: Vec<String> = details.iter().map(|(name, _)| name.clone()).collect();
            if entity.set_details(details) {
                changed.push("details");
            }
            notes.push(format!("kept below `details`: {}", names.join(", ")));
        }
        let (effect, text) = if changed.is_empty() {
            let text = format!("task '{id}' says so already");
            (Effect::AlreadyThere, text)
        } else {
            let text = format!("edit task '{id}': {}", changed.join(", "));
            (Effect::Changed, text)
        };
        let mut report = report(OpType::EditTaskFields, Item::Task, id, text, effect);
        report.notes = notes;
        Ok(report)
    }

    pub(super) fn mark(
        &mut self,
        op: OpType,
        done: bool,
        item: Item,
        id: &str,
    ) -> Stopped<OpReport> {
        let id = self.names.resolve(&mut self.store, item, id)?;
        let entity = self.store.get(item, &id)?;
        let changed = match (item, done) {
            (Item::Task, true) => entity.set("status", "done") | entity.set("completed", true),
            (Item::Task, false) => entity.set("status", "todo") | entity.set("completed", false),
            (_, true) => entity.set("status", "done") | entity.set("completion", 100),
            (_, false) => entity.set("status", "planned"),
        };
        let word = if done { "done" } else { "to do" };
        let (effect, text) = if changed {
            (Effect::Changed, format!("mark {item} '{id}' as {word}"))
        } else {
            let text = format!("{item} '{id}' is already marked as {word}");
            (Effect::AlreadyThere, text)
        };
        Ok(report(op, item, id, text, effect))
    }
}
