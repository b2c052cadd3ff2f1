"""The Python peer: protobuf from PyPI, with upb, asked over stdin and stdout. interop/README.md names the operations."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "build"))

import google.protobuf
from factory_run.v1.factory_run_pb2 import SessionFactoryRunFromToolResult
from google.protobuf import empty_pb2
from google.protobuf.internal import api_implementation
from google.protobuf.message import DecodeError

import neutral


def decode(body):
    return SessionFactoryRunFromToolResult.FromString(body)


def encode(message):
    # Map entries in a settled order, so that the same content always gives the same bytes.
    return message.SerializeToString(deterministic=True)


def versions(_body):
    return f"Python {sys.version.split()[0]}, protobuf {google.protobuf.__version__} ({api_implementation.Type()})".encode()


OPERATIONS = {
    b"v": versions,
    b"d": lambda body: neutral.write_message(decode(body)),
    b"e": lambda body: encode(neutral.read_message(body, SessionFactoryRunFromToolResult())),
    b"r": lambda body: encode(decode(body)),
    b"u": lambda body: encode(empty_pb2.Empty.FromString(body)),
}


def main():
    # The notation and its reader recurse; what they may meet is bounded by the peers' own limits.
    sys.setrecursionlimit(100_000)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while length := source.read(4):
        request = source.read(int.from_bytes(length, "little"))
        try:
            answer = b"o" + OPERATIONS[request[:1]](request[1:])
        except DecodeError as error:
            answer = b"e" + str(error).encode()
        sink.write(len(answer).to_bytes(4, "little") + answer)
        sink.flush()


main()
