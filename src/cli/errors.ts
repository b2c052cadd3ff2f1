/** The command line asks for something that makes no sense: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A file or stream cannot be read or written: exit code 2. */
export class FileError extends Error {
  override readonly name = "FileError";
}

/** Whoever read our output has gone away, as `head` does: no fault of anybody. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

const SYSTEM_WORDS: Record<string, string> = {
  EACCES: "permission denied",
  EBADF: "it is not open",
  EISDIR: "it is a directory",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on the device",
  ENOTDIR: "a part of the path is no directory",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
};

/** Whether the operating system refused something. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string" && "syscall" in error;
}

/** What the operating system refused, in words. Any other error is a fault of ours and stays what it is. */
export function fileError(what: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new FileError(`${what}: ${SYSTEM_WORDS[error.code ?? ""] ?? error.message}`, { cause: error });
}
