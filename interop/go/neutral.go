package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"interop/go/build/factoryrun"
)

// A message in the notation that all peers share (interop/README.md).
type writer struct{ bytes []byte }

func writeMessage(message *factoryrun.SessionFactoryRunFromToolResult) []byte {
	w := &writer{}
	if w.present(message.Attempt != nil) {
		w.bytes = binary.LittleEndian.AppendUint64(w.bytes, uint64(*message.Attempt))
	}
	w.optionalText(message.Error)
	w.optionalValue(message.Failure)
	w.optionalValue(message.PauseInfo)
	w.optionalText(message.Reason)
	w.optionalValue(message.Result)
	w.text(message.RunId)
	w.optionalValue(message.Snapshot)
	w.count(int(message.Status))
	if w.present(message.Preserved != nil) {
		writeMap(w, message.Preserved.Members, w.value)
		writeMap(w, message.Preserved.Words, w.text)
		w.nodes(message.Preserved.Numbers)
	}
	return w.bytes
}

func (w *writer) nodes(nodes []*factoryrun.NumberText) {
	w.count(len(nodes))
	for _, node := range nodes {
		switch place := node.Place.(type) {
		case nil:
			w.byte('-')
		case *factoryrun.NumberText_Key:
			w.byte('k')
			w.text(place.Key)
		case *factoryrun.NumberText_Index:
			w.byte('i')
			w.count(int(place.Index))
		}
		w.optionalText(node.Text)
		w.nodes(node.Children)
	}
}

func (w *writer) value(value *structpb.Value) {
	switch kind := value.Kind.(type) {
	case nil:
		w.byte('?')
	case *structpb.Value_NullValue:
		w.byte('n')
	case *structpb.Value_BoolValue:
		if kind.BoolValue {
			w.byte('t')
		} else {
			w.byte('f')
		}
	case *structpb.Value_NumberValue:
		w.byte('d')
		w.bytes = binary.LittleEndian.AppendUint64(w.bytes, math.Float64bits(kind.NumberValue))
	case *structpb.Value_StringValue:
		w.byte('s')
		w.text(kind.StringValue)
	case *structpb.Value_ListValue:
		w.byte('a')
		w.count(len(kind.ListValue.GetValues()))
		for _, item := range kind.ListValue.GetValues() {
			w.value(item)
		}
	case *structpb.Value_StructValue:
		w.byte('o')
		writeMap(w, kind.StructValue.GetFields(), w.value)
	}
}

func (w *writer) optionalText(text *string) {
	if w.present(text != nil) {
		w.text(*text)
	}
}

func (w *writer) optionalValue(value *structpb.Value) {
	if w.present(value != nil) {
		w.value(value)
	}
}

func (w *writer) present(present bool) bool {
	if present {
		w.byte(1)
	} else {
		w.byte(0)
	}
	return present
}

func (w *writer) text(text string) {
	w.count(len(text))
	w.bytes = append(w.bytes, text...)
}

func (w *writer) count(count int) { w.bytes = binary.LittleEndian.AppendUint32(w.bytes, uint32(count)) }
func (w *writer) byte(b byte)     { w.bytes = append(w.bytes, b) }

func writeMap[T any](w *writer, entries map[string]T, write func(T)) {
	w.count(len(entries))
	keys := make([]string, 0, len(entries))
	for key := range entries {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		w.text(key)
		write(entries[key])
	}
}

// Reads what the matrix itself wrote, so a fault in it is a fault of the matrix and panics.
type reader struct{ rest []byte }

func readMessage(bytes []byte) *factoryrun.SessionFactoryRunFromToolResult {
	r := &reader{bytes}
	message := &factoryrun.SessionFactoryRunFromToolResult{}
	if r.present() {
		message.Attempt = proto.Int64(int64(binary.LittleEndian.Uint64(r.take(8))))
	}
	message.Error = r.optionalText()
	message.Failure = r.optionalValue()
	message.PauseInfo = r.optionalValue()
	message.Reason = r.optionalText()
	message.Result = r.optionalValue()
	message.RunId = r.text()
	message.Snapshot = r.optionalValue()
	message.Status = factoryrun.FactoryRunStatus(int32(r.count()))
	if r.present() {
		message.Preserved = &factoryrun.Preserved{
			Members: readMap(r, r.value),
			Words:   readMap(r, r.text),
			Numbers: r.nodes(),
		}
	}
	if len(r.rest) != 0 {
		panic("bytes too many")
	}
	return message
}

func (r *reader) nodes() []*factoryrun.NumberText {
	nodes := make([]*factoryrun.NumberText, r.count())
	for i := range nodes {
		node := &factoryrun.NumberText{}
		switch place := r.take(1)[0]; place {
		case '-':
		case 'k':
			node.Place = &factoryrun.NumberText_Key{Key: r.text()}
		case 'i':
			node.Place = &factoryrun.NumberText_Index{Index: r.count()}
		default:
			panic(fmt.Sprintf("no place: %c", place))
		}
		node.Text = r.optionalText()
		node.Children = r.nodes()
		nodes[i] = node
	}
	return nodes
}

func (r *reader) value() *structpb.Value {
	switch kind := r.take(1)[0]; kind {
	case '?':
		return &structpb.Value{}
	case 'n':
		return structpb.NewNullValue()
	case 't', 'f':
		return structpb.NewBoolValue(kind == 't')
	case 'd':
		return structpb.NewNumberValue(math.Float64frombits(binary.LittleEndian.Uint64(r.take(8))))
	case 's':
		return structpb.NewStringValue(r.text())
	case 'a':
		values := make([]*structpb.Value, r.count())
		for i := range values {
			values[i] = r.value()
		}
		return structpb.NewListValue(&structpb.ListValue{Values: values})
	case 'o':
		return structpb.NewStructValue(&structpb.Struct{Fields: readMap(r, r.value)})
	default:
		panic(fmt.Sprintf("no kind: %c", kind))
	}
}

func (r *reader) optionalText() *string {
	if r.present() {
		return proto.String(r.text())
	}
	return nil
}

func (r *reader) optionalValue() *structpb.Value {
	if r.present() {
		return r.value()
	}
	return nil
}

func (r *reader) present() bool { return r.take(1)[0] == 1 }
func (r *reader) text() string  { return string(r.take(int(r.count()))) }
func (r *reader) count() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

func (r *reader) take(length int) []byte {
	taken := r.rest[:length]
	r.rest = r.rest[length:]
	return taken
}

func readMap[T any](r *reader, read func() T) map[string]T {
	entries := map[string]T{}
	for range r.count() {
		key := r.text()
		entries[key] = read()
	}
	return entries
}
