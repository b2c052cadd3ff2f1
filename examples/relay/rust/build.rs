//! Generates the messages and the client from the .proto files, without protoc.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let roots = ["../proto", "../../../proto"];
    for root in roots {
        println!("cargo:rerun-if-changed={root}");
    }
    let files = protox::compile(["factory_relay/v1/factory_relay.proto"], roots)?;
    // Sorted maps, so that a run prints the same text each time.
    tonic_prost_build::configure()
        .build_server(false)
        .btree_map(".")
        .compile_fds(files)?;
    Ok(())
}
