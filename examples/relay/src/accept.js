/**
 * The media type that an Accept header prefers among those on offer (RFC 9110, section 12.5.1).
 *
 * @param {string | undefined} accept without one, anything is welcome
 * @param {string[]} offers in lower case, the server's own favourite first
 * @returns {string | undefined} nothing when the header rules out all of them
 */
export function preferred(accept, offers) {
  const ranges = (accept ?? "*/*").split(",").map(rangeOf);
  let best;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > bestQuality) [best, bestQuality] = [offer, quality];
  }
  return best;
}

function rangeOf(text) {
  const [range, ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { range, quality: Number.isNaN(quality) ? 0 : quality };
}

/** The most specific range that names the type decides, whatever its weight. */
function qualityOf(type, ranges) {
  const names = [type, `${type.split("/")[0]}/*`, "*/*"];
  for (const name of names) {
    const match = ranges.find(({ range }) => range === name);
    if (match !== undefined) return match.quality;
  }
  return 0;
}
