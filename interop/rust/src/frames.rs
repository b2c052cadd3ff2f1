//! Requests and answers over stdin and stdout: a length of four bytes (little endian), then so many bytes.
//! A request starts with its operation, an answer with `o` (done) or `e` (refused, the reason follows).

use std::io::{self, Read, Write};

/// The next request, or none when the other side has closed.
pub fn read(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut request = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut request)?;
    Ok(Some(request))
}

pub fn write(output: &mut impl Write, answer: Result<Vec<u8>, String>) -> io::Result<()> {
    let (kind, body) = match answer {
        Ok(body) => (b'o', body),
        Err(reason) => (b'e', reason.into_bytes()),
    };
    output.write_all(&(body.len() as u32 + 1).to_le_bytes())?;
    output.write_all(&[kind])?;
    output.write_all(&body)?;
    output.flush()
}
