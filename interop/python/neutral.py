"""A message in the notation that all peers share (interop/README.md)."""

import struct


def write_message(message):
    out = bytearray()
    if _present(out, message.HasField("attempt")):
        out += struct.pack("<q", message.attempt)
    _optional(out, message, "error", _write_text)
    _optional(out, message, "failure", _write_value)
    _optional(out, message, "pause_info", _write_value)
    _optional(out, message, "reason", _write_text)
    _optional(out, message, "result", _write_value)
    _write_text(out, message.run_id)
    _optional(out, message, "snapshot", _write_value)
    out += struct.pack("<i", message.status)
    if _present(out, message.HasField("preserved")):
        _write_map(out, message.preserved.members, _write_value)
        _write_map(out, message.preserved.words, _write_text)
        _write_nodes(out, message.preserved.numbers)
    return bytes(out)


def _write_nodes(out, nodes):
    _count(out, len(nodes))
    for node in nodes:
        match node.WhichOneof("place"):
            case None:
                out += b"-"
            case "key":
                out += b"k"
                _write_text(out, node.key)
            case "index":
                out += b"i"
                _count(out, node.index)
        _optional(out, node, "text", _write_text)
        _write_nodes(out, node.children)


def _write_value(out, value):
    match value.WhichOneof("kind"):
        case None:
            out += b"?"
        case "null_value":
            out += b"n"
        case "bool_value":
            out += b"t" if value.bool_value else b"f"
        case "number_value":
            out += b"d" + struct.pack("<d", value.number_value)
        case "string_value":
            out += b"s"
            _write_text(out, value.string_value)
        case "list_value":
            out += b"a"
            _count(out, len(value.list_value.values))
            for item in value.list_value.values:
                _write_value(out, item)
        case "struct_value":
            out += b"o"
            _write_map(out, value.struct_value.fields, _write_value)


def _optional(out, message, field, write):
    if _present(out, message.HasField(field)):
        write(out, getattr(message, field))


def _present(out, present):
    out.append(present)
    return present


def _count(out, count):
    out += struct.pack("<I", count)


def _write_text(out, text):
    encoded = text.encode()
    _count(out, len(encoded))
    out += encoded


def _write_map(out, entries, write):
    _count(out, len(entries))
    for key in sorted(entries, key=str.encode):
        _write_text(out, key)
        write(out, entries[key])


def read_message(body, message):
    """Reads what the matrix itself wrote, so a fault in it is a fault of the matrix and ends the peer."""
    reader = _Reader(body)
    if reader.present():
        message.attempt = reader.unpack("<q")
    reader.optional_text(message, "error")
    reader.optional_value(message, "failure")
    reader.optional_value(message, "pause_info")
    reader.optional_text(message, "reason")
    reader.optional_value(message, "result")
    message.run_id = reader.text()
    reader.optional_value(message, "snapshot")
    message.status = reader.unpack("<i")
    if reader.present():
        preserved = message.preserved
        preserved.SetInParent()
        for _ in range(reader.count()):
            reader.value(preserved.members[reader.text()])
        for _ in range(reader.count()):
            key = reader.text()
            preserved.words[key] = reader.text()
        reader.nodes(preserved.numbers)
    assert reader.place == len(body), "bytes too many"
    return message


class _Reader:
    def __init__(self, body):
        self.body = body
        self.place = 0

    def nodes(self, nodes):
        for _ in range(self.count()):
            node = nodes.add()
            place = self.take(1)
            if place == b"k":
                node.key = self.text()
            elif place == b"i":
                node.index = self.count()
            else:
                assert place == b"-", place
            self.optional_text(node, "text")
            self.nodes(node.children)

    def value(self, value):
        kind = self.take(1)
        match kind:
            case b"?":
                value.SetInParent()
            case b"n":
                value.null_value = 0
            case b"t" | b"f":
                value.bool_value = kind == b"t"
            case b"d":
                value.number_value = self.unpack("<d")
            case b"s":
                value.string_value = self.text()
            case b"a":
                value.list_value.SetInParent()
                for _ in range(self.count()):
                    self.value(value.list_value.values.add())
            case b"o":
                value.struct_value.SetInParent()
                for _ in range(self.count()):
                    self.value(value.struct_value.fields[self.text()])
            case _:
                raise AssertionError(kind)

    def optional_text(self, message, field):
        if self.present():
            setattr(message, field, self.text())

    def optional_value(self, message, field):
        if self.present():
            self.value(getattr(message, field))

    def present(self):
        return self.take(1) == b"\1"

    def text(self):
        return self.take(self.count()).decode()

    def count(self):
        return self.unpack("<I")

    def unpack(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def take(self, length):
        taken = self.body[self.place : self.place + length]
        assert len(taken) == length, "more bytes"
        self.place += length
        return taken
