// The Go peer: google.golang.org/protobuf, asked over stdin and stdout. interop/README.md names the operations.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"interop/go/build/factoryrun"
)

// Map entries in a settled order, so that the same content always gives the same bytes.
var marshal = proto.MarshalOptions{Deterministic: true}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := bufio.NewWriter(os.Stdout)
	for {
		request, err := read(input)
		if err == io.EOF {
			return
		}
		check(err)
		answer, err := answer(request[0], request[1:])
		kind := byte('o')
		if err != nil {
			kind, answer = 'e', []byte(err.Error())
		}
		check(write(output, kind, answer))
	}
}

func answer(operation byte, body []byte) ([]byte, error) {
	switch operation {
	case 'v':
		return []byte(versions()), nil
	case 'd':
		message, err := decode(body)
		if err != nil {
			return nil, err
		}
		return writeMessage(message), nil
	case 'e':
		return marshal.Marshal(readMessage(body))
	case 'r':
		message, err := decode(body)
		if err != nil {
			return nil, err
		}
		return marshal.Marshal(message)
	case 'u':
		unaware := &emptypb.Empty{}
		if err := proto.Unmarshal(body, unaware); err != nil {
			return nil, err
		}
		return marshal.Marshal(unaware)
	}
	panic(fmt.Sprintf("no such operation: %c", operation))
}

func decode(body []byte) (*factoryrun.SessionFactoryRunFromToolResult, error) {
	message := &factoryrun.SessionFactoryRunFromToolResult{}
	return message, proto.Unmarshal(body, message)
}

// A length of four bytes (little endian), then so many bytes.
func read(input io.Reader) ([]byte, error) {
	var length uint32
	if err := binary.Read(input, binary.LittleEndian, &length); err != nil {
		return nil, err
	}
	request := make([]byte, length)
	_, err := io.ReadFull(input, request)
	return request, err
}

func write(output *bufio.Writer, kind byte, body []byte) error {
	if err := binary.Write(output, binary.LittleEndian, uint32(len(body)+1)); err != nil {
		return err
	}
	if err := output.WriteByte(kind); err != nil {
		return err
	}
	if _, err := output.Write(body); err != nil {
		return err
	}
	return output.Flush()
}

func versions() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "google.golang.org/protobuf" {
			return fmt.Sprintf("%s, google.golang.org/protobuf %s", info.GoVersion, module.Version)
		}
	}
	panic("the build does not name its modules")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
