//! From parser events to the span tree, counting against the budget at every step.
//!
//! The parser tells where scalars are but not where the `-`, `:` and `?` around them are. Between two tokens there is
//! only white space, comments and these indicators, so one forward scan of each gap finds them.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle};

use super::budget::{Budget, Meter, Refusal, Weight};
use super::doc::{Doc, Raw, Shape, Style, Tag, Text};
use super::error::{ErrorKind, YamlError};
use super::keys;
use super::layout;
use super::scan::scan_error;

pub(super) fn check_size(bytes: usize, budget: Budget) -> Result<(), YamlError> {
    if bytes <= budget.max_bytes {
        return Ok(());
    }
    let limit = budget.max_bytes;
    let message = format!("the file has {bytes} bytes, more than the {limit} allowed");
    Err(YamlError::new(ErrorKind::TooLarge, (1, 1), message))
}

pub(super) fn build(text: String, budget: Budget) -> Result<Doc, YamlError> {
    check_size(text.len(), budget)?;
    let (nodes, aliases) = {
        let mut builder = Builder::new(&text, budget);
        let options = granit_parser::options! {
            emit_comments: false,
            emit_anchor_events: true,
            flow_nesting_limit: budget.max_depth + 1,
            block_nesting_limit: budget.max_depth + 1,
        };
        for next in Parser::new_from_str_with_options(&text, options) {
            let (event, span) = next.map_err(|error| scan_error(&text, &error, budget))?;
            builder.take(event, span)?;
        }
        builder.finish()
    };
    Ok(Doc {
        text,
        nodes,
        aliases,
        budget,
    })
}

/// A collection that is not closed yet.
struct Open {
    node: u32,
    children: usize,
    weight: Weight,
    anchor: usize,
}

enum Anchored {
    Open,
    Closed(u32, Weight),
}

struct Builder<'t> {
    text: &'t str,
    nodes: Vec<Raw>,
    aliases: Vec<(u32, u32)>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Anchored>,
    meter: Meter,
    /// The byte after the last token or indicator.
    last_end: usize,
    documents: usize,
}

/// What a node is to its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Root,
    BlockItem,
    FlowItem,
    BlockKey,
    FlowKey,
    Value,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, budget: Budget) -> Self {
        Self {
            text,
            nodes: Vec::with_capacity((text.len() / 16).min(budget.max_nodes)),
            aliases: Vec::new(),
            open: Vec::new(),
            anchors: BTreeMap::new(),
            meter: Meter::new(budget),
            last_end: layout::bom_len(text),
            documents: 0,
        }
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        match event {
            Event::DocumentStart(explicit, _) => self.document(explicit, span),
            Event::Scalar(value, style, anchor, tag) => {
                let tag = tag_of(tag.as_deref());
                self.scalar(&value, style, anchor, tag, span)
            }
            Event::SequenceStart(style, anchor, tag) => {
                let flow = style == StructureStyle::Flow;
                self.open(
                    Shape::List { flow },
                    flow,
                    anchor,
                    tag_of(tag.as_deref()),
                    span,
                )
            }
            Event::MappingStart(style, anchor, tag) => {
                let flow = style == StructureStyle::Flow;
                self.open(
                    Shape::Map { flow },
                    flow,
                    anchor,
                    tag_of(tag.as_deref()),
                    span,
                )
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Alias(id) => self.alias(id, span),
            Event::Anchor(_, _) => {
                let start = offset(span.start.byte_offset());
                if let Some(node) = self.nodes.last_mut() {
                    node.head = node.head.min(small(start));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn document(&mut self, explicit: bool, span: Span) -> Result<(), YamlError> {
        self.documents += 1;
        if self.documents > 1 {
            let message = "a second document begins here; a session file holds one";
            return Err(error_at(
                &span,
                ErrorKind::ManyDocuments,
                message.to_owned(),
            ));
        }
        if explicit {
            self.last_end = offset(span.end.byte_offset());
        }
        Ok(())
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Tag,
        span: Span,
    ) -> Result<(), YamlError> {
        let (mut start, mut end) = byte_range(&span);
        let role = self.role();
        let lead = self.lead(role, start);
        let mut line = span.start.line();
        let style = style_of(style);
        let text = match style {
            Style::Plain if start == end => {
                // An absent value: the parser places it before the indicator, we behind.
                if anchor == 0 && tag == Tag::None && role != Role::Root {
                    start = self.last_end;
                    end = start;
                }
                Text::Piece(small(start), small(start))
            }
            Style::Plain => self.piece(value, start, end),
            Style::Single | Style::Double => self.piece(value, start + 1, end.saturating_sub(1)),
            Style::Literal | Style::Folded => {
                let header = layout::block_header(self.text, self.last_end);
                let between = self.text.get(header..start).unwrap_or("");
                line = line.saturating_sub(between.bytes().filter(|b| *b == b'\n').count());
                end = layout::block_end(self.text, header, start, end, span.indent.unwrap_or(0));
                start = header;
                Text::Own(value.into())
            }
        };
        let weight = Weight::scalar(value.len());
        self.count(weight, &span)?;
        let head = span.tag_start.and_then(|mark| mark.byte_offset());
        let index = self.push(Raw {
            lead: small(lead.unwrap_or(start)),
            head: small(head.map_or(start, |tag| tag.min(start))),
            start: small(start),
            end: small(end),
            next: 0,
            parent: 0,
            line: small(line),
            tag,
            shape: Shape::Scalar(style, text),
        });
        self.last_end = end.max(self.last_end);
        self.seal(index, anchor, weight);
        Ok(())
    }

    /// The resolved text as a piece of the document, where it stands there unchanged.
    fn piece(&self, value: &str, start: usize, end: usize) -> Text {
        if self.text.get(start..end) == Some(value) {
            Text::Piece(small(start), small(end))
        } else {
            Text::Own(value.into())
        }
    }

    fn open(
        &mut self,
        shape: Shape,
        flow: bool,
        anchor: usize,
        tag: Tag,
        span: Span,
    ) -> Result<(), YamlError> {
        let (start, end) = byte_range(&span);
        let role = self.role();
        let lead = self.lead(role, start);
        let weight = Weight {
            nodes: 1,
            bytes: 0,
            depth: 1,
        };
        self.count(weight, &span)?;
        let head = span.tag_start.and_then(|mark| mark.byte_offset());
        let index = self.push(Raw {
            lead: small(lead.unwrap_or(start)),
            head: small(head.map_or(start, |tag| tag.min(start))),
            start: small(start),
            end: small(end),
            next: 0,
            parent: 0,
            line: small(span.start.line()),
            tag,
            shape,
        });
        if flow {
            self.last_end = end.max(self.last_end);
        }
        if anchor != 0 {
            self.anchors.insert(anchor, Anchored::Open);
        }
        self.open.push(Open {
            node: index,
            children: 0,
            weight,
            anchor,
        });
        Ok(())
    }

    fn close(&mut self, span: Span) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let next = small(self.nodes.len());
        let flow_end = offset(span.end.byte_offset());
        let last_child_end = self.last_end;
        let mut is_map = false;
        if let Some(node) = self.nodes.get_mut(open.node as usize) {
            node.next = next;
            is_map = matches!(node.shape, Shape::Map { .. });
            if matches!(
                node.shape,
                Shape::Map { flow: true } | Shape::List { flow: true }
            ) {
                node.end = small(flow_end);
                self.last_end = flow_end.max(self.last_end);
            } else {
                node.end = small(last_child_end);
            }
        }
        if is_map {
            keys::check(self.text, &self.nodes, open.node)?;
        }
        self.seal(open.node, open.anchor, open.weight);
        Ok(())
    }

    fn alias(&mut self, id: usize, span: Span) -> Result<(), YamlError> {
        let (start, end) = byte_range(&span);
        let role = self.role();
        let lead = self.lead(role, start);
        let Some(Anchored::Closed(target, weight)) = self.anchors.get(&id) else {
            let message = "an alias inside the value that it stands for".to_owned();
            return Err(error_at(&span, ErrorKind::Aliases, message));
        };
        let (target, weight) = (*target, *weight);
        let counted = self.meter.alias(weight, self.open.len());
        counted.map_err(|Refusal(kind, text)| error_at(&span, kind, text))?;
        let index = self.push(Raw {
            lead: small(lead.unwrap_or(start)),
            head: small(start),
            start: small(start),
            end: small(end),
            next: 0,
            parent: 0,
            line: small(span.start.line()),
            tag: Tag::None,
            shape: Shape::Alias { target },
        });
        self.aliases.push((index, target));
        self.last_end = end.max(self.last_end);
        self.seal(index, 0, weight);
        Ok(())
    }

    fn role(&self) -> Role {
        let Some(open) = self.open.last() else {
            return Role::Root;
        };
        match self.nodes.get(open.node as usize).map(|node| &node.shape) {
            Some(Shape::List { flow: true }) => Role::FlowItem,
            Some(Shape::List { flow: false }) => Role::BlockItem,
            _ if open.children % 2 == 1 => Role::Value,
            Some(Shape::Map { flow: true }) => Role::FlowKey,
            _ => Role::BlockKey,
        }
    }

    /// Finds the indicator that introduces the next node and moves behind it.
    fn lead(&mut self, role: Role, start: usize) -> Option<usize> {
        let indicator = match role {
            Role::BlockItem => b'-',
            Role::Value => b':',
            Role::BlockKey => b'?',
            Role::Root | Role::FlowItem | Role::FlowKey => return None,
        };
        // A collection's own anchor and tag stand before its first indicator.
        let at = match role {
            Role::Value => layout::skip_gap(self.text, self.last_end),
            _ => layout::skip_properties(self.text, self.last_end),
        };
        let found = self.text.as_bytes().get(at) == Some(&indicator);
        if !found || (role == Role::BlockKey && at >= start) {
            return None;
        }
        self.last_end = at + 1;
        Some(at)
    }

    fn count(&mut self, weight: Weight, span: &Span) -> Result<(), YamlError> {
        let counted = self.meter.node(weight, self.open.len());
        counted.map_err(|Refusal(kind, text)| error_at(span, kind, text))
    }

    fn push(&mut self, mut node: Raw) -> u32 {
        let index = small(self.nodes.len());
        node.next = index + 1;
        if let Some(open) = self.open.last_mut() {
            node.parent = open.node;
            let first = open.children == 0;
            open.children += 1;
            if let Some(parent) = self.nodes.get_mut(open.node as usize)
                && first
                && matches!(
                    parent.shape,
                    Shape::Map { flow: false } | Shape::List { flow: false }
                )
            {
                // The parser places a list at its key's column behind its first dash.
                let untagged = parent.head == parent.start;
                parent.start = node.lead;
                if untagged {
                    parent.head = node.lead;
                }
            }
        }
        self.nodes.push(node);
        index
    }

    /// Adds a finished node to its parent's weight and remembers it under its anchor.
    fn seal(&mut self, index: u32, anchor: usize, weight: Weight) {
        if let Some(open) = self.open.last_mut() {
            open.weight.add(weight);
        }
        if anchor != 0 {
            self.anchors.insert(anchor, Anchored::Closed(index, weight));
        }
    }

    fn finish(mut self) -> (Vec<Raw>, Vec<(u32, u32)>) {
        if self.nodes.is_empty() {
            let end = small(self.text.len());
            self.nodes.push(Raw {
                lead: end,
                head: end,
                start: end,
                end,
                next: 1,
                parent: 0,
                line: 1,
                tag: Tag::None,
                shape: Shape::Scalar(Style::Plain, Text::Piece(end, end)),
            });
        }
        (self.nodes, self.aliases)
    }
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::Single,
        ScalarStyle::DoubleQuoted => Style::Double,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn tag_of(tag: Option<&granit_parser::Tag>) -> Tag {
    match tag {
        None => Tag::None,
        Some(tag) if tag.core_suffix() == Some("str") => Tag::Str,
        Some(tag) if tag.core_suffix().is_some() => Tag::Core,
        Some(tag) if tag.handle().is_empty() && tag.suffix() == "!" => Tag::Str,
        Some(_) => Tag::Custom,
    }
}

fn byte_range(span: &Span) -> (usize, usize) {
    (
        offset(span.start.byte_offset()),
        offset(span.end.byte_offset()),
    )
}

fn offset(at: Option<usize>) -> usize {
    at.expect("because a parser over a string slice always knows byte offsets")
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("because the budget keeps texts within 32 bits")
}

fn error_at(span: &Span, kind: ErrorKind, message: String) -> YamlError {
    let at = (span.start.line() as u64, span.start.col() as u64 + 1);
    YamlError::new(kind, at, message)
}
