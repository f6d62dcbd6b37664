/** Makes tables in Markdown, and the words of a schema's type and limits. */

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`)
    .join('');

/** A schema in the code or in the OpenAPI document. */
export interface Field {
  readonly $ref?: string;
  readonly type?: string;
  readonly title?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

const namesOf = (properties: object): string =>
  Object.keys(properties)
    .map((name) => `\`${name}\``)
    .join(', ');

function limitsOf({ minimum, maximum, maxLength }: Field): string {
  if (maxLength !== undefined) return `, ${maxLength} characters at most`;
  return minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
}

/** "text or null" */
export function typeOf(field: Field): string {
  const { anyOf, type, format, properties, items } = field;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (field.enum !== undefined) return field.enum.map((value) => `\`${value}\``).join(', ');
  if (properties !== undefined) return `object: ${namesOf(properties)}`;
  if (items?.properties !== undefined && items.title === undefined) return `list: ${namesOf(items.properties)}`;
  if (format === 'date-time') return 'moment';
  const words = { string: 'text', integer: 'number', array: 'list' }[type ?? 'string'];
  return `${words ?? type ?? 'text'}${limitsOf(field)}`;
}

export const MEMBERS = ['member', 'type', 'what it says'] as const;
/** @param where text before the field's description */
export const memberRow = ([name, field]: readonly [string, Field], where = ''): string[] => [
  `\`${name}\``,
  typeOf(field),
  `${where}${field.description ?? ''}`,
];
