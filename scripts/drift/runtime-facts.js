// What the JSON Schema in the runtime's package says about the envelope, boiled down to names and types.

/**
 * @typedef {object} Shape the type of one value
 * @property {"string" | "integer" | "number" | "boolean" | "null" | "any" | "object" | "array" | "union" | "recursive"} type
 * @property {boolean} [nullable]
 * @property {number} [minimum] of an integer
 * @property {number} [maximum] of an integer
 * @property {string[]} [words] all that a string can be
 * @property {Members} [members] of an object
 * @property {{ [type: string]: Members }} [variants] of an object whose member "type" says which it is
 * @property {Shape} [items] of an array
 * @property {Shape[]} [of] of a union of anything else
 *
 * @typedef {{ [name: string]: Shape & { required: boolean } }} Members in the order of the JSON Schema
 */

/** The schema is not of the form that this reads. */
export class UnreadableSchema extends Error {}

const discriminator = "type";

/**
 * @param {object} apiSchema the parsed api.schema.json
 * @param {string} definition the name of the envelope's definition
 * @returns {Members}
 */
export function membersOf(apiSchema, definition) {
  const envelope = apiSchema.definitions?.[definition];
  if (envelope?.type !== "object" || envelope.properties === undefined) {
    throw new UnreadableSchema(`it has no object definition ${definition}`);
  }
  return shapeOf(envelope, apiSchema.definitions, [definition]).members;
}

function shapeOf(schema, definitions, within) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(/^#\/definitions\//, "");
    if (definitions[name] === undefined) throw new UnreadableSchema(`it refers to ${schema.$ref}, which is not there`);
    return within.includes(name) ? { type: "recursive" } : shapeOf(definitions[name], definitions, [...within, name]);
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return unionOf(alternatives, definitions, within);
  if (Array.isArray(schema.type)) {
    return unionOf(
      schema.type.map((type) => ({ ...schema, type })),
      definitions,
      within,
    );
  }
  if (schema.type === undefined && schema.enum === undefined && schema.const === undefined) return { type: "any" };
  const words = schema.const === undefined ? schema.enum : [schema.const];
  switch (schema.type ?? typeof words[0]) {
    case "string":
      return { type: "string", ...(words && { words }) };
    case "integer":
      return { type: "integer", ...given(schema, "minimum"), ...given(schema, "maximum") };
    case "object":
      return { type: "object", ...(schema.properties && { members: membersIn(schema, definitions, within) }) };
    case "array":
      return { type: "array", items: shapeOf(schema.items ?? {}, definitions, within) };
    case "number":
    case "boolean":
    case "null":
      return { type: schema.type ?? typeof words[0] };
    default:
      throw new UnreadableSchema(`it has a type that is not known: ${JSON.stringify(schema.type)}`);
  }
}

function given(schema, keyword) {
  return schema[keyword] === undefined ? {} : { [keyword]: schema[keyword] };
}

function membersIn({ properties, required = [] }, definitions, within) {
  const members = Object.entries(properties).map(([name, schema]) => [
    name,
    { required: required.includes(name), ...shapeOf(schema, definitions, within) },
  ]);
  return Object.fromEntries(members);
}

function unionOf(schemas, definitions, within) {
  const shapes = schemas.map((schema) => shapeOf(schema, definitions, within));
  const others = shapes.filter((shape) => shape.type !== "null");
  const nullable = others.length < shapes.length ? { nullable: true } : {};
  if (others.length === 1) return { ...others[0], ...nullable };
  const types = others.map(({ members }) => members?.[discriminator]?.words);
  if (others.length > 0 && types.every((words) => words?.length === 1)) {
    const variants = others.map(({ members: { [discriminator]: type, ...rest } }) => [type.words[0], rest]);
    return { type: "object", variants: Object.fromEntries(variants), ...nullable };
  }
  return { type: "union", of: others, ...nullable };
}

/**
 * @param {Members} members
 * @param {string} [prefix]
 * @returns {Map<string, string>} every fact by its path: `failure[factory_limit_reached].kind` is "string, required"
 */
export function flattened(members, prefix = "") {
  const facts = new Map();
  for (const [name, { required, ...shape }] of Object.entries(members)) {
    flattenShape(`${prefix}${name}`, shape, required ? ", required" : ", optional", facts);
  }
  return facts;
}

function flattenShape(path, shape, suffix, facts) {
  facts.set(path, `${shapeText(shape)}${suffix}`);
  for (const word of shape.words ?? []) facts.set(`${path} = ${JSON.stringify(word)}`, "word");
  for (const [name, fact] of shape.members ? flattened(shape.members, `${path}.`) : []) facts.set(name, fact);
  for (const [type, members] of Object.entries(shape.variants ?? {})) {
    facts.set(`${path}[${type}]`, "variant");
    for (const [name, fact] of flattened(members, `${path}[${type}].`)) facts.set(name, fact);
  }
  if (shape.items) flattenShape(`${path}[]`, shape.items, "", facts);
  for (const [index, one] of (shape.of ?? []).entries()) flattenShape(`${path}|${index + 1}`, one, "", facts);
}

/** @param {Shape} shape */
export function shapeText({ type, minimum, maximum, nullable }) {
  const range = minimum === undefined && maximum === undefined ? "" : ` ${minimum ?? ""}..${maximum ?? ""}`;
  return `${type}${range}${nullable ? " or null" : ""}`;
}
