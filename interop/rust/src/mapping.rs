//! Between the serde struct and the prost message, as a service that knows nothing of `preserved` would write it.

use crate::proto::{FactoryRunStatus, SessionFactoryRunFromToolResult};
use crate::structs::{SnakeEnvelope, Status};
use prost_types::{ListValue, NullValue, Struct, Value as WireValue, value::Kind};
use serde_json::{Map, Number, Value};

pub fn to_message(envelope: SnakeEnvelope) -> SessionFactoryRunFromToolResult {
    SessionFactoryRunFromToolResult {
        attempt: envelope.attempt,
        error: envelope.error,
        failure: envelope.failure.map(to_wire_value),
        pause_info: envelope.pause_info.map(to_wire_value),
        reason: envelope.reason,
        result: envelope.result.map(to_wire_value),
        run_id: envelope.run_id,
        snapshot: envelope.snapshot.map(to_wire_value),
        status: to_wire_status(envelope.status) as i32,
        preserved: None,
    }
}

/// Fails where JSON has no number for a double.
pub fn to_struct(message: SessionFactoryRunFromToolResult) -> Result<SnakeEnvelope, String> {
    let status = to_struct_status(message.status());
    let value = |value: Option<WireValue>| value.map(to_struct_value).transpose();
    Ok(SnakeEnvelope {
        attempt: message.attempt,
        error: message.error,
        failure: value(message.failure)?,
        pause_info: value(message.pause_info)?,
        reason: message.reason,
        result: value(message.result)?,
        run_id: message.run_id,
        snapshot: value(message.snapshot)?,
        status,
    })
}

fn to_wire_value(value: Value) -> WireValue {
    let kind = match value {
        Value::Null => Kind::NullValue(NullValue::NullValue as i32),
        Value::Bool(value) => Kind::BoolValue(value),
        Value::Number(value) => Kind::NumberValue(
            value
                .as_f64()
                .expect("every number of serde_json has a double"),
        ),
        Value::String(value) => Kind::StringValue(value),
        Value::Array(values) => Kind::ListValue(ListValue {
            values: values.into_iter().map(to_wire_value).collect(),
        }),
        Value::Object(members) => Kind::StructValue(Struct {
            fields: members
                .into_iter()
                .map(|(key, value)| (key, to_wire_value(value)))
                .collect(),
        }),
    };
    WireValue { kind: Some(kind) }
}

fn to_struct_value(value: WireValue) -> Result<Value, String> {
    Ok(match value.kind {
        None | Some(Kind::NullValue(_)) => Value::Null,
        Some(Kind::BoolValue(value)) => Value::Bool(value),
        Some(Kind::NumberValue(value)) => Value::Number(
            Number::from_f64(value).ok_or_else(|| format!("no JSON number for {value}"))?,
        ),
        Some(Kind::StringValue(value)) => Value::String(value),
        Some(Kind::ListValue(list)) => Value::Array(
            list.values
                .into_iter()
                .map(to_struct_value)
                .collect::<Result<_, _>>()?,
        ),
        Some(Kind::StructValue(object)) => {
            let members = object
                .fields
                .into_iter()
                .map(|(key, value)| Ok((key, to_struct_value(value)?)));
            Value::Object(members.collect::<Result<Map<_, _>, String>>()?)
        }
    })
}

fn to_wire_status(status: Status) -> FactoryRunStatus {
    match status {
        Status::Pending => FactoryRunStatus::Pending,
        Status::Running => FactoryRunStatus::Running,
        Status::Completed => FactoryRunStatus::Completed,
        Status::Halted => FactoryRunStatus::Halted,
        Status::Paused => FactoryRunStatus::Paused,
        Status::Cancelled => FactoryRunStatus::Cancelled,
        Status::Error => FactoryRunStatus::Error,
        Status::Unknown => FactoryRunStatus::Unspecified,
    }
}

fn to_struct_status(status: FactoryRunStatus) -> Status {
    match status {
        FactoryRunStatus::Pending => Status::Pending,
        FactoryRunStatus::Running => Status::Running,
        FactoryRunStatus::Completed => Status::Completed,
        FactoryRunStatus::Halted => Status::Halted,
        FactoryRunStatus::Paused => Status::Paused,
        FactoryRunStatus::Cancelled => Status::Cancelled,
        FactoryRunStatus::Error => Status::Error,
        FactoryRunStatus::Unspecified => Status::Unknown,
    }
}
