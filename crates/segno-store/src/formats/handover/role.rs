//! Who may write: the Lead alone.
//!
//! Every operation that writes takes a [`Lead`], and the only way to one is to be it.

use crate::error::{Result, StoreError};

/// Proof that the writer is the Lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead(());

impl Lead {
    /// Claims to be the Lead; any other role is refused.
    pub fn claim(role: &str) -> Result<Self> {
        let role = role.trim();
        if role.eq_ignore_ascii_case("lead") {
            return Ok(Self(()));
        }
        let shown: String = role.chars().take(40).flat_map(char::escape_debug).collect();
        Err(StoreError::Refused {
            rule: format!("only the Lead writes handover files, and you are `{shown}`"),
            hints: vec![
                "report it to the Lead, who records it".to_owned(),
                "if you are the Lead, say so: `--as lead`, or `handover.role` in the configuration"
                    .to_owned(),
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_7_only_the_lead_writes() {
        for lead in ["lead", "Lead", " LEAD "] {
            assert!(Lead::claim(lead).is_ok(), "{lead}");
        }
        for other in ["builder", "inspector", "auditor", "architect", "", "leader"] {
            assert!(Lead::claim(other).is_err(), "{other}");
        }
    }
}
