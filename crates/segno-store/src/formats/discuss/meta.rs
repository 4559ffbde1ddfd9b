//! `meta.json`: what a discussion is about and where it stands, a projection of the transcript but for its beginning.

use segno_disk::{ReadDisk, RelPath, Stamp};
use sha2::{Digest as _, Sha256};

use super::schema::{About, Contract, Subject};
use super::surroundings::hex;
use super::{META_INCOMPLETE, META_MISSING, META_UNREADABLE};
use crate::error::Result;
use crate::session::Problem;
use crate::text::json::{Doc, Style, Tree, Value};

/// The reason that an earlier program wrote when it had lost the context.
const NO_CONTEXT: &str = "No context provided";
/// The reason that `recover` writes: nobody knows what the discussion was about.
pub(super) const REBUILT: &str = "Rebuilt from the transcript; the context is not known";

/// What stands before the path of the session that another one was made of, at the end of its reason.
pub(super) const ORIGIN: &str = " (migrated from ";

/// What stands in `meta.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// The session's id, as written.
    pub session_id: String,
    /// What it is about.
    pub about: About,
    /// Which operations it may end in, as written.
    pub contract_type: String,
    /// When it began, as written.
    pub created_at: String,
    /// When `meta.json` was last brought up to date, as written.
    pub updated_at: String,
    /// `open` or `closed`.
    pub status: String,
    /// Whether the discussion has ended in operations.
    pub final_json_present: bool,
    /// The engine.
    pub engine: String,
    /// Its model.
    pub model: String,
    /// What the user asked for first.
    pub initial_prompt: String,
    /// The work session it belongs to.
    pub wsession_id: Option<String>,
    /// How answers were to be kept for reuse.
    pub cache_policy: Option<CachePolicy>,
    /// The fingerprint of context and prompt.
    pub prompt_hash: Option<String>,
    /// The commit that the discussion began at: what has been done since is the difference to it.
    pub diff_anchor: Option<String>,
    /// The fingerprint of the plan when the discussion began.
    pub workspace_fingerprint: Option<String>,
}

/// How an engine's answers are kept for reuse, as the environment of the tools around it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachePolicy {
    /// Whether they are.
    pub enabled: bool,
    /// For whom: `auto`, `user` or `repo`.
    pub scope: String,
    /// Files whose change makes them stale, as patterns.
    pub watch: Vec<String>,
}

impl Meta {
    /// True unless the session is closed.
    pub fn is_open(&self) -> bool {
        self.status != "closed"
    }

    /// Which contract holds; `None` when the word is not known.
    pub fn contract(&self) -> Option<Contract> {
        if self.contract_type.is_empty() {
            return Some(self.subject().map_or(Contract::Global, Subject::contract));
        }
        self.contract_type.parse().ok()
    }

    /// What operations are gated by. An earlier program saved discussions of tracks, phases and tasks without their
    /// context; what they were about is known from their contract.
    pub fn subject(&self) -> Option<Subject> {
        if self.about.kind == "global" && self.about.router_reason.starts_with(NO_CONTEXT) {
            return match self.contract_type.parse() {
                Ok(Contract::Task) => Some(Subject::Task),
                Ok(Contract::Phase) => Some(Subject::Phase),
                Ok(Contract::Track) => Some(Subject::Track),
                _ => Some(Subject::Global),
            };
        }
        self.about.kind.parse().ok()
    }

    /// True when the context is lost and was put together again.
    pub fn is_rebuilt(&self) -> bool {
        self.about.router_reason.starts_with(REBUILT)
    }

    /// The document, its keys in the order of the format.
    pub(super) fn to_text(&self) -> String {
        let about = Tree::object([
            ("kind", Tree::from(self.about.kind.as_str())),
            ("ref", Tree::from(self.about.reference.clone())),
            (
                "router_reason",
                Tree::from(self.about.router_reason.as_str()),
            ),
        ]);
        let text = |text: &str| Tree::from(text);
        let mut members = vec![
            ("session_id", text(&self.session_id)),
            ("context", about),
            ("contract_type", text(&self.contract_type)),
            ("created_at", text(&self.created_at)),
            ("updated_at", text(&self.updated_at)),
            ("status", text(&self.status)),
            ("final_json_present", Tree::from(self.final_json_present)),
            ("engine", text(&self.engine)),
            ("model", text(&self.model)),
            ("initial_prompt", text(&self.initial_prompt)),
            ("wsession_id", Tree::from(self.wsession_id.clone())),
        ];
        if let Some(policy) = &self.cache_policy {
            let policy = Tree::object([
                ("enabled", Tree::from(policy.enabled)),
                ("scope", text(&policy.scope)),
                (
                    "watch",
                    Tree::array(policy.watch.iter().map(String::as_str)),
                ),
            ]);
            members.push(("cache_policy", policy));
        }
        for (key, value) in [
            ("prompt_hash", &self.prompt_hash),
            ("diff_anchor", &self.diff_anchor),
            ("workspace_fingerprint", &self.workspace_fingerprint),
        ] {
            if let Some(value) = value {
                members.push((key, text(value)));
            }
        }
        Tree::object(members).to_text(Style::PYTHON_INDENTED)
    }
}

/// The fingerprint of what was asked: the hash of context and prompt in one fixed spelling.
pub(super) fn prompt_hash(about: &About, prompt: &str) -> String {
    let about = Tree::object([
        ("kind", Tree::from(about.kind.as_str())),
        ("ref", Tree::from(about.reference.clone())),
        ("router_reason", Tree::from(about.router_reason.as_str())),
    ]);
    let whole = Tree::object([
        ("context", about),
        ("prompt_contract_version", Tree::from("v1")),
        ("rendered_prompt", Tree::from(prompt)),
    ]);
    let style = Style {
        escapes: crate::text::json::Escapes::Ascii,
        ..Style::COMPACT
    };
    hex(&Sha256::digest(whole.to_text(style).as_bytes()))
}

/// `meta.json` as it was found.
#[derive(Debug)]
pub(super) struct MetaFile {
    /// What it says, defaults where it says nothing.
    pub(super) meta: Meta,
    /// The document and the version that was read.
    pub(super) found: Option<(Doc, Stamp)>,
    /// The version of a file that is no JSON object.
    pub(super) unreadable: Option<Stamp>,
    /// What is wrong with it.
    pub(super) problems: Vec<Problem>,
}

/// Reads `meta.json`; what is missing or broken is a problem and not an error.
pub(super) fn read(files: &dyn ReadDisk, path: &RelPath, id: &str) -> Result<MetaFile> {
    let Some((bytes, stamp)) = files.read(path)? else {
        let problem = Problem::new(META_MISSING, path.clone())
            .found("there is no meta.json")
            .lossy("write it anew from the transcript; context, contract and engine cannot be known again");
        return Ok(MetaFile {
            meta: unknown(id),
            found: None,
            unreadable: None,
            problems: vec![problem],
        });
    };
    let doc = Doc::from_bytes(bytes).and_then(|doc| Doc::parse_object(doc.into_text()));
    let doc = match doc {
        Ok(doc) => doc,
        Err(error) => {
            let problem = Problem::new(META_UNREADABLE, path.clone())
                .line(error.line as u64)
                .found(format!(
                    "not a JSON object: column {}: {}",
                    error.column, error.message
                ))
                .lossy("set it aside and write it anew from the transcript");
            return Ok(MetaFile {
                meta: unknown(id),
                found: None,
                unreadable: Some(stamp),
                problems: vec![problem],
            });
        }
    };
    let mut missing = Vec::new();
    let meta = decode(&doc, id, &mut missing);
    let problems = if missing.is_empty() {
        Vec::new()
    } else {
        vec![
            Problem::new(META_INCOMPLETE, path.clone())
                .found(format!("missing or of another type: {}", missing.join(", ")))
                .manual("write the keys by hand; what stands in the transcript is read from there meanwhile"),
        ]
    };
    Ok(MetaFile {
        meta,
        found: Some((doc, stamp)),
        unreadable: None,
        problems,
    })
}

/// True when `meta.json` calls its session by an id.
pub(super) fn called(files: &dyn ReadDisk, path: &RelPath, id: &str) -> Result<bool> {
    let Some((bytes, _)) = files.read(path)? else {
        return Ok(false);
    };
    let doc = Doc::from_bytes(bytes).ok();
    let said = doc.as_ref().and_then(|doc| doc.get("session_id"));
    Ok(said.and_then(|said| said.str()).as_deref() == Some(id))
}

/// What is said of a session whose `meta.json` says nothing.
pub(super) fn unknown(id: &str) -> Meta {
    Meta {
        session_id: id.to_owned(),
        about: About {
            kind: "global".to_owned(),
            reference: None,
            router_reason: REBUILT.to_owned(),
        },
        contract_type: "global".to_owned(),
        created_at: String::new(),
        updated_at: String::new(),
        status: "open".to_owned(),
        final_json_present: false,
        engine: "unknown".to_owned(),
        model: "unknown".to_owned(),
        initial_prompt: String::new(),
        wsession_id: None,
        cache_policy: None,
        prompt_hash: None,
        diff_anchor: None,
        workspace_fingerprint: None,
    }
}

fn decode(doc: &Doc, id: &str, missing: &mut Vec<&'static str>) -> Meta {
    let root = doc.root();
    let mut text = |name: &'static str, value: Option<Value<'_>>| {
        if let Some(text) = value.and_then(|v| v.str()) {
            text.into_owned()
        } else {
            missing.push(name);
            String::new()
        }
    };
    let context = root.get("context");
    let inner = |key: &str| context.and_then(|context| context.get(key));
    let optional = |value: Option<Value<'_>>| {
        value
            .and_then(|v| v.str())
            .map(std::borrow::Cow::into_owned)
    };
    let mut meta = Meta {
        session_id: text("session_id", root.get("session_id")),
        about: About {
            kind: text("context.kind", inner("kind")),
            reference: optional(inner("ref")),
            router_reason: optional(inner("router_reason")).unwrap_or_default(),
        },
        contract_type: text("contract_type", root.get("contract_type")),
        created_at: text("created_at", root.get("created_at")),
        updated_at: text("updated_at", root.get("updated_at")),
        status: text("status", root.get("status")),
        final_json_present: root
            .get("final_json_present")
            .and_then(|present| present.bool())
            .unwrap_or(false),
        engine: text("engine", root.get("engine")),
        model: text("model", root.get("model")),
        initial_prompt: text("initial_prompt", root.get("initial_prompt")),
        wsession_id: optional(root.get("wsession_id")),
        // Whoever writes an object of another shape has it kept: the file is edited, never printed anew.
        cache_policy: None,
        prompt_hash: optional(root.get("prompt_hash")),
        diff_anchor: optional(root.get("diff_anchor")),
        workspace_fingerprint: optional(root.get("workspace_fingerprint")),
    };
    if root
        .get("final_json_present")
        .and_then(|v| v.bool())
        .is_none()
    {
        missing.push("final_json_present");
    }
    if meta.session_id.is_empty() {
        id.clone_into(&mut meta.session_id);
    }
    if meta.about.kind.is_empty() {
        // Without a context nothing can be gated by it: the same as a lost one.
        meta.about = unknown(id).about;
    }
    meta
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(kind: &str, reason: &str, contract: &str) -> Meta {
        let mut meta = unknown("x");
        meta.about.kind = kind.into();
        meta.about.router_reason = reason.into();
        meta.contract_type = contract.into();
        meta
    }

    #[test]
    fn a_context_that_an_earlier_program_lost_is_known_from_the_contract() {
        for (kind, reason, contract, subject) in [
            ("global", "No context provided", "task", Subject::Task),
            ("global", "No context provided", "phase", Subject::Phase),
            ("global", "No context provided", "track", Subject::Track),
            ("global", "No context provided", "global", Subject::Global),
            (
                "global",
                "Explicit --context flag: global",
                "task",
                Subject::Global,
            ),
            ("repo", "x", "global", Subject::Repo),
        ] {
            assert_eq!(meta(kind, reason, contract).subject(), Some(subject));
        }
        assert_eq!(meta("galaxy", "x", "global").subject(), None);
    }

    #[test]
    fn meta_json_has_the_keys_of_the_format_in_their_order() {
        let mut meta = meta("task", "Explicit --task flag: T\u{e9}", "task");
        meta.about.reference = Some("T\u{e9}".into());
        assert_eq!(
            meta.to_text(),
            "{\n  \"session_id\": \"x\",\n  \"context\": {\n    \"kind\": \"task\",\n    \"ref\": \"T\\u00e9\",\n    \
             \"router_reason\": \"Explicit --task flag: T\\u00e9\"\n  },\n  \"contract_type\": \"task\",\n  \
             \"created_at\": \"\",\n  \"updated_at\": \"\",\n  \"status\": \"open\",\n  \"final_json_present\": false,\n  \
             \"engine\": \"unknown\",\n  \"model\": \"unknown\",\n  \"initial_prompt\": \"\",\n  \"wsession_id\": null\n}"
        );
    }

    #[test]
    fn the_optional_keys_follow_in_their_order_and_only_when_they_are_set() {
        let mut meta = unknown("x");
        meta.cache_policy = Some(CachePolicy {
            enabled: false,
            scope: "repo".into(),
            watch: vec!["src/**".into()],
        });
        meta.prompt_hash = Some("p".into());
        meta.diff_anchor = Some("d".into());
        meta.workspace_fingerprint = Some("w".into());
        let text = meta.to_text();
        let (_, tail) = text.split_once("\"wsession_id\": null,").unwrap();
        assert_eq!(
            tail,
            "\n  \"cache_policy\": {\n    \"enabled\": false,\n    \"scope\": \"repo\",\n    \"watch\": [\n      \
             \"src/**\"\n    ]\n  },\n  \"prompt_hash\": \"p\",\n  \"diff_anchor\": \"d\",\n  \
             \"workspace_fingerprint\": \"w\"\n}"
        );
        meta.cache_policy = None;
        meta.diff_anchor = None;
        let text = meta.to_text();
        assert!(!text.contains("cache_policy") && !text.contains("diff_anchor"));
    }

    #[test]
    fn the_fingerprint_of_a_prompt_is_that_of_its_compact_sorted_json() {
        let about = About {
            kind: "global".into(),
            reference: None,
            router_reason: "r".into(),
        };
        // Of {"context":{"kind":"global","ref":null,"router_reason":"r"},"prompt_contract_version":"v1","rendered_prompt":"p"}
        assert_eq!(
            prompt_hash(&about, "p"),
            "89704ff82bf97e586eff7ab5e77555834a502dd960e458b56c4c0525a91f0208"
        );
    }
}
