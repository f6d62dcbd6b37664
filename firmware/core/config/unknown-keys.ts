/**
 * Finds names that are no keys, such as after a rollback. They are left out and reported: a device that does not start
 * serves nobody.
 */
import type { TSchema } from 'typebox';
import { isFields } from '../../../drivers/lib/fields.ts';
import { nearest } from '../../../drivers/lib/text.ts';

export type Tree = { [key: string]: unknown };

export interface Unknown {
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

/** Removes members that a schema does not name, at any depth. @returns the removed ones */
export function takeUnknown(schema: TSchema & Shape, value: unknown, path: readonly string[] = []): Unknown[] {
  const { properties = {}, patternProperties = {}, additionalProperties, items = {} } = shapeOf(schema);
  if (Array.isArray(value)) return value.flatMap((each, index) => takeUnknown(items, each, [...path, String(index)]));
  if (!isFields(value)) return [];
  const known = Object.keys(properties);
  const [ofAny] = Object.values(patternProperties);
  return Object.entries(value).flatMap(([key, member]) => {
    const within = Object.hasOwn(properties, key) ? properties[key] : ofAny;
    const here = [...path, key];
    if (within !== undefined) return takeUnknown(within, member, here);
    if (additionalProperties !== false) return [];
    delete value[key];
    const like = nearest(key, known);
    return [{ name: here.join('.'), nearest: like === null ? null : [...path, like].join('.') }];
  });
}

/** Our variables that name no key: those of `lanectl`, which are set in the same shells. */
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
export function unknownVariables(known: readonly string[], env: NodeJS.ProcessEnv): Unknown[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('LANEWARE_') && !known.includes(name) && !OTHER_VARIABLES.has(name))
    .map((name) => ({ name, nearest: nearest(name, known) }));
}

/** "terminal.prot (terminal.port?)" */
export const unknownInWords = ({ name, nearest: like }: Unknown): string =>
  like === null ? name : `${name} (${like}?)`;
