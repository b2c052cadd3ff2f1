//! Generates the message types from the schema of the repository, with a compiler in Rust, and notes the versions.

use std::{env, error::Error, fs, path::PathBuf};

/// What the peer names when it is asked for its versions.
const NAMED: [&str; 5] = [
    "github-copilot-sdk",
    "prost",
    "prost-types",
    "serde",
    "serde_json",
];

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let proto = here.join("../../proto");
    let file = proto.join("factory_run/v1/factory_run.proto");
    println!("cargo:rerun-if-changed={}", file.display());
    let descriptors = protox::compile([&file], [&proto])?;
    // Sorted maps, so that the same content always gives the same bytes.
    prost_build::Config::new()
        .btree_map(["."])
        .compile_fds(descriptors)?;

    println!("cargo:rerun-if-changed=Cargo.lock");
    let versions = versions(&fs::read_to_string(here.join("Cargo.lock"))?);
    println!("cargo:rustc-env=PEER_VERSIONS={}", versions.join(", "));
    Ok(())
}

fn versions(lock: &str) -> Vec<String> {
    let packages = lock.split("[[package]]").filter_map(|package| {
        let entry = |name: &str| {
            let line = package.lines().find(|line| line.starts_with(name))?;
            line.split('"').nth(1)
        };
        Some((entry("name = ")?, entry("version = ")?))
    });
    let without_sdk = env::var_os("CARGO_FEATURE_SDK").is_none();
    packages
        .filter(|(name, _)| NAMED.contains(name) && !(without_sdk && *name == "github-copilot-sdk"))
        .map(|(name, version)| format!("{name} {version}"))
        .collect()
}
