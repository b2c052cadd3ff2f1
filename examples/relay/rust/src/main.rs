//! Reads a run from a relay by gRPC and prints each state as serde's JSON, one a line.

mod envelope_json;

mod factory_run {
    pub mod v1 {
        tonic::include_proto!("factory_run.v1");
    }
}

mod factory_relay {
    pub mod v1 {
        tonic::include_proto!("factory_relay.v1");
    }
}

use std::process::ExitCode;

use factory_relay::v1::factory_relay_service_client::FactoryRelayServiceClient;
use factory_relay::v1::{GetRunRequest, WatchRunRequest};
use factory_run::v1::SessionFactoryRunFromToolResult;

const USAGE: &str = "usage: factory-relay-client get|watch URL RUN_ID...";

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, url, run_ids) = match arguments.as_slice() {
        [command, url, run_ids @ ..] if !run_ids.is_empty() => (command.as_str(), url, run_ids),
        _ => return usage(),
    };
    let outcome = match command {
        "get" => get(url, run_ids).await,
        "watch" => watch(url, run_ids).await,
        _ => return usage(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

async fn get(url: &str, run_ids: &[String]) -> Result<(), Failure> {
    let mut client = FactoryRelayServiceClient::connect(url.to_owned()).await?;
    for run_id in run_ids {
        let run_id = run_id.clone();
        print(
            client
                .get_run(GetRunRequest { run_id })
                .await?
                .into_inner()
                .run,
        )?;
    }
    Ok(())
}

async fn watch(url: &str, run_ids: &[String]) -> Result<(), Failure> {
    let mut client = FactoryRelayServiceClient::connect(url.to_owned()).await?;
    for run_id in run_ids {
        let run_id = run_id.clone();
        let mut states = client
            .watch_run(WatchRunRequest { run_id })
            .await?
            .into_inner();
        while let Some(state) = states.message().await? {
            print(state.run)?;
        }
    }
    Ok(())
}

fn print(run: Option<SessionFactoryRunFromToolResult>) -> Result<(), Failure> {
    println!(
        "{}",
        envelope_json::of(&run.ok_or("a response without a run")?)?
    );
    Ok(())
}
