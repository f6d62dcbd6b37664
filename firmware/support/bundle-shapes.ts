/** What of each part of a device a support bundle shows: names, and the kinds of their values. */
import { ConfigSchema } from '../config/index.ts';
import { BANKS } from '../terminal/index.ts';
import type { Shape } from './bundle-listed.ts';

/** Of what `/health` has beside a code; names, paths and addresses are a shop's own. */
const ABOUT: Shape = {
  ...{ n: 'number', minutes: 'number', days: 'number', free: 'number', needed: 'number', percent: 'number' },
  ...{ degrees: 'number', limit: 'number', at: 'time', today: 'time', says: 'time', known: 'time' },
  ...{ version: 'version', detail: 'text', doing: 'text', role: 'text' },
};

export const HEALTH: Shape = {
  ...{ state: 'text', sales: 'text', version: 'version', serial: 'serial', uptimeSeconds: 'number' },
  ports: { terminal: 'number', recognition: 'number' },
  parts: [
    {
      ...{ part: 'text', state: 'text', sales: 'text', reasons: [{ code: 'text', sales: 'text', about: ABOUT }] },
      ...{ driver: 'text', runtime: 'text', speed: 'text', speedBy: 'text', lookMs: 'number' },
      gallery: { items: 'number', prototypes: 'number', confirmations: 'number', lookAlikes: 'number' },
    },
  ],
};

const ERROR: Shape = {
  ...{ type: 'text', name: 'text', message: 'text', code: 'text', syscall: 'text', errno: 'number' },
  ...{ status: 'number', statusCode: 'number', stack: 'stack' },
};

/** A line of the log. */
export const LINE: Shape = {
  ...{ time: 'time', level: 'text', part: 'text', msg: 'text', err: ERROR, reason: 'text', code: 'text' },
  ...{ status: 'number', ms: 'number', bytes: 'number', more: 'number', pid: 'number', version: 'version' },
  ...{ signal: 'text', field: 'text', problem: 'text', trouble: 'text', wall: 'number' },
};

/** A line with what systemd says of the end of its unit. */
export const JOURNAL: Shape = {
  ...{ at: 'time', unit: 'unit', result: 'result', code: 'result', exit: 'digits', restarts: 'digits' },
  line: LINE,
};

/** How often a release has ended by itself in its present day, and by what. */
export const END: Shape = { version: 'version', ends: 'number', causes: [{ cause: 'result', n: 'number' }] };

/** A file of the data folder. */
export const KEPT: Shape = { name: 'text', beside: 'beside', bytes: 'number', at: 'time' };

export const BOARD: Shape = {
  guards: { watchdog: 'flag', writableRoot: 'flag' },
  isSynchronised: 'flag',
  update: {
    ...{ doing: 'text', outcome: 'text', previous: 'version', runsSince: 'number', source: 'given' },
    ...{ systemAt: 'number', endsToday: 'number', loadEndsToday: 'number' },
    undone: [{ version: 'version', reason: 'text' }],
    putOff: { since: 'number', why: 'text' },
  },
};

const names = [...new Set(BANKS.flatMap(({ schema }) => Object.keys(schema.properties)))];

/** A profile of any bank: which it is, and which of its fields are there. */
export const PROFILE: Shape = {
  ...Object.fromEntries(names.map((name) => [name, 'given' as const])),
  bankName: 'text',
};
export const CONNECTION: Shape = {
  ...{ connectionType: 'text', portName: 'given', deviceAddress: 'given', deviceName: 'given' },
};

interface Described {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly anyOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, Described>>;
}

/** Numbers, switches and choices; of all else whether there is anything. */
function shapeOf({ type, enum: choices, anyOf, properties }: Described): Shape {
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, shapeOf(each)]));
  if (anyOf?.[0] !== undefined) return shapeOf(anyOf[0]);
  if (choices !== undefined) return 'text';
  if (type === 'boolean') return 'flag';
  return type === 'integer' || type === 'number' ? 'number' : 'given';
}

export const CONFIG = shapeOf(ConfigSchema);
