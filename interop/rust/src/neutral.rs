//! A message in the notation that all peers share (interop/README.md), written from prost's types and read into them.

use crate::proto::{NumberText, Preserved, SessionFactoryRunFromToolResult, number_text::Place};
use prost_types::{ListValue, Struct, Value, value::Kind};
use std::collections::BTreeMap;

/// Prost's maps are sorted already, as the notation asks for.
#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn message(mut self, message: &SessionFactoryRunFromToolResult) -> Vec<u8> {
        self.option(&message.attempt, |w, attempt| {
            w.0.extend(attempt.to_le_bytes())
        });
        self.option(&message.error, |w, text| w.text(text));
        self.option(&message.failure, Self::value);
        self.option(&message.pause_info, Self::value);
        self.option(&message.reason, |w, text| w.text(text));
        self.option(&message.result, Self::value);
        self.text(&message.run_id);
        self.option(&message.snapshot, Self::value);
        self.0.extend(message.status.to_le_bytes());
        self.option(&message.preserved, |w, preserved| {
            w.map(&preserved.members, Self::value);
            w.map(&preserved.words, |w, word| w.text(word));
            w.list(&preserved.numbers, Self::node);
        });
        self.0
    }

    fn node(&mut self, node: &NumberText) {
        match &node.place {
            None => self.0.push(b'-'),
            Some(Place::Key(key)) => {
                self.0.push(b'k');
                self.text(key);
            }
            Some(Place::Index(index)) => {
                self.0.push(b'i');
                self.0.extend(index.to_le_bytes());
            }
        }
        self.option(&node.text, |w, text| w.text(text));
        self.list(&node.children, Self::node);
    }

    fn value(&mut self, value: &Value) {
        match &value.kind {
            None => self.0.push(b'?'),
            Some(Kind::NullValue(_)) => self.0.push(b'n'),
            Some(Kind::BoolValue(value)) => self.0.push(if *value { b't' } else { b'f' }),
            Some(Kind::NumberValue(value)) => {
                self.0.push(b'd');
                self.0.extend(value.to_bits().to_le_bytes());
            }
            Some(Kind::StringValue(value)) => {
                self.0.push(b's');
                self.text(value);
            }
            Some(Kind::ListValue(list)) => {
                self.0.push(b'a');
                self.list(&list.values, Self::value);
            }
            Some(Kind::StructValue(object)) => {
                self.0.push(b'o');
                self.map(&object.fields, Self::value);
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend(text.as_bytes());
    }

    fn count(&mut self, count: usize) {
        self.0.extend((count as u32).to_le_bytes());
    }

    fn option<T>(&mut self, option: &Option<T>, write: impl Fn(&mut Self, &T)) {
        self.0.push(option.is_some() as u8);
        if let Some(value) = option {
            write(self, value);
        }
    }

    fn list<T>(&mut self, list: &[T], write: impl Fn(&mut Self, &T)) {
        self.count(list.len());
        list.iter().for_each(|item| write(self, item));
    }

    fn map<T>(&mut self, map: &BTreeMap<String, T>, write: impl Fn(&mut Self, &T)) {
        self.count(map.len());
        for (key, value) in map {
            self.text(key);
            write(self, value);
        }
    }
}

/// Reads what the matrix itself wrote, so a fault in it is a fault of the matrix and panics.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub fn message(mut self) -> SessionFactoryRunFromToolResult {
        let message = SessionFactoryRunFromToolResult {
            attempt: self.option(|r| i64::from_le_bytes(r.bytes())),
            error: self.option(Self::text),
            failure: self.option(Self::value),
            pause_info: self.option(Self::value),
            reason: self.option(Self::text),
            result: self.option(Self::value),
            run_id: self.text(),
            snapshot: self.option(Self::value),
            status: i32::from_le_bytes(self.bytes()),
            preserved: self.option(|r| Preserved {
                members: r.map(Self::value),
                words: r.map(Self::text),
                numbers: r.list(Self::node),
            }),
        };
        assert!(self.0.is_empty(), "{} bytes too many", self.0.len());
        message
    }

    fn node(&mut self) -> NumberText {
        NumberText {
            place: match self.byte() {
                b'-' => None,
                b'k' => Some(Place::Key(self.text())),
                b'i' => Some(Place::Index(u32::from_le_bytes(self.bytes()))),
                other => panic!("no place: {other}"),
            },
            text: self.option(Self::text),
            children: self.list(Self::node),
        }
    }

    fn value(&mut self) -> Value {
        let kind = match self.byte() {
            b'?' => None,
            b'n' => Some(Kind::NullValue(0)),
            b't' => Some(Kind::BoolValue(true)),
            b'f' => Some(Kind::BoolValue(false)),
            b'd' => Some(Kind::NumberValue(f64::from_bits(u64::from_le_bytes(
                self.bytes(),
            )))),
            b's' => Some(Kind::StringValue(self.text())),
            b'a' => Some(Kind::ListValue(ListValue {
                values: self.list(Self::value),
            })),
            b'o' => Some(Kind::StructValue(Struct {
                fields: self.map(Self::value),
            })),
            other => panic!("no kind: {other}"),
        };
        Value { kind }
    }

    fn text(&mut self) -> String {
        let length = self.count();
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8(text.to_vec()).expect("UTF-8")
    }

    fn count(&mut self) -> usize {
        u32::from_le_bytes(self.bytes()) as usize
    }

    fn byte(&mut self) -> u8 {
        self.bytes::<1>()[0]
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("more bytes");
        self.0 = rest;
        *bytes
    }

    fn option<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Option<T> {
        (self.byte() == 1).then(|| read(self))
    }

    fn list<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.count()).map(|_| read(self)).collect()
    }

    fn map<T>(&mut self, read: impl Fn(&mut Self) -> T) -> BTreeMap<String, T> {
        (0..self.count())
            .map(|_| (self.text(), read(self)))
            .collect()
    }
}
