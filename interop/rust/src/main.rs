//! The Rust peer: serde and prost, asked over stdin and stdout. interop/README.md names the operations.

mod frames;
mod mapping;
mod neutral;
mod structs;

mod proto {
    include!(concat!(env!("OUT_DIR"), "/factory_run.v1.rs"));
}

use prost::Message;
use proto::SessionFactoryRunFromToolResult;
use std::io::{self, BufReader};
use structs::SnakeEnvelope;

type Answer = Result<Vec<u8>, String>;

fn main() -> io::Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = io::stdout().lock();
    while let Some(request) = frames::read(&mut input)? {
        let (&operation, body) = request
            .split_first()
            .expect("a request names its operation");
        frames::write(&mut output, answer(operation, body))?;
    }
    Ok(())
}

fn answer(operation: u8, body: &[u8]) -> Answer {
    match operation {
        b'v' => Ok(env!("PEER_VERSIONS").into()),
        b's' => reprint::<SnakeEnvelope>(body),
        b'c' => reprint_camel(body),
        b'q' => equal(body),
        b'd' => Ok(neutral::Writer::default().message(&decode(body)?)),
        b'e' => Ok(neutral::Reader(body).message().encode_to_vec()),
        b'r' => Ok(decode(body)?.encode_to_vec()),
        b'u' => <() as Message>::decode(body)
            .map(|empty| empty.encode_to_vec())
            .map_err(text),
        b'j' => serde_json::to_vec(&mapping::to_struct(decode(body)?)?).map_err(text),
        b'b' => serde_json::from_slice(body)
            .map(|value| mapping::to_message(value).encode_to_vec())
            .map_err(text),
        other => panic!("no such operation: {}", other as char),
    }
}

fn decode(binary: &[u8]) -> Result<SessionFactoryRunFromToolResult, String> {
    SessionFactoryRunFromToolResult::decode(binary).map_err(text)
}

fn reprint<T: serde::de::DeserializeOwned + serde::Serialize>(json: &[u8]) -> Answer {
    let value: T = serde_json::from_slice(json).map_err(text)?;
    serde_json::to_vec(&value).map_err(text)
}

#[cfg(feature = "sdk")]
fn reprint_camel(json: &[u8]) -> Answer {
    reprint::<structs::CamelEnvelope>(json)
}

#[cfg(not(feature = "sdk"))]
fn reprint_camel(_json: &[u8]) -> Answer {
    panic!("this build is without the SDK");
}

/// Two texts, the first after its length, compared as `serde_json::Value`.
fn equal(body: &[u8]) -> Answer {
    let (length, rest) = body.split_first_chunk().expect("a length");
    let (first, second) = rest.split_at(u32::from_le_bytes(*length) as usize);
    let first: serde_json::Value = serde_json::from_slice(first).map_err(text)?;
    let second: serde_json::Value = serde_json::from_slice(second).map_err(text)?;
    Ok(if first == second {
        "equal".into()
    } else {
        "different".into()
    })
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
