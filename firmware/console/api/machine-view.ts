/** The data of the device's page on the machine: its release, its clock, its condition. */
import Type, { type Static } from 'typebox';
import type { Board, UpdateFacts } from '../../core/board/index.ts';
import { orNull } from '../../core/store/index.ts';

const timestamp = (description: string) => orNull(Type.String(), `${description}, ISO 8601`);

/** Results of the last update; the English text is sent only where no code exists. */
const OUTCOMES: readonly (readonly [RegExp, string])[] = [
  [/^nothing new$/, 'nothing-new'],
  [/^nothing was changed$/, 'looked'],
  [/^(\S+) was installed$/, 'installed'],
  [/^(\S+) was left for \S+ by hand$/, 'left'],
  [/^(\S+) was undone/, 'undone'],
  [/^(\S+) could not stay up/, 'gave-way'],
  [/^a payment is open: put off/, 'payment-open'],
];

const OutcomeSchema = Type.Object({
  code: Type.String({
    description:
      '`nothing-new`, `looked`, `installed`, `left`, `undone`, `gave-way`, `payment-open`, or `other`, which `detail` explains',
  }),
  version: orNull(Type.String(), 'of the release that it is about'),
  detail: Type.String({ description: 'in the words of the updater' }),
});

export function outcomeOf(words: string): Static<typeof OutcomeSchema> | null {
  if (words === '') return null;
  for (const [form, code] of OUTCOMES) {
    const [whole, version = null] = form.exec(words) ?? [];
    if (whole !== undefined) return { code, version, detail: words };
  }
  return { code: 'other', version: null, detail: words };
}

const UpdateSchema = Type.Object({
  doing: Type.String({ description: 'what the updater is doing; `idle` when nothing' }),
  outcome: orNull(OutcomeSchema, 'how the last one went'),
  previous: orNull(Type.String(), 'the release that can be gone back to'),
  source: orNull(Type.String(), 'where releases are looked for; null: nowhere'),
  undone: Type.Array(Type.Object({ version: Type.String(), reason: Type.String() }), {
    description: 'newer releases that were tried and undone',
  }),
  putOffSince: timestamp('since when updates come to nothing'),
  putOffWhy: Type.String({ description: 'in the words of the updater; empty where they are not put off' }),
});
export const MachineSchema = Type.Object({
  name: Type.String({ description: 'what is typed before a reset: the serial number' }),
  version: Type.String(),
  installedAt: timestamp('since when this release is installed'),
  managed: Type.Boolean({ description: 'whether the device may update, restart and reset its machine' }),
  update: orNull(UpdateSchema, 'null on a machine without an updater'),
  clock: Type.Object({
    now: Type.String({ description: 'what the device takes for the time, ISO 8601' }),
    zone: Type.String({ description: 'in which its days begin, as `Europe/Moscow`' }),
    offsetMinutes: Type.Integer({ description: 'of that zone, now, to UTC' }),
    behindSeconds: Type.Integer({
      description: 'how far the clock of the system is behind what is known; 0 when well',
    }),
    source: Type.Enum(['time-server', 'chip', 'none'], {
      description: 'what confirms it: a time server that has answered, a clock chip with a battery, or nothing',
    }),
  }),
  guards: Type.Object({
    watchdog: orNull(Type.Boolean(), 'whether a board that hangs restarts; null where it has no watchdog'),
    writableRoot: orNull(Type.Boolean(), 'whether the system can be written to; null on a board with an ordinary root'),
  }),
  modes: Type.Object({
    tls: Type.Boolean({ description: 'callers from the network are encrypted' }),
    network: Type.Boolean({ description: 'others than this machine may call' }),
    needsToken: Type.Boolean({ description: 'they must send a token' }),
    addresses: Type.Array(Type.Object({ which: Type.Enum(['terminal', 'recognition']), url: Type.String() }), {
      description: 'where others reach its ports; none while it listens on itself alone',
    }),
  }),
});
export type Machine = Static<typeof MachineSchema>;

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export function updateView(facts: UpdateFacts | null): Machine['update'] {
  if (facts === null) return null;
  const { doing, outcome, previous, source, undone, putOff } = facts;
  return {
    doing,
    previous,
    source,
    outcome: outcomeOf(outcome),
    undone: [...undone],
    putOffSince: iso(putOff?.since ?? null),
    putOffWhy: putOff?.why ?? '',
  };
}

type ClockGuards = Pick<Board, 'isSynchronised' | 'hasClockChip'>;

/** @param now the device's time, ms since 1970 */
export function clockView(
  now: number,
  behindMs: number,
  { isSynchronised, hasClockChip }: ClockGuards,
): Machine['clock'] {
  const withoutServer = hasClockChip ? 'chip' : 'none';
  return {
    now: new Date(now).toISOString(),
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    offsetMinutes: 0 - new Date(now).getTimezoneOffset(),
    behindSeconds: Math.round(behindMs / 1000),
    source: isSynchronised ? 'time-server' : withoutServer,
  };
}

/** Facts on the board and the clock, read at each call. */
export interface MachineFacts {
  readonly name: string;
  readonly version: string;
  readonly board: Pick<Board, 'update' | 'guards'> & ClockGuards;
  readonly clock: { wall(): number; readonly behindMs: number };
  readonly modes: () => Machine['modes'];
}

export function machineView({ name, version, board, clock, modes }: MachineFacts, managed: boolean): Machine {
  const { update } = board;
  return {
    name,
    version,
    managed,
    installedAt: iso(update?.runsSince ?? null),
    update: updateView(update),
    clock: clockView(clock.wall(), clock.behindMs, board),
    guards: board.guards,
    modes: modes(),
  };
}
