/** The shapes of the parts of a support bundle: the names that it may show, and the kinds of their values. */
import { DISPLAY_FIELDS } from '../../../drivers/display/registry.ts';
import { BANKS } from '../../banks/index.ts';
import type { Shape } from './bundle-shown.ts';

/**
 * Parameters of a reason in `/health` that may be shown. Others, such as names, paths and addresses, identify the shop.
 */
const ABOUT: Shape = {
  n: 'number',
  minutes: 'number',
  days: 'number',
  free: 'number',
  needed: 'number',
  percent: 'number',
  degrees: 'number',
  limit: 'number',
  at: 'time',
  today: 'time',
  says: 'time',
  known: 'time',
  version: 'version',
  detail: 'codes',
  doing: 'word',
  role: 'word',
};

export const HEALTH: Shape = {
  state: 'word',
  sales: 'word',
  version: 'version',
  serial: 'serial',
  uptimeSeconds: 'number',
  ports: { terminal: 'number', recognition: 'number' },
  parts: [
    {
      part: 'word',
      state: 'word',
      sales: 'word',
      reasons: [{ code: 'word', sales: 'word', about: ABOUT }],
      driver: 'word',
      runtime: 'word',
      speed: 'word',
      speedBy: 'word',
      lookMs: 'number',
      gallery: { items: 'number', prototypes: 'number', confirmations: 'number' },
    },
  ],
};

const ERROR: Shape = {
  type: 'word',
  name: 'word',
  message: 'codes',
  code: 'word',
  syscall: 'word',
  errno: 'number',
  status: 'number',
  statusCode: 'number',
  stack: 'stack',
};

/** A line of the log. */
const LINE: Shape = {
  time: 'time',
  level: 'word',
  part: 'word',
  msg: 'sentence',
  err: ERROR,
  reason: 'codes',
  code: 'word',
  status: 'number',
  ms: 'number',
  bytes: 'number',
  more: 'number',
  pid: 'number',
  version: 'version',
  signal: 'word',
  problem: 'codes',
  trouble: 'codes',
  wall: 'number',
};

/** A line of systemd's journal, with the fields of systemd's reports on the end of a unit. */
export const JOURNAL: Shape = {
  at: 'time',
  unit: 'unit',
  result: 'result',
  code: 'result',
  exit: 'digits',
  restarts: 'digits',
  line: LINE,
};

/** How often a release has ended by itself within its current day, and the causes. */
export const END: Shape = { version: 'version', ends: 'number', causes: [{ cause: 'result', n: 'number' }] };

/** A file of the data folder. */
export const KEPT: Shape = { name: 'file', beside: 'beside', bytes: 'number', at: 'time' };

export const BOARD: Shape = {
  guards: { watchdog: 'flag', writableRoot: 'flag' },
  isSynchronised: 'flag',
  update: {
    doing: 'word',
    outcome: 'sentence',
    previous: 'version',
    runsSince: 'number',
    source: 'given',
    systemAt: 'number',
    endsToday: 'number',
    loadEndsToday: 'number',
    undone: [{ version: 'version', reason: 'sentence' }],
    putOff: { since: 'number', why: 'sentence' },
  },
};

const BANK_NAMES: ReadonlySet<string> = new Set(BANKS.map(({ name }) => name));
const names = [...new Set(BANKS.flatMap(({ schema }) => Object.keys(schema.properties)))];

/** A profile of any bank: the bank, and which fields are set. */
export const PROFILE: Shape = {
  ...Object.fromEntries(names.map((name) => [name, 'given' as const])),
  bankName: BANK_NAMES,
};
export const CONNECTION: Shape = {
  connectionType: new Set(DISPLAY_FIELDS.map(({ name }) => name)),
  ...Object.fromEntries(DISPLAY_FIELDS.flatMap(({ fields }) => fields).map((field) => [field, 'given' as const])),
};

/** Labels of a metric that may be shown, and not, for example, an address that the device calls. */
export const LABELS: Readonly<Record<string, Shape>> = {
  bank: BANK_NAMES,
  direction: 'word',
  failure: 'word',
  le: 'figure',
  part: 'word',
  router: 'word',
  state: 'word',
  status: 'figure',
  step: 'word',
  tap: 'word',
  verdict: 'word',
  version: 'version',
};

interface Described {
  readonly type?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, Described>>;
}

/** Texts of a configuration that are shown: `/health` and the log show them, too. */
const SHOWN_TEXTS: Readonly<Record<string, Shape>> = { serial: 'serial', program: 'word' };

/**
 * Makes the shape of values of a schema: numbers, switches and choices are shown; of others, only whether they are set.
 */
export function shapeOf({ type, enum: choices, anyOf, properties }: Described): Shape {
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, SHOWN_TEXTS[name] ?? shapeOf(each)]),
    );
  if (anyOf?.[0] !== undefined) return shapeOf(anyOf[0]);
  if (choices !== undefined) return new Set(choices);
  if (type === 'boolean') return 'flag';
  return type === 'integer' || type === 'number' ? 'number' : 'given';
}
