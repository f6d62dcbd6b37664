/** Tables of the documents that are made from schemas. */

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** A schema, as the code or the OpenAPI document has it. */
export interface Field {
  readonly $ref?: string;
  readonly type?: string;
  readonly title?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
}

const namesOf = (properties: object): string =>
  Object.keys(properties)
    .map((name) => `\`${name}\``)
    .join(', ');

/** "text or null" */
export function typeOf({ anyOf, type, format, properties, items }: Field): string {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (properties !== undefined) return `object: ${namesOf(properties)}`;
  if (items?.properties !== undefined && items.title === undefined) return `list: ${namesOf(items.properties)}`;
  if (format === 'date-time') return 'moment';
  return { string: 'text', integer: 'number', array: 'list' }[type ?? 'string'] ?? type ?? 'text';
}

export const MEMBERS = ['member', 'type', 'what it says'] as const;
/** @param where what stands before its sentence */
export const memberRow = ([name, field]: readonly [string, Field], where = ''): string[] => [
  `\`${name}\``,
  typeOf(field),
  `${where}${field.description ?? ''}`,
];
