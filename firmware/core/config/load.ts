/**
 * Loads the configuration in force. A JSON file changes the keys that it names; an environment variable overrides any
 * key: `LANEWARE_` and the path in capitals (`LANEWARE_TERMINAL_PORT`).
 */
import { readFileSync } from 'node:fs';
import type { TObject, TSchema } from 'typebox';
import { CodedError, messageOf } from '../../../drivers/lib/errors.ts';
import { isFields } from '../../../drivers/lib/strict-json.ts';
import { nearest, writtenText } from '../../../drivers/lib/text.ts';
import { problemsWith, sentence } from '../schema/index.ts';
import { crossChecks } from './checks.ts';
import { type Config, type ConfigPart, schemaWith } from './schema.ts';

export type { Config };

/** The configuration cannot be used; `problems` lists everything that is wrong with it. */
export class ConfigError extends CodedError<'CONFIG_INVALID'> {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => `  - ${problem}`);
    super('CONFIG_INVALID', `the configuration cannot be used:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

export interface ConfigKey {
  readonly path: readonly string[];
  readonly variable: string;
  readonly schema: TSchema & { default?: unknown; description?: string };
}

function configKeys(schema: TSchema, path: readonly string[] = []): ConfigKey[] {
  if (!('properties' in schema) || !isFields(schema.properties)) {
    return [{ path, variable: `LANEWARE_${path.join('_').toUpperCase()}`, schema }];
  }
  return Object.entries(schema.properties).flatMap(([name, child]) => configKeys(child as TSchema, [...path, name]));
}

type Tree = { [key: string]: unknown };

function setAt(tree: Tree, path: readonly string[], value: unknown): void {
  const [head = '', ...rest] = path;
  if (rest.length === 0) {
    tree[head] = value;
    return;
  }
  if (!isFields(tree[head])) tree[head] = {};
  setAt(tree[head] as Tree, rest, value);
}

function mergeInto(base: Tree, over: Tree): void {
  for (const [key, value] of Object.entries(over)) {
    const present = Object.hasOwn(base, key) ? base[key] : undefined;
    if (isFields(present) && isFields(value)) mergeInto(present, value);
    // an assignment to __proto__ would change what every object inherits
    else Object.defineProperty(base, key, { value, enumerable: true, writable: true, configurable: true });
  }
}

/** The object or list in a JSON text; any other text stays text. */
function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text));

/** A text as a value of the schema's type, where it is one; else it stays text. */
function asTyped(schema: TSchema & { readonly type?: unknown }, text: string): unknown {
  switch (schema.type) {
    case 'array':
      if (text.startsWith('[')) return objectOf(text);
      return text === '' ? [] : text.split(',').map((part) => part.trim());
    case 'object':
      return objectOf(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'integer':
      return isNumber(text) ? Number(text) : text;
    default:
      return text;
  }
}

/**
 * Reads an environment value as the type of its key; the schema then checks it. A key that may be null has one other
 * type.
 */
function fromText(schema: TSchema & { readonly anyOf?: readonly TSchema[] }, text: string): unknown {
  const [type = schema] = schema.anyOf ?? [];
  return schema.anyOf !== undefined && text === 'null' ? null : asTyped(type, text);
}

interface Unknown {
  /** The name as written: `terminal.prot`, `LANEWARE_TERMINAL_PROT`. */
  readonly name: string;
  /** The key that may have been meant; null where none is similar. */
  readonly nearest: string | null;
}

/** The schemas of an object's members, and whether it may have others; or the schema of a list's members. */
interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: TSchema;
  readonly anyOf?: readonly (TSchema & Shape)[];
}

/** The alternative that has members (of an object or null, a list or null). */
function shapeOf(schema: TSchema & Shape): Shape {
  const { anyOf } = schema;
  return anyOf?.find(({ properties, patternProperties, items }) => properties ?? patternProperties ?? items) ?? schema;
}

/**
 * Removes members that a schema does not name, at any depth, such as after a rollback. They are reported and have no effect:
 * a device that does not start serves nobody.
 * @returns the removed members
 */
function removeUnknown(schema: TSchema & Shape, value: unknown, path: readonly string[] = []): Unknown[] {
  const { properties = {}, patternProperties = {}, additionalProperties, items = {} } = shapeOf(schema);
  if (Array.isArray(value)) return value.flatMap((each, index) => removeUnknown(items, each, [...path, String(index)]));
  if (!isFields(value)) return [];
  const known = Object.keys(properties);
  const [ofAny] = Object.values(patternProperties);
  return Object.entries(value).flatMap(([key, member]) => {
    const within = Object.hasOwn(properties, key) ? properties[key] : ofAny;
    const here = [...path, key];
    if (within !== undefined) return removeUnknown(within, member, here);
    if (additionalProperties !== false) return [];
    delete value[key];
    const like = nearest(key, known);
    return [{ name: here.join('.'), nearest: like === null ? null : [...path, like].join('.') }];
  });
}

/** Laneware's variables that name no key: the configuration's file, and those of `lanectl`, set in the same shells. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  'LANEWARE_CONFIG',
  'LANEWARE_URL',
  'LANEWARE_RECOGNITION_URL',
  'LANEWARE_TOKEN',
  'LANEWARE_TOKEN_FILE',
  'LANEWARE_CA',
  'LANEWARE_PASSPHRASE',
]);

/** Variables that start with LANEWARE_ and name no key. @param known all that do */
function unknownVariables(known: readonly string[], env: NodeJS.ProcessEnv): Unknown[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('LANEWARE_') && !known.includes(name) && !OTHER_VARIABLES.has(name))
    .map((name) => ({ name, nearest: nearest(name, known) }));
}

/** "terminal.prot (terminal.port?)" */
export const unknownInWords = ({ name, nearest: like }: Unknown): string =>
  like === null ? name : `${name} (${like}?)`;

/** Names the variable in a problem whose value came from it. @param problem a sentence that begins with the key */
function namingVariable(problem: string, keys: readonly ConfigKey[], env: NodeJS.ProcessEnv): string {
  const [key = ''] = /^[\w.]+/.exec(problem) ?? [];
  const set = keys.find(({ path, variable }) => {
    const name = path.join('.');
    return env[variable] !== undefined && (key === name || key.startsWith(`${name}.`));
  });
  return set === undefined ? problem : `${key} (${set.variable})${problem.slice(key.length)}`;
}

/** @template Whole the configuration with the keys of all parts */
export interface LoadedConfig<Whole extends Config = Config> {
  readonly config: Whole;
  /** Unknown keys of the file, and unknown variables: they have no effect. */
  readonly unknown: readonly Unknown[];
}

/** The configuration of a device with these parts beside the core. @template Whole the configuration with their keys */
export class Configuration<Whole extends Config = Config> {
  readonly schema: TObject;
  /** Every key with its environment variable, in the order of the schema. */
  readonly keys: readonly ConfigKey[];
  readonly #parts: readonly ConfigPart[];

  constructor(parts: readonly ConfigPart[]) {
    this.schema = schemaWith(parts);
    this.keys = configKeys(this.schema);
    this.#parts = parts;
  }

  /**
   * Loads the configuration; keys that the file lacks have their defaults.
   * @throws {ConfigError} with every problem of the file and the environment, except unknown keys.
   */
  load(file: string | null, env: NodeJS.ProcessEnv): LoadedConfig<Whole> {
    const tree: Tree = {};
    const { schema, keys } = this;
    const refuse = (problems: readonly string[]): void => {
      if (problems.length > 0) throw new ConfigError(problems.map((problem) => namingVariable(problem, keys, env)));
    };
    for (const { path, schema: own } of keys) setAt(tree, path, structuredClone(own.default));
    if (file !== null) mergeInto(tree, readTree(file));
    for (const { path, variable, schema: own } of keys) {
      const text = env[variable];
      if (text !== undefined) setAt(tree, path, fromText(own, text));
    }
    const unknown = removeUnknown(schema, tree);
    refuse(problemsWith(schema, tree).map((problem) => sentence(problem, 'the configuration')));
    const config = tree as Config as Whole;
    refuse(crossChecks(config, this.#parts));
    const variables = keys.map(({ variable }) => variable);
    return { config, unknown: [...unknown, ...unknownVariables(variables, env)] };
  }

  /** The keys at the beginnings of problems, such as `terminal.port`. @param problems joined by `; ` */
  keysIn(problems: string): string[] {
    return [...problems.matchAll(/(?:^|; )((\w+)\.[\w.]+\w)/g)].flatMap(([, key = '', section = '']) =>
      section in this.schema.properties ? [key] : [],
    );
  }
}

/** Comments: lines that begin with `//`. No JSON text can hold such a line, as its strings have no line breaks. */
const COMMENTS = /^[ \t]*\/\/.*$/gm;

/** The parser's message without the quoted piece of the text: it may hold a token. */
const withoutQuotation = (message: string): string => message.replace(/, (?:\.{3})?".*$/s, '');

function readTree(file: string): Tree {
  try {
    const parsed: unknown = JSON.parse(writtenText(readFileSync(file), COMMENTS));
    if (isFields(parsed)) return parsed;
  } catch (error) {
    throw new ConfigError([`${file}: ${withoutQuotation(messageOf(error))}`]);
  }
  throw new ConfigError([`${file}: must hold one JSON object`]);
}
