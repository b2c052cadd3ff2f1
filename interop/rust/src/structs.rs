//! The structs that read and write the envelope's JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The struct of the Copilot SDK itself, in camelCase.
#[cfg(feature = "sdk")]
pub use github_copilot_sdk::rpc::SessionFactoryRunFromToolResult as CamelEnvelope;

/// The same struct under Rust's own names: what a service that mirrors it without `rename_all` has.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SnakeEnvelope {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause_info: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    pub run_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Value>,
    pub status: Status,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    #[serde(rename = "pending")]
    Pending,
    #[serde(rename = "running")]
    Running,
    #[serde(rename = "completed")]
    Completed,
    #[serde(rename = "halted")]
    Halted,
    #[serde(rename = "paused")]
    Paused,
    #[serde(rename = "cancelled")]
    Cancelled,
    #[serde(rename = "error")]
    Error,
    #[default]
    #[serde(other)]
    Unknown,
}
