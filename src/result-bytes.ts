/** Results up to this size are cut from a slab. */
const SHARED_BYTES = 1024;
const SLAB_BYTES = 8192;

/**
 * In Node, what keeps a buffer from being handed over to another thread, which
 * would take along all other results in it. Node does the same to the pool of
 * its Buffers. Where there is no such thing, each result has a buffer of its
 * own.
 */
const keepHere: ((buffer: ArrayBuffer) => void) | undefined = (() => {
  const { process } = globalThis as {
    process?: { versions?: { bun?: string; deno?: string }; getBuiltinModule?(name: string): unknown };
  };
  if (process?.versions === undefined || process.versions.bun !== undefined || process.versions.deno !== undefined)
    return undefined;
  const threads = process.getBuiltinModule?.("node:worker_threads") as
    | { markAsUntransferable?(buffer: ArrayBuffer): void }
    | undefined;
  return threads?.markAsUntransferable;
})();

let slab = new ArrayBuffer(0);
let slabView = new DataView(slab);
let used = 0;

/**
 * The first `size` bytes of a work buffer as an array of the right size.
 *
 * An ArrayBuffer of its own costs V8 more than all the work on a short
 * envelope, so those share one, as Node's Buffers do.
 */
export function resultBytes(out: Uint8Array, view: DataView, size: number): Uint8Array {
  // Up to 64 bytes stand in V8's own heap, which is cheap.
  if (size <= 64 || size > SHARED_BYTES || keepHere === undefined) return out.slice(0, size);
  if (used + size > slab.byteLength) {
    slab = new ArrayBuffer(SLAB_BYTES);
    slabView = new DataView(slab);
    used = 0;
    keepHere(slab);
  }
  const start = used;
  // The room after the last result is as wide as a word, so that words may be copied.
  for (let i = 0; i < size; i += 4) slabView.setInt32(start + i, view.getInt32(i, true), true);
  used += (size + 7) & ~7;
  return new Uint8Array(slab, start, size);
}
