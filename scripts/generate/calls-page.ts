/**
 * Makes `clients/calls.md` from the OpenAPI documents: each call of a till with a sample request and its sample
 * answers, and the fields of the answers. `test/http/examples.test.ts` sends these requests to a device, and compares
 * its answers with the page.
 */
import { type Field, MEMBERS, memberRow, tableOf, typeOf } from './tables.ts';

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
type Contents = Readonly<Record<string, Media>>;
type Headers = Readonly<Record<string, { readonly description: string }>>;
interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: Field;
  }[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly content?: Contents; readonly headers?: Headers }>>;
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Field>> };
}

const HEAD = `# Calls

Each call of a till with a sample request and its sample answer: \`/v1\`, the nine calls, and recognition. Then the
[fields](#fields-of-a-request) of what is sent, and the [members](#members) of what is answered. Written by
\`npm run generate\`. What they mean: [till](../docs/till.md),
[after the payment](../docs/after-payment.md), [events](../docs/events.md), [nine calls](../docs/nine-calls.md),
[recognition](../docs/recognition.md). Try them on \`/reference\` of each port.
`;
const TERMINAL = 'http://127.0.0.1:1234';
const RECOGNITION = 'http://127.0.0.1:8080';
/** Calls of recognition that a till or a scale makes all day. */
const OF_SCALE = [
  '/v1/recognition',
  '/v1/recognition/{id}/feedback',
  '/v1/items',
  '/v1/items/{id}',
  '/v1/items/{id}/templates',
];
const JSON_TYPE = 'application/json';
/** Values of path parameters and headers in the samples. */
const NAMED: Readonly<Record<string, string>> = {
  id: '7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219',
  refundId: 'return-17',
  shift: '3',
};
const KEYS: Readonly<Record<string, string>> = { payments: 'sale-17', refunds: 'return-17', shifts: 'evening-21' };
const OF_ADDRESS = '/v1/webhooks/{id}/test';
const OF_DELIVERY = '/v1/webhooks/deliveries/{id}/redeliver';
const NAMED_OTHERWISE: Readonly<Record<string, string>> = {
  [OF_ADDRESS]: '9b1c04d2e7f8',
  [OF_DELIVERY]: '17',
  '/v1/items/{id}': '4011',
  '/v1/items/{id}/templates': '4011',
  '/v1/recognition/{id}/feedback': '5f0c1a52-1b7e-4b7e-9f0b-0f6a5f8f2b11',
};

const exampleOf = ({ example, examples = {} }: Media): unknown => example ?? Object.values(examples)[0]?.value;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether a value is a payment: the page shows a payment once in full, and elsewhere only the fields that identify it.
 */
const isPayment = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && 'qrcId' in value && 'payload' in value;
const shortened = ({ id, number, state, amount }: Readonly<Record<string, unknown>>) => ({
  ...{ id, number, state, amount },
  '…': 'the rest of a payment',
});

/** Of a longer list only the first entries are shown. */
const MOST_SHOWN = 3;

function inside(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length > MOST_SHOWN ? [...value.slice(0, 2).map(inside), '…'] : value.map(inside);
  if (!isObject(value)) return value;
  if (isPayment(value)) return shortened(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each)]));
}

/** The two calls that show a payment in full: the one that asks for it, and the one that reads it. */
const WHOLE = ['POST /v1/payments', 'GET /v1/payments/{id}'];

/** JSON text with one member a line. */
function written(whole: unknown, isWhole: boolean): string {
  const value = isPayment(whole) && !isWhole ? shortened(whole) : whole;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) => `  ${JSON.stringify(name)}: ${JSON.stringify(inside(each))}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}

function requestOf(
  base: string,
  method: string,
  path: string,
  { tags, parameters = [], requestBody }: Operation,
): string {
  const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => NAMED_OTHERWISE[path] ?? NAMED[name] ?? name);
  const key = parameters.some(({ name }) => name === 'Idempotency-Key') ? KEYS[tags[0] ?? ''] : undefined;
  const body = requestBody === undefined ? undefined : exampleOf(requestBody.content[JSON_TYPE] ?? {});
  const sent =
    isObject(body) && key !== undefined
      ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'id'))
      : body;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${base}${at}'`,
    ...(key === undefined ? [] : [`-H 'Idempotency-Key: ${key}'`]),
    ...(sent === undefined ? [] : [`-H 'Content-Type: ${JSON_TYPE}'`, `-d '${JSON.stringify(sent)}'`]),
  ].join(' \\\n  ');
}

/** A sample answer as it comes over the wire; an event stream as its lines. */
function answerOf(content: Contents, isWhole: boolean): string | null {
  const stream = content['text/event-stream'];
  if (stream !== undefined) {
    const { id, event, data } = exampleOf(stream) as Readonly<Record<'id' | 'event' | 'data', string>>;
    return `\`\`\`text\nid: ${id}\nevent: ${event}\ndata: ${JSON.stringify(inside(JSON.parse(data)))}\n\`\`\`\n`;
  }
  const example = exampleOf(content[JSON_TYPE] ?? {});
  return example === undefined ? null : `\`\`\`json\n${written(example, isWhole)}\n\`\`\`\n`;
}

function section(base: string, method: string, path: string, operation: Operation): string {
  const seen = new Map<string, string[]>();
  for (const [status, { content = {} }] of Object.entries(operation.responses)) {
    const answer = status.startsWith('2') ? answerOf(content, WHOLE.includes(`${method} ${path}`)) : null;
    if (answer !== null) seen.set(answer, [...(seen.get(answer) ?? []), status]);
  }
  const named = (status: string): string =>
    Object.entries(operation.responses[status]?.headers ?? {})
      .map(([name, { description }]) => `; the header \`${name}\` has the ${description}`)
      .join('');
  const answers = [...seen].map(
    ([answer, statuses]) => `Answer ${statuses.join(', ')}${statuses.map(named).join('')}:\n\n${answer}`,
  );
  const request = `\`\`\`text\n${requestOf(base, method, path, operation)}\n\`\`\`\n`;
  return [`## ${method} ${path}\n`, `${operation.summary}.\n`, request, ...answers].join('\n');
}

/** Schemas of answers, by their names in the document, with headings for readers. */
const ANSWERED: Readonly<Record<string, string>> = {
  Payment: 'A payment',
  BankPayment: 'What its receipt needs: `bankPayment`',
  Refund: 'A refund',
  Shift: 'A shift',
  DayReport: 'A day',
  Event: 'An event',
  Problem: 'A failure',
};

/** Schemas of bodies that a till sends, with headings for readers. */
const SENT: Readonly<Record<string, string>> = {
  Sale: 'To ask for a payment',
  RefundRequest: 'To refund',
  ShiftClose: 'To close a shift',
};
const SEARCH = '/v1/payments';

/** Fields of a payment that only some answers have. */
const BESIDE = [
  ['SaleAnswer', 'warnings', 'in the answer to `POST /v1/payments` alone: '],
  ['PaymentWithRefunds', 'refunds', 'in that to `GET /v1/payments/{id}` alone: '],
] as const;

const isPaymentOrRefund = ({ $ref = '' }: Field): boolean => /\/(?:Payment|Refund)$/.test($ref);

/** Returns the function that replaces a reference by the schema that it names. */
const meaningIn = ({ components: { schemas } }: ApiDocument) =>
  function meant(field: Field): Field {
    const { $ref, ...beside } = field;
    const whole = $ref === undefined ? field : { ...schemas[$ref.split('/').at(-1) ?? ''], ...beside };
    return {
      ...whole,
      ...(whole.anyOf !== undefined && { anyOf: whole.anyOf.map(meant) }),
      ...(whole.items !== undefined && !isPaymentOrRefund(whole.items) && { items: meant(whole.items) }),
    };
  };

const FIELDS = ['field', 'type', 'what it says'] as const;

/** A row about a field. A field that may be left out may also be null, so only its other alternative is described. */
function fieldRow(name: string, field: Field, isRequired: boolean): string[] {
  const { anyOf: [first = field, second] = [] } = field;
  const one = second?.type === 'null' ? { ...first, description: field.description ?? first.description ?? '' } : field;
  return [`\`${name}\``, `${typeOf(one)}${isRequired ? ', required' : ''}`, one.description ?? ''];
}

function fieldsOf(document: ApiDocument): string {
  const meant = meaningIn(document);
  const bodies = Object.entries(SENT).map(([name, called]) => {
    const { properties = {}, required = [] } = document.components.schemas[name] ?? {};
    const rows = Object.entries(properties).map(([field, schema]) =>
      fieldRow(field, meant(schema), required.includes(field)),
    );
    return `### ${called}\n\n${tableOf(FIELDS, rows)}`;
  });
  const { get: search } = document.paths[SEARCH] ?? {};
  const rows = (search?.parameters ?? []).map(({ name, description = '', schema }) =>
    fieldRow(name, { ...meant(schema), description }, false),
  );
  return ['## Fields of a request\n', ...bodies, `### To find payments\n\n${tableOf(FIELDS, rows)}`].join('\n');
}

function membersOf(document: ApiDocument): string {
  const { schemas } = document.components;
  const meant = meaningIn(document);
  const tables = Object.entries(ANSWERED).map(([name, called]) => {
    const fields = Object.entries(schemas[name]?.properties ?? {});
    const rows = fields.map(([member, field]) => {
      const whole = meant(field);
      if (isPaymentOrRefund(field)) return [`\`${member}\``, 'object', whole.description ?? ''];
      return memberRow([member, whole]);
    });
    const more = name === 'Payment' ? BESIDE : [];
    for (const [of, member, where] of more)
      rows.push(memberRow([member, meant(schemas[of]?.properties?.[member] ?? {})], where));
    return `### ${called}\n\n${tableOf(MEMBERS, rows)}`;
  });
  return ['## Members\n', ...tables].join('\n');
}
const sectionsOf = (base: string, { paths }: ApiDocument, wanted: (path: string) => boolean): string[] =>
  Object.entries(paths)
    .filter(([path]) => wanted(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => section(base, method.toUpperCase(), path, operation)),
    );

const isV1 = (path: string): boolean => path.startsWith('/v1/');

/** @param texts the OpenAPI documents of both ports */
export function callsPage(texts: Readonly<Record<'terminal' | 'recognition', string>>): string {
  const terminal = JSON.parse(texts.terminal) as ApiDocument;
  const recognition = JSON.parse(texts.recognition) as ApiDocument;
  return [
    HEAD,
    ...sectionsOf(TERMINAL, terminal, isV1),
    ...sectionsOf(TERMINAL, terminal, (path) => !isV1(path) && path !== '/health'),
    ...sectionsOf(RECOGNITION, recognition, (path) => OF_SCALE.includes(path)),
    fieldsOf(terminal),
    membersOf(terminal),
  ].join('\n');
}
