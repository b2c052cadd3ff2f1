// Results as tables, for people: plain text, or Markdown for the README.

/** @typedef {{ title: string, note?: string, head: string[], rows: string[][], notes?: string[] }} Table */

const DIRECTION = { toBinary: "JSON → binary", toJson: "binary → JSON" };
const WHO = { ours: "factory-run-wire", platform: "platform" };

/** How each part's data becomes a table. */
const tables = {
  cases: (data) => ({
    title: "Speed against the platform alone",
    note:
      "Time for a document, and as a share of the platform's, which makes no binary: " +
      "JSON.parse(new TextDecoder().decode(bytes)); new TextEncoder().encode(JSON.stringify(object)).",
    head: ["case", "bytes", ...both("time", "platform", "ratio", "bar", "holds")],
    rows: Object.entries(data).map(([name, result]) => [
      name,
      count(result.bytes),
      ...each((direction) => {
        const { ours, platform, ratio, bar, holds } = result[direction];
        return [time(ours), time(platform), fixed(ratio), fixed(bar), yes(holds)];
      }),
    ]),
  }),
  others: (data) => ({
    title: "The others, doing the whole job",
    note: "Each one's time as a multiple of factory-run-wire's, from JSON bytes to binary bytes and back.",
    head: ["case", "direction", ...otherNames(data)],
    rows: Object.entries(data).flatMap(([name, result]) =>
      Object.keys(DIRECTION).map((direction) => [
        name,
        DIRECTION[direction],
        ...otherNames(data).map((other) => {
          const multiple = result[direction].multiples[other];
          const mark = result[direction].faults[other] === undefined ? "" : "*";
          return multiple === undefined ? `-${mark}` : `${multiple.toFixed(multiple < 10 ? 1 : 0)}×${mark}`;
        }),
      ]),
    ),
    notes: Object.entries(data).flatMap(([name, { toBinary }]) =>
      Object.entries(toBinary.faults).map(([other, fault]) => `* ${other} on ${name}: does not come back, ${fault}`),
    ),
  }),
  sizes: (data) => ({
    title: "Size on the wire",
    note: "Bytes for a document, and as a share of its JSON.",
    head: ["case", ...Object.keys(Object.values(data)[0] ?? {})],
    rows: Object.entries(data).map(([name, sizes]) => [
      name,
      ...Object.entries(sizes).map(([format, bytes]) =>
        format === "JSON" ? count(bytes) : `${count(bytes)} (${percent(bytes / sizes.JSON)})`,
      ),
    ]),
  }),
  growth: (data) => ({
    title: "Growth: ns per byte of JSON by size",
    note: "Fastest rounds. The spread is the dearest byte over the cheapest.",
    head: ["shape", "direction", "", ...(data[0]?.sizes ?? []).map(size), "spread", "bar", "holds"],
    rows: data.flatMap(({ shape, direction, ours, platform, spread, bar, holds }) => [
      [shape, DIRECTION[direction], WHO.ours, ...ours.map(fixed), fixed(spread), fixed(bar), yes(holds)],
      [shape, DIRECTION[direction], WHO.platform, ...platform.map(fixed), "", "", ""],
    ]),
  }),
  depth: (data) => ({
    title: "Depth: ns per byte of JSON, flat and as deep as other decoders read",
    note: "Fastest rounds.",
    head: ["shape", "direction", "flat", "deep", "deep/flat", "bar", "holds", "platform's deep/flat"],
    rows: data.map(({ shape, direction, flat, deep, ratio, bar, holds, platformRatio }) => [
      shape,
      DIRECTION[direction],
      fixed(flat),
      fixed(deep),
      fixed(ratio),
      fixed(bar),
      yes(holds),
      fixed(platformRatio),
    ]),
  }),
  hostile: (data) => ({
    title: "Hostile shapes: ns per byte of input",
    note: "Growth is the time of a byte at full size over its time at a quarter of it, fastest rounds; plain is the findings case.",
    head: ["shape", "direction", "bytes", "ns/byte", "to plain", "to platform", "growth", "bar", "holds"],
    rows: data.map(({ shape, direction, bytes, perByte, toPlain, toPlatform, growth, bar, holds }) => [
      shape,
      DIRECTION[direction],
      count(bytes),
      fixed(perByte),
      fixed(toPlain),
      toPlatform === undefined ? "" : fixed(toPlatform),
      fixed(growth),
      fixed(bar),
      yes(holds),
    ]),
  }),
  messages: (data) => ({
    title: "The message functions",
    head: ["case", "ours", "against", "time", "theirs", "ratio", "bar", "holds"],
    rows: data.map(({ case: name, ours, against, time: own, theirTime, ratio, bar, holds }) => [
      name,
      ours,
      against,
      time(own),
      time(theirTime),
      fixed(ratio),
      fixed(bar),
      yes(holds),
    ]),
  }),
  cold: (data) => ({
    title: "Cold start: the typical case in a fresh process",
    note: "ms until that many calls are done, and to load the module before.",
    head: [
      "direction",
      "",
      "load",
      ...(data[0]?.calls ?? []).map(({ calls }) => (calls === 1 ? "1 call" : `${calls} calls`)),
    ],
    rows: data.map(({ direction, who, load, calls }) => [
      DIRECTION[direction],
      WHO[who],
      fixed(load),
      ...calls.map((mark) => fixed(mark.time)),
    ]),
  }),
  memory: (data) => ({
    title: "Peak memory: 64 MB of findings in a fresh process",
    note:
      "What one call adds to the process's peak, as a multiple of its input. " +
      "The platform's way to JSON starts from JSON, to have an object.",
    head: ["direction", "", "input", "added", "multiple", "bar", "holds"],
    rows: data.map(({ direction, who, bytes, over, multiple, bar, holds }) => [
      DIRECTION[direction],
      WHO[who],
      `${(bytes / 1e6).toFixed(0)} MB`,
      `${(over / 1e6).toFixed(0)} MB`,
      fixed(multiple),
      bar === undefined ? "" : fixed(bar),
      bar === undefined ? "" : yes(holds),
    ]),
  }),
};

/** Everything that was measured, as text for a terminal. */
export function asText({ environment, parts, failures }) {
  const blocks = measured(parts).map(([part, data]) => {
    const { title, note, head, rows, notes = [] } = tables[part](data);
    return [title, ...(note === undefined ? [] : [note]), "", aligned(head, rows), ...notes].join("\n");
  });
  return `${[machine(environment), ...blocks, ...failures.map((failure) => `FAILED ${failure}`)].join("\n\n")}\n`;
}

/** The same as Markdown. */
export function asMarkdown({ environment, parts, failures, command }) {
  const blocks = measured(parts).map(([part, data]) => {
    const { title, note, head, rows, notes = [] } = tables[part](data);
    const grid = [head, head.map((_, i) => (i === 0 ? "---" : isNumeric(rows, i) ? "---:" : "---")), ...rows]
      .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
      .join("\n");
    return [
      `### ${title}`,
      ...(note === undefined ? [] : [note]),
      grid,
      ...notes.map((text) => text.replace("*", "\\*")),
    ].join("\n\n");
  });
  const intro = `${machine(environment)} Made by \`${command}\`.`;
  return `${[intro, ...blocks, ...failures.map((failure) => `**Failed:** ${failure}`)].join("\n\n")}\n`;
}

/** Leaves out the parts in which everything failed. */
function measured(parts) {
  return Object.entries(parts).filter(([, data]) => Object.keys(data).length > 0);
}

function machine({ processor, cores, memory, system, node, packages }) {
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return `Measured on ${processor}, ${cores} cores, ${memory}, ${system}, Node ${node}; ${versions.join(", ")}.`;
}

function aligned(head, rows) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((cells) => cells[i].length)));
  const right = head.map((_, i) => i > 0 && isNumeric(rows, i));
  return [head, widths.map((width) => "-".repeat(width)), ...rows]
    .map((cells) =>
      cells
        .map((cell, i) => (right[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function isNumeric(rows, column) {
  return rows.every((cells) => /^$|^-\*?$|^[\d.]/.test(cells[column]));
}

function otherNames(data) {
  const names = Object.values(data).flatMap((result) =>
    Object.keys(DIRECTION).flatMap((direction) => [
      ...Object.keys(result[direction].multiples),
      ...Object.keys(result[direction].faults),
    ]),
  );
  return [...new Set(names)].filter((name) => name !== WHO.ours);
}

function both(...names) {
  return ["→ binary", "→ JSON"].flatMap((direction) =>
    names.map((name, i) => (i === 0 ? `${direction}: ${name}` : name)),
  );
}

function each(make) {
  return Object.keys(DIRECTION).flatMap(make);
}

/** @param {number} us microseconds */
function time(us) {
  if (us < 1000) return `${us.toPrecision(3)} µs`;
  return `${(us / 1000).toPrecision(3)} ms`;
}

function fixed(x) {
  return x >= 100 ? x.toFixed(0) : x.toFixed(2);
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

function count(x) {
  return Math.round(x).toLocaleString("en-US");
}

function size(bytes) {
  return bytes >= 1 << 20 ? `${bytes >> 20} MB` : `${bytes >> 10} KB`;
}

function yes(holds) {
  return holds ? "yes" : "NO";
}
