//! What a secret looks like, one rule each. `docs/secrets.md` shows this table to users; a test compares the two.
//!
//! The shapes are those that the issuers print or document. A rule that must guess (a password has no shape) looks at the
//! name before it, and leaves alone what is plainly not a secret: see [`Guard`].

/// One shape of secret.
#[derive(Debug)]
pub struct Rule {
    /// The name that stands in its place.
    pub name: &'static str,
    /// What it finds, for the table of rules.
    pub finds: &'static str,
    /// The shape. The first group, where there is one, is the secret; otherwise all of it is.
    pub(super) pattern: &'static str,
    /// What else must be true of the secret.
    pub(super) guard: Guard,
}

/// What else must be true of what a pattern found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// Nothing: nobody writes this by chance.
    Shape,
    /// It is as disorderly as a key: a long word with hyphens has the same letters.
    Random,
    /// It is a value, not a place for one (`${TOKEN}`, `<your key>`) and not a word of a sentence.
    Value,
    /// It is not a place for a value.
    Given,
}

const fn rule(
    name: &'static str,
    finds: &'static str,
    guard: Guard,
    pattern: &'static str,
) -> Rule {
    Rule {
        name,
        finds,
        pattern,
        guard,
    }
}

/// A shape that stands on its own: no letter or digit before it. An underscore may be (`token_ghp_…`), which `\b` forbids.
macro_rules! apart {
    ($shape:literal) => {
        concat!(r"(?:\A|[^A-Za-z0-9])(", $shape, ")")
    };
}

/// All rules. Where two find the same place, the one that stands first names it.
pub const RULES: &[Rule] = &[
    rule(
        "private-key",
        "PEM and PGP private key blocks, also when they are cut off",
        Guard::Shape,
        concat!(
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-[^-])*-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----",
            // Cut off: the lines behind it that are of a key. Whoever only speaks of the marker keeps their words.
            r"|(?:(?:[ \t]*\r?\n[ \t>|]*)+(?:[A-Za-z0-9+/]{8,}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\r\n]*)[ \t]*\r?(?m:$)",
            r"|(?:\\[nr])+[A-Za-z0-9+/]{8,}={0,2}|[ \t]+[A-Za-z0-9+/]{40,}={0,2})+)"
        ),
    ),
    rule(
        "age-key",
        "age secret keys (`AGE-SECRET-KEY-1…`)",
        Guard::Shape,
        r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
    ),
    rule(
        "anthropic-key",
        "Anthropic keys (`sk-ant-…`)",
        Guard::Shape,
        apart!(r"sk-ant-[A-Za-z0-9_-]{20,}"),
    ),
    rule(
        "openai-key",
        "OpenAI and OpenRouter keys, and others of that shape (`sk-…`, `sk-proj-…`, `sk-or-v1-…`)",
        Guard::Random,
        apart!(r"sk-[A-Za-z0-9_-]{20,}"),
    ),
    rule(
        "google-key",
        "Google API keys (`AIza…`), OAuth tokens (`ya29.…`) and client secrets (`GOCSPX-…`)",
        Guard::Shape,
        apart!(r"(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})"),
    ),
    rule(
        "model-host-token",
        "Tokens of Hugging Face (`hf_`), Groq (`gsk_`), xAI (`xai-`), Replicate (`r8_`) and Perplexity (`pplx-`)",
        Guard::Random,
        apart!(r"(?:hf_|gsk_|xai-|r8_|pplx-)[A-Za-z0-9]{24,}"),
    ),
    rule(
        "github-token",
        "GitHub tokens (`ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`, `github_pat_`)",
        Guard::Shape,
        apart!(r"(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})"),
    ),
    rule(
        "gitlab-token",
        "GitLab tokens (`glpat-…` and its siblings)",
        Guard::Shape,
        apart!(r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_-]{20,}"),
    ),
    rule(
        "aws-key-id",
        "AWS access key ids (`AKIA…`, `ASIA…`)",
        Guard::Shape,
        apart!(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16,}"),
    ),
    rule(
        "aws-secret",
        "AWS secret access keys, by the name before them",
        Guard::Given,
        r#"(?i)aws_?(?:secret|session)[a-z_ ]{0,24}["']?\s*[=:]\s*["']?([A-Za-z0-9/+=]{40,})"#,
    ),
    rule(
        "azure-key",
        "Azure account and shared access keys in connection strings",
        Guard::Shape,
        r"(?i)(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{40,})",
    ),
    rule(
        "slack-token",
        "Slack tokens (`xoxb-…`, `xapp-…`) and incoming webhooks",
        Guard::Shape,
        apart!(
            r"(?:xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,})|hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}"
        ),
    ),
    rule(
        "chat-token",
        "Telegram bot tokens and Discord webhooks",
        Guard::Shape,
        apart!(
            r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33,}|discord(?:app)?\.com/api/webhooks/[0-9]{10,}/[A-Za-z0-9_-]{40,}"
        ),
    ),
    rule(
        "payment-key",
        "Stripe and Square secrets (`sk_live_`, `rk_test_`, `whsec_`, `sq0csp-`)",
        Guard::Shape,
        apart!(
            r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}|sq0[a-z]{3}-[A-Za-z0-9_-]{22,})"
        ),
    ),
    rule(
        "registry-token",
        "Tokens of npm, PyPI, crates.io, RubyGems and Docker Hub",
        Guard::Shape,
        apart!(
            r"(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|cio[A-Za-z0-9]{32,}|rubygems_[a-f0-9]{48}|dckr_[a-z]+_[A-Za-z0-9_-]{20,})"
        ),
    ),
    rule(
        "service-token",
        "Tokens of SendGrid, Mailgun, Twilio, Shopify, Databricks, DigitalOcean, Vault, Linear, Notion and Figma",
        Guard::Shape,
        apart!(
            r"(?:SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}|key-[0-9a-f]{32,}|SK[0-9a-f]{32,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|dapi[a-f0-9]{32}|do[opr]_v1_[a-f0-9]{64}|hv[sbr]\.[A-Za-z0-9_-]{24,}|lin_api_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}|figd_[A-Za-z0-9_-]{36,})"
        ),
    ),
    rule(
        "jwt",
        "JSON web tokens (`eyJ….eyJ….…`)",
        Guard::Shape,
        apart!(r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    ),
    rule(
        "url-password",
        "Passwords in URLs (`scheme://user:password@host`)",
        Guard::Given,
        r#"[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>]*:(?:([^\s/"'<>]+)@|([^\s"'<>]+?)@)"#,
    ),
    rule(
        "url-token",
        "Tokens in the place of a user in URLs (`scheme://token@host`)",
        Guard::Random,
        r#"[A-Za-z][A-Za-z0-9+.-]*://([^\s/:@"'<>]{16,})(?::[^\s/@"'<>]*)?@"#,
    ),
    rule(
        "authorization",
        "`Authorization` headers and bearer tokens",
        Guard::Given,
        r#"(?i)authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|apikey|negotiate)\s+)?([^\s"',;<>]{8,})|(?:\A|[^a-z0-9])bearer\s+([A-Za-z0-9._~+/=-]{20,})"#,
    ),
    rule(
        "assigned-secret",
        "Values given to a name with password, passphrase, secret, token or key in it (`DB_PASSWORD=…`, `\"api_key\": \"…\"`)",
        Guard::Value,
        r#"(?i)(?:password|passwd|passphrase|secret|token|(?:api|access|auth|encryption|private|signing)[_-]?key)[a-z0-9_-]{0,16}["'`]?\s*(?::=|=>|=|:)\s*["'`]?([^\s"'`,;<>(){}\[\]]{8,})"#,
    ),
];
