// A message in the notation that all peers share (interop/README.md).
#pragma once

#include <string>

#include "factory_run/v1/factory_run.pb.h"

std::string write_message(const factory_run::v1::SessionFactoryRunFromToolResult& message);

// Reads what the matrix itself wrote, so a fault in it is a fault of the matrix and ends the peer.
factory_run::v1::SessionFactoryRunFromToolResult read_message(const std::string& bytes);
