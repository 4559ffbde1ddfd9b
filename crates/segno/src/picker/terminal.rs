//! Connects the picker to the terminal, and gives the terminal back whatever happens.
//!
//! It is painted on standard error, so that the answer on standard output can go elsewhere.

use std::io::{self, Stderr};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, Event};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::draw::{Labels, draw};
use super::keys;
use super::state::{Picker, Step};

/// How long the keys must rest before a preview is loaded.
const REST: Duration = Duration::from_millis(40);

/// Whether the terminal is ours at the moment.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Lets a person choose a row; `None` when they leave. `load` gives the preview of a row.
pub fn pick(
    picker: &mut Picker,
    labels: &Labels,
    load: &mut dyn FnMut(usize) -> Vec<String>,
) -> io::Result<Option<usize>> {
    let mut screen = Screen::open()?;
    loop {
        screen.paint(picker, labels)?;
        if let Some(place) = picker.wants_preview()
            && !event::poll(REST)?
        {
            picker.set_preview(place, load(place));
            continue;
        }
        // A resize and anything else that is no key only paints anew.
        if let Event::Key(press) = event::read()?
            && let Some(key) = keys::of(press)
        {
            match picker.press(key) {
                Step::More => {}
                Step::Chosen(place) => return Ok(Some(place)),
                Step::Left => return Ok(None),
            }
        }
    }
}

/// The terminal while it is ours.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stderr>>,
    _ending: Ending,
}

impl Screen {
    fn open() -> io::Result<Self> {
        restore_before_a_panic_is_told();
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let opened = execute!(io::stderr(), EnterAlternateScreen)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stderr())));
        match opened {
            Ok(terminal) => Ok(Self {
                terminal,
                _ending: Ending::watch(),
            }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Paints one picture, whole: a signal waits for its end and then keeps the stream, so that nothing is painted over a
    /// terminal that was given back.
    fn paint(&mut self, picker: &mut Picker, labels: &Labels) -> io::Result<()> {
        let _whole = io::stderr().lock();
        self.terminal.draw(|frame| draw(frame, picker, labels))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back. There is nobody left to tell when that fails.
fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stderr(), LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
    }
}

/// What a panic says must not be said on a screen that is about to vanish.
fn restore_before_a_panic_is_told() {
    let told = panic::take_hook();
    panic::set_hook(Box::new(move |what| {
        restore();
        told(what);
    }));
}

/// Gives the terminal back when somebody ends us from outside.
#[cfg(unix)]
struct Ending(Option<signal_hook::iterator::Handle>);

#[cfg(unix)]
impl Ending {
    fn watch() -> Self {
        use signal_hook::consts::{SIGHUP, SIGTERM};
        use signal_hook::iterator::Signals;

        let Ok(mut signals) = Signals::new([SIGTERM, SIGHUP]) else {
            return Self(None);
        };
        let handle = signals.handle();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let _no_more_pictures = io::stderr().lock();
                restore();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
        Self(Some(handle))
    }
}

#[cfg(unix)]
impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(handle) = &self.0 {
            handle.close();
        }
    }
}

#[cfg(not(unix))]
struct Ending;

#[cfg(not(unix))]
impl Ending {
    fn watch() -> Self {
        Self
    }
}
