import type { SingleBar } from "cli-progress";
import { counted, size } from "./terminal.js";

/** What is done before this is not worth a bar. */
const QUIET_MS = 1000;
const BAR_WIDTH = 24;

/** What the bar shows. */
export interface ProgressState {
  /** Bytes of the input that have been read. */
  readonly bytes: number;
  /** Bytes of the input in all, when that is known. */
  readonly total: number | undefined;
  readonly records: number;
  readonly seconds: number;
}

/** The bar's line: how much is done, the records, the rate, and for an input of known size the time left. */
export function progressLine({ bytes, total, records, seconds }: ProgressState): string {
  const rate = seconds > 0 ? bytes / seconds : 0;
  const counts = `${counted(records, "record")}  ${size(rate)}/s`;
  if (total === undefined || total === 0) return `${size(bytes)}  ${counts}`;
  const part = Math.min(1, bytes / total);
  const filled = Math.round(part * BAR_WIDTH);
  const bar = `[${"=".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}]`;
  const left = rate > 0 ? `  ${duration((total - bytes) / rate)} left` : "";
  return `${String(Math.floor(part * 100)).padStart(3)} % ${bar} ${size(bytes)} of ${size(total)}  ${counts}${left}`;
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A bar on standard error, for a person who waits longer than a second. */
export class Progress {
  readonly #total: number | undefined;
  readonly #start = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #bytes = 0;
  #records = 0;
  #bar: SingleBar | undefined;
  #stopped = false;

  /** @param total the bytes of the input, when they are known. */
  constructor(total: number | undefined, enabled: boolean) {
    this.#total = total;
    // By the clock and not by what comes: a person who waits for a slow sender wants to see that, too.
    if (enabled) this.#timer = setTimeout(() => void this.#show(), QUIET_MS).unref();
  }

  update(bytes: number, records: number): void {
    this.#bytes = bytes;
    this.#records = records;
    this.#bar?.update(bytes);
  }

  /** Writes a line to standard error, above the bar. */
  note(line: string): void {
    this.#bar?.stop();
    process.stderr.write(`${line}\n`);
    if (!this.#stopped) this.#startBar();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#bar?.stop();
    this.#bar = undefined;
  }

  async #show(): Promise<void> {
    // Loaded only where there is a bar to show.
    const { default: cliProgress } = await import("cli-progress");
    if (this.#stopped) return;
    this.#bar = new cliProgress.SingleBar({
      stream: process.stderr,
      clearOnComplete: true,
      format: () => this.#line(),
    });
    this.#startBar();
  }

  #startBar(): void {
    this.#bar?.start(this.#total ?? 0, this.#bytes);
  }

  #line(): string {
    const seconds = (Date.now() - this.#start) / 1000;
    return progressLine({ bytes: this.#bytes, total: this.#total, records: this.#records, seconds });
  }
}
