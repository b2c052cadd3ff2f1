//! An envelope as the JSON that a plain serde struct writes, number texts and unknown members included.

use std::str::FromStr;

use prost_types::value::Kind;
use prost_types::Value;
use serde_json::{Map, Number, Value as Json};

use crate::factory_run::v1::number_text::Place;
use crate::factory_run::v1::{
    FactoryRunStatus, NumberText, Preserved, SessionFactoryRunFromToolResult,
};

/// Fails on a number that JSON does not have.
pub fn of(run: &SessionFactoryRunFromToolResult) -> Result<Json, String> {
    let nothing = Preserved::default();
    let preserved = run.preserved.as_ref().unwrap_or(&nothing);
    let mut members = Map::new();
    for (key, text) in [("error", &run.error), ("reason", &run.reason)] {
        if let Some(text) = text {
            members.insert(key.into(), text.as_str().into());
        }
    }
    if let Some(attempt) = run.attempt {
        members.insert("attempt".into(), attempt.into());
    }
    let values = [
        ("failure", &run.failure),
        ("pause_info", &run.pause_info),
        ("result", &run.result),
        ("snapshot", &run.snapshot),
    ];
    let fields = values
        .iter()
        .filter_map(|(key, value)| Some((*key, value.as_ref()?)));
    let unnamed = preserved
        .members
        .iter()
        .map(|(key, value)| (key.as_str(), value));
    for (key, value) in fields.chain(unnamed) {
        let place = Place::Key(key.into());
        members.insert(key.into(), json(value, node(&preserved.numbers, &place))?);
    }
    members.insert("run_id".into(), run.run_id.as_str().into());
    members.insert("status".into(), status(run, preserved).into());
    Ok(Json::Object(members))
}

fn status(run: &SessionFactoryRunFromToolResult, preserved: &Preserved) -> String {
    match run.status() {
        FactoryRunStatus::Unspecified => preserved
            .words
            .get("status")
            .cloned()
            .unwrap_or("Unknown".into()),
        named => {
            let name = named.as_str_name();
            name.strip_prefix("FACTORY_RUN_STATUS_")
                .unwrap_or(name)
                .to_lowercase()
        }
    }
}

fn json(value: &Value, texts: Option<&NumberText>) -> Result<Json, String> {
    let children = texts.map_or(&[] as &[NumberText], |node| &node.children);
    Ok(match &value.kind {
        None | Some(Kind::NullValue(_)) => Json::Null,
        Some(Kind::BoolValue(flag)) => Json::Bool(*flag),
        Some(Kind::StringValue(text)) => Json::String(text.clone()),
        Some(Kind::NumberValue(double)) => Json::Number(number(
            *double,
            texts.and_then(|node| node.text.as_deref()),
        )?),
        Some(Kind::ListValue(list)) => {
            let elements = list.values.iter().enumerate();
            let of = |(i, element)| json(element, node(children, &Place::Index(i as u32)));
            Json::Array(elements.map(of).collect::<Result<_, _>>()?)
        }
        Some(Kind::StructValue(object)) => {
            let mut members = Map::new();
            for (key, member) in &object.fields {
                members.insert(
                    key.clone(),
                    json(member, node(children, &Place::Key(key.clone())))?,
                );
            }
            Json::Object(members)
        }
    })
}

/// Of two nodes for one place the last counts.
fn node<'a>(nodes: &'a [NumberText], place: &Place) -> Option<&'a NumberText> {
    nodes
        .iter()
        .rev()
        .find(|node| node.place.as_ref() == Some(place))
}

/// A text counts only where it is the double that stands there: it may be stale, or forged.
fn number(double: f64, text: Option<&str>) -> Result<Number, String> {
    let same = |text: &&str| {
        text.parse::<f64>()
            .is_ok_and(|parsed| parsed.to_bits() == double.to_bits())
    };
    if let Some(kept) = text
        .filter(same)
        .and_then(|text| Number::from_str(text).ok())
    {
        return Ok(kept);
    }
    // Without a text, an integral double was an integer in JSON; -0 is the one that was not.
    if double.fract() == 0.0 && double.abs() < 1e21 && !(double == 0.0 && double.is_sign_negative())
    {
        return Number::from_str(&format!("{double:.0}")).map_err(|fault| fault.to_string());
    }
    Number::from_f64(double).ok_or(format!("{double} is no number in JSON"))
}
