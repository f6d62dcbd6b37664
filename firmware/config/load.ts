/**
 * The configuration as it is in force. A JSON file changes what it names; every key is overridable by an environment
 * variable, `LANEWARE_` and the path in capitals (`LANEWARE_TERMINAL_PORT`).
 */
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { messageOf } from '../../drivers/lib/errors.ts';
import { problemsWith, sentence } from '../store/schema.ts';
import { crossChecks } from './checks.ts';
import { type Config, ConfigSchema } from './schema.ts';

export type { Config };

/** The configuration cannot be used; `problems` lists everything that is wrong with it. */
export class ConfigError extends Error {
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Tree = { [key: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

export interface ConfigKey {
  readonly path: readonly string[];
  readonly variable: string;
  readonly schema: TSchema & { default?: unknown; description?: string };
}

/** Every key with its environment variable, in the order of the schema. */
export function configKeys(schema: TSchema = ConfigSchema, path: readonly string[] = []): ConfigKey[] {
  if (!('properties' in schema) || !isTree(schema.properties)) {
    return [{ path, variable: `LANEWARE_${path.join('_').toUpperCase()}`, schema }];
  }
  return Object.entries(schema.properties).flatMap(([name, child]) => configKeys(child as TSchema, [...path, name]));
}

function setAt(tree: Tree, path: readonly string[], value: unknown): void {
  const [head = '', ...rest] = path;
  if (rest.length === 0) {
    tree[head] = value;
    return;
  }
  if (!isTree(tree[head])) tree[head] = {};
  setAt(tree[head] as Tree, rest, value);
}

function mergeInto(base: Tree, over: Tree): void {
  for (const [key, value] of Object.entries(over)) {
    const present = Object.hasOwn(base, key) ? base[key] : undefined;
    if (isTree(present) && isTree(value)) mergeInto(present, value);
    // an assignment to __proto__ would change what every object inherits
    else Object.defineProperty(base, key, { value, enumerable: true, writable: true, configurable: true });
  }
}

/** The object that a text is in JSON; what is none stays text. */
function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Reads an environment value as the key's type; what fits none stays text and is refused by the schema. */
function fromText(schema: TSchema, text: string): unknown {
  const fits = (value: unknown): boolean => problemsWith(schema, value).length === 0;
  const list = text === '' ? [] : text.split(',').map((part) => part.trim());
  const readings: unknown[] = [text === 'null' ? null : text, fits([]) ? list : text];
  if (text === 'true' || text === 'false') readings.push(text === 'true');
  if (text.startsWith('{')) readings.push(objectOf(text));
  if (text.trim() !== '' && !Number.isNaN(Number(text))) readings.push(Number(text));
  const fitting = readings.findIndex(fits);
  // the last reading is the most telling one to be refused: 70000 is "at most 65535", not "no integer"
  return readings[fitting === -1 ? readings.length - 1 : fitting];
}

export interface LoadedConfig {
  readonly config: Config;
  /** Variables that start with LANEWARE_ and name no key: a spelling mistake, most likely. */
  readonly unknownVariables: readonly string[];
}

/** @throws {ConfigError} with every problem of the file and of the environment. */
export function loadConfig(file: string | null, env: NodeJS.ProcessEnv): LoadedConfig {
  const tree: Tree = {};
  const keys = configKeys();
  for (const { path, schema } of keys) setAt(tree, path, structuredClone(schema.default));
  if (file !== null) mergeInto(tree, readTree(file));
  for (const { path, variable, schema } of keys) {
    const text = env[variable];
    if (text !== undefined) setAt(tree, path, fromText(schema, text));
  }
  const problems = problemsWith(ConfigSchema, tree).map((problem) => sentence(problem, 'the configuration'));
  if (problems.length > 0) throw new ConfigError(problems);
  const config = tree as Config;
  const conflicts = crossChecks(config);
  if (conflicts.length > 0) throw new ConfigError(conflicts);
  const known = new Set(keys.map(({ variable }) => variable));
  return {
    config,
    unknownVariables: Object.keys(env).filter((name) => name.startsWith('LANEWARE_') && !known.has(name)),
  };
}

/** Lines that begin with `//` explain the file to people; no JSON text can hold such a line, for its strings have none. */
const withoutComments = (text: string): string => text.replaceAll(/^[ \t]*\/\/.*$/gm, '');

function readTree(file: string): Tree {
  try {
    const parsed: unknown = JSON.parse(withoutComments(readFileSync(file, 'utf8')));
    if (isTree(parsed)) return parsed;
  } catch (error) {
    throw new ConfigError([`${file}: ${messageOf(error)}`]);
  }
  throw new ConfigError([`${file}: must hold one JSON object`]);
}
