//! Paints the picker: the words typed, the list, a look at the marked session, the keys.
//!
//! Works on any size of terminal: what does not fit is left out, the preview first.

use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Cell, Paragraph, Row as TableRow, Table, TableState, Wrap};

use super::state::Picker;

/// From this width on the preview stands beside the list.
const WIDE: u16 = 100;
/// From this height on it stands below, when there is no room beside.
const TALL: u16 = 14;
/// From this width on a row says all it knows,
const ROOMY: u16 = 54;
/// from this one on where the session stands and when it was worked on,
const FAIR: u16 = 44;
/// and from this one on only when.
const SLIM: u16 = 30;

/// The words around the list.
#[derive(Debug, Clone)]
pub struct Labels {
    /// Before what is typed.
    pub prompt: String,
    /// What the keys do.
    pub keys: String,
    /// Said when nothing fits.
    pub nothing: String,
}

/// Paints the picker into a frame.
pub fn draw(frame: &mut Frame<'_>, picker: &mut Picker, labels: &Labels) {
    let area = frame.area();
    let [top, middle, bottom] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(u16::from(area.height >= 4)),
    ])
    .areas(area);
    query(frame, top, picker, labels);
    let (list_area, preview_area) = places(middle);
    picker.set_page(usize::from(list_area.height));
    list(frame, list_area, picker, labels);
    if let Some((area, borders)) = preview_area {
        preview(frame, area, borders, picker);
    }
    let keys = Line::styled(labels.keys.as_str(), dim());
    frame.render_widget(Paragraph::new(keys), bottom);
}

fn places(area: Rect) -> (Rect, Option<(Rect, Borders)>) {
    if area.width >= WIDE {
        let [list, preview] =
            Layout::horizontal([Constraint::Percentage(55), Constraint::Fill(1)]).areas(area);
        (list, Some((preview, Borders::LEFT)))
    } else if area.height >= TALL {
        let [list, preview] =
            Layout::vertical([Constraint::Fill(1), Constraint::Percentage(50)]).areas(area);
        (list, Some((preview, Borders::TOP)))
    } else {
        (area, None)
    }
}

fn query(frame: &mut Frame<'_>, area: Rect, picker: &Picker, labels: &Labels) {
    let count = format!("{}/{}", picker.shown().len(), picker.total());
    let typed = Line::from(vec![
        Span::styled(format!("{} ", labels.prompt), strong()),
        Span::raw(picker.query()),
    ]);
    let width = u16::try_from(typed.width()).unwrap_or(u16::MAX);
    let room = u16::try_from(count.len() + 1).unwrap_or(u16::MAX);
    // What was typed last stays in sight.
    let typed_area = Rect {
        width: area
            .width
            .saturating_sub(if area.width >= SLIM { room } else { 0 }),
        ..area
    };
    let scroll = width.saturating_add(1).saturating_sub(typed_area.width);
    frame.render_widget(Paragraph::new(typed).scroll((0, scroll)), typed_area);
    if area.width >= SLIM {
        let count = Paragraph::new(Line::styled(count, dim())).alignment(Alignment::Right);
        frame.render_widget(count, area);
    }
    let cursor = width.saturating_sub(scroll);
    if cursor < area.width && area.height > 0 {
        frame.set_cursor_position(Position::new(area.x + cursor, area.y));
    }
}

fn list(frame: &mut Frame<'_>, area: Rect, picker: &Picker, labels: &Labels) {
    if picker.shown().len() == 0 {
        frame.render_widget(Paragraph::new(labels.nothing.as_str()), area);
        return;
    }
    let (kind, status, when) = (area.width >= ROOMY, area.width >= FAIR, area.width >= SLIM);
    let rows = picker.shown().map(|row| {
        let cells = [
            kind.then(|| Cell::from(Span::styled(row.kind.as_str(), dim()))),
            Some(Cell::from(row.title.as_str())),
            status.then(|| Cell::from(row.status.as_str())),
            when.then(|| Cell::from(Span::styled(row.when.as_str(), dim()))),
        ];
        TableRow::new(cells.into_iter().flatten())
    });
    let widths = [
        kind.then_some(Constraint::Length(12)),
        Some(Constraint::Fill(1)),
        status.then_some(Constraint::Length(10)),
        when.then_some(Constraint::Length(15)),
    ];
    let widths = widths.into_iter().flatten();
    let table = Table::new(rows, widths)
        .column_spacing(1)
        .highlight_symbol("> ")
        .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    let mut state = TableState::new().with_selected(Some(picker.marked()));
    frame.render_stateful_widget(table, area, &mut state);
}

fn preview(frame: &mut Frame<'_>, area: Rect, borders: Borders, picker: &Picker) {
    let lines: Vec<Line<'_>> = picker
        .preview()
        .iter()
        .map(|line| match line.strip_prefix('#') {
            Some(heading) => Line::styled(heading.trim_start_matches('#').trim_start(), strong()),
            None => Line::raw(line.as_str()),
        })
        .collect();
    let page = Paragraph::new(lines)
        .wrap(Wrap { trim: false })
        .block(Block::new().borders(borders).border_style(dim()));
    frame.render_widget(page, area);
}

fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

fn strong() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::picker::Key;
    use crate::picker::state::tests::picker;

    fn labels() -> Labels {
        Labels {
            prompt: "resume".to_owned(),
            keys: "Enter resume, Esc leave".to_owned(),
            nothing: "nothing fits".to_owned(),
        }
    }

    fn painted(picker: &mut Picker, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal
            .draw(|frame| draw(frame, picker, &labels()))
            .unwrap();
        let page = terminal.backend().to_string();
        // The back halves of wide letters are listed behind the line they are hidden in.
        let lines: Vec<&str> = page
            .lines()
            .map(|line| {
                line.split("\" Hidden")
                    .next()
                    .unwrap_or(line)
                    .trim_matches('"')
            })
            .collect();
        lines.join("|\n") + "|"
    }

    #[test]
    fn a_usual_terminal_shows_the_list_and_below_it_where_the_session_stopped() {
        let mut picker = picker();
        picker.press(Key::Down);
        insta::assert_snapshot!(painted(&mut picker, 72, 16), @r"
        resume                                                               3/3|
          conversation The append-only log            paused     2 hours ago    |
        > brainstorm   全文検索の設計                 paused     2 hours ago    |
          discuss      La décision                    paused     2 hours ago    |
                                                                                |
                                                                                |
                                                                                |
                                                                                |
        ────────────────────────────────────────────────────────────────────────|
        About 全文検索の設計                                                    |
        索引は後で                                                              |
                                                                                |
                                                                                |
                                                                                |
                                                                                |
        Enter resume, Esc leave                                                 |
        ");
    }

    #[test]
    fn a_wide_one_shows_it_beside() {
        insta::assert_snapshot!(painted(&mut picker(), 110, 7), @r"
        resume                                                                                                     3/3|
        > conversation The append-only log paused     2 hours ago    │About The append-only log                       |
          brainstorm   全文検索の設計      paused     2 hours ago    │we chose the log                                |
          discuss      La décision         paused     2 hours ago    │                                                |
                                                                     │                                                |
                                                                     │                                                |
        Enter resume, Esc leave                                                                                       |
        ");
    }

    #[test]
    fn a_narrow_one_shows_titles_cut_at_whole_letters() {
        let mut picker = picker();
        picker.press(Key::Letter('設'));
        insta::assert_snapshot!(painted(&mut picker, 13, 5), @r"
        resume 設    |
        > 全文検索の |
                     |
                     |
        Enter resume,|
        ");
    }

    #[test]
    fn no_size_is_too_small_and_nothing_that_fits_is_said() {
        for (width, height) in [(1, 1), (2, 2), (5, 3), (30, 1), (1, 30), (300, 2)] {
            painted(&mut picker(), width, height);
            painted(&mut Picker::new(Vec::new()), width, height);
        }
        let mut picker = picker();
        for c in "a long query that nothing at all can fit".chars() {
            picker.press(Key::Letter(c));
        }
        let page = painted(&mut picker, 40, 5);
        assert!(page.contains("nothing fits"), "{page}");
        assert!(page.contains("at all can fit"), "{page}");
    }
}
