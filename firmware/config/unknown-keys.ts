/** What is named and is no key here, as after a rollback. It is left out and reported: a device that does not start serves no one. */
import type { TSchema } from 'typebox';
import { isFields } from '../../drivers/lib/fields.ts';
import { nearest } from '../../drivers/lib/nearest.ts';

export type Tree = { [key: string]: unknown };

export interface Unknown {
  /** As written: `terminal.prot`, `LANEWARE_TERMINAL_PROT`. */
  readonly name: string;
  /** The one that may have been meant; null where none is like it. */
  readonly nearest: string | null;
}

/** The schemas of the members of an object, and whether it may have no others. */
interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly (TSchema & Shape)[];
}

/** Of alternatives (an object or null) the one that an object can be. */
function shapeOf(schema: TSchema & Shape): Shape {
  const { anyOf } = schema;
  return anyOf?.find((each) => each.properties !== undefined || each.patternProperties !== undefined) ?? schema;
}

/** Removes from a tree what its schema does not name. @returns what that was */
export function takeUnknown(schema: TSchema & Shape, tree: Tree, path: readonly string[] = []): Unknown[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = shapeOf(schema);
  const known = Object.keys(properties);
  const [ofAny] = Object.values(patternProperties);
  return Object.entries(tree).flatMap(([key, value]) => {
    const within = Object.hasOwn(properties, key) ? properties[key] : ofAny;
    const here = [...path, key];
    if (within !== undefined) return isFields(value) ? takeUnknown(within, value, here) : [];
    if (additionalProperties !== false) return [];
    delete tree[key];
    const like = nearest(key, known);
    return [{ name: here.join('.'), nearest: like === null ? null : [...path, like].join('.') }];
  });
}

/** Variables of ours that name no key: those of `lanectl` stand in the same shells. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  'LANEWARE_CONFIG',
  'LANEWARE_URL',
  'LANEWARE_RECOGNITION_URL',
  'LANEWARE_TOKEN',
  'LANEWARE_TOKEN_FILE',
  'LANEWARE_CA',
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
