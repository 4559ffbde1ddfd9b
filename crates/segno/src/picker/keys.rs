//! What a key press means to the picker.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What a key press means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// A letter more.
    Letter(char),
    /// A letter less.
    Erase,
    /// A word less.
    EraseWord,
    /// No letters at all.
    EraseAll,
    /// This one.
    Take,
    /// None.
    Leave,
}

/// The meaning of a key; `None` for one that has none, and for a key that is let go.
pub(super) fn of(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    if event.modifiers.contains(KeyModifiers::CONTROL) {
        return match event.code {
            KeyCode::Char('c' | 'g' | 'd') => Some(Key::Leave),
            KeyCode::Char('p' | 'k') | KeyCode::Up => Some(Key::Up),
            KeyCode::Char('n' | 'j') | KeyCode::Down => Some(Key::Down),
            KeyCode::Char('h') => Some(Key::Erase),
            KeyCode::Char('w') | KeyCode::Backspace => Some(Key::EraseWord),
            KeyCode::Char('u') => Some(Key::EraseAll),
            KeyCode::Char('m') => Some(Key::Take),
            _ => None,
        };
    }
    Some(match event.code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::First,
        KeyCode::End => Key::Last,
        KeyCode::Backspace => Key::Erase,
        KeyCode::Enter => Key::Take,
        KeyCode::Esc => Key::Leave,
        KeyCode::Char(c) if !c.is_control() && !event.modifiers.contains(KeyModifiers::ALT) => {
            Key::Letter(c)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_mean_what_people_expect() {
        let check = |code: KeyCode, modifiers: KeyModifiers, expected: Option<Key>| {
            assert_eq!(of(KeyEvent::new(code, modifiers)), expected, "{code:?}");
        };
        check(
            KeyCode::Char('日'),
            KeyModifiers::NONE,
            Some(Key::Letter('日')),
        );
        check(
            KeyCode::Char('A'),
            KeyModifiers::SHIFT,
            Some(Key::Letter('A')),
        );
        check(KeyCode::Char('c'), KeyModifiers::CONTROL, Some(Key::Leave));
        check(KeyCode::Char('x'), KeyModifiers::ALT, None);
        check(KeyCode::Esc, KeyModifiers::NONE, Some(Key::Leave));
        check(KeyCode::Enter, KeyModifiers::NONE, Some(Key::Take));
        check(KeyCode::F(1), KeyModifiers::NONE, None);
        let released =
            KeyEvent::new_with_kind(KeyCode::Enter, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(of(released), None);
    }
}
