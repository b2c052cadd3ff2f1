/** Results up to this size are cut from a slab, as Node's Buffers are. */
const SHARED_BYTES = 4096;
const SLAB_BYTES = 16384;
/** Up to this size they are copied by hand: `set(subarray())` costs about 100 ns a call. */
const COPIED_BY_HAND = 256;

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
  if (size > SHARED_BYTES || keepHere === undefined) return out.slice(0, size);
  if (used + size > slab.byteLength) {
    slab = new ArrayBuffer(SLAB_BYTES);
    slabView = new DataView(slab);
    used = 0;
    keepHere(slab);
  }
  const start = used;
  used += (size + 7) & ~7;
  const result = new Uint8Array(slab, start, size);
  if (size > COPIED_BY_HAND) result.set(out.subarray(0, size));
  else {
    // Results stand eight bytes apart, so that so many may be copied at once.
    for (let i = 0; i < size; i += 8) {
      const first = view.getInt32(i, true);
      const second = view.getInt32(i + 4, true);
      slabView.setInt32(start + i, first, true);
      slabView.setInt32(start + i + 4, second, true);
    }
  }
  return result;
}
