//! Which language the command speaks.

use crate::Env;

const ENGLISH: &str = "error: there is no directory `x`";
const FRENCH: &str = "erreur : le répertoire `x` n’existe pas";
const JAPANESE: &str = "エラー: ディレクトリ `x` はありません";

#[track_caller]
fn check(env: &Env, args: &[&str], expected: &str) {
    let done = env.run([args, &["-C", "x", "config"]].concat());
    assert_eq!(done.stderr.lines().next(), Some(expected));
}

#[test]
fn the_option_wins_over_the_environment_and_english_is_the_rest() {
    check(&Env::new(), &[], ENGLISH);
    check(&Env::new(), &["--lang", "fr"], FRENCH);
    check(&Env::new().var("LANG", "ja_JP.UTF-8"), &[], JAPANESE);
    check(
        &Env::new()
            .var("LANG", "ja_JP.UTF-8")
            .var("LC_MESSAGES", "fr_CA"),
        &[],
        FRENCH,
    );
    check(
        &Env::new().var("LC_ALL", "C").var("LANG", "fr"),
        &[],
        ENGLISH,
    );
    check(
        &Env::new().var("LC_ALL", "fr").var("LANG", "ja"),
        &["--lang=en"],
        ENGLISH,
    );
    check(&Env::new().var("LANG", "de_DE.UTF-8"), &[], ENGLISH);
}

#[test]
fn a_configured_language_wins_over_the_environment() {
    let env = Env::new().var("LANG", "ja_JP.UTF-8");
    env.write("home/.config/segno/config.toml", "lang = \"fr\"");
    let done = env.run(["config", "get", "nothing"]);
    assert!(
        done.stderr
            .starts_with("erreur : la clé `nothing` n’existe pas\n"),
        "{}",
        done.stderr
    );
    let done = env.run(["config", "get", "nothing", "--lang=en"]);
    assert!(
        done.stderr
            .starts_with("error: there is no key `nothing`\n"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_language_that_is_not_spoken_is_a_usage_error() {
    let done = Env::new().run(["--lang", "de", "config"]);
    assert_eq!(done.code, 2);
    assert!(
        done.stderr.contains("[possible values: en, fr, ja]"),
        "{}",
        done.stderr
    );
}

#[test]
fn usage_errors_keep_the_form_in_every_language() {
    let done = Env::new().run(["--lang", "fr", "nope"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.starts_with("erreur : "), "{}", done.stderr);
    assert!(done.stderr.contains("\n  conseil : "), "{}", done.stderr);
}
