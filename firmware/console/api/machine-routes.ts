/**
 * The calls with which a technician sees the machine (its release, its clock, its condition), and updates it, returns
 * it to the previous release, restarts and resets it. The calls of the shop's details, which papers show, and of its
 * time zone.
 */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Board, UpdateFacts } from '../../core/board/index.ts';
import { ConfigError, isTimeZone } from '../../core/config/index.ts';
import { DeviceRefusal, type Host, type Shop, ShopSchema, zoneNow } from '../../core/host/index.ts';
import { HttpFailure, NO_STORE } from '../../core/http/index.ts';
import { orNull } from '../../core/schema/index.ts';

const timestamp = (description: string) => orNull(Type.String(), `${description}, ISO 8601`);

/** Codes of an update's result, by the updater's words. */
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
const MachineSchema = Type.Object({
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
    zone: zoneNow(),
    offsetMinutes: 0 - new Date(now).getTimezoneOffset(),
    behindSeconds: Math.round(behindMs / 1000),
    source: isSynchronised ? 'time-server' : withoutServer,
  };
}

/** The board and the clock, read at each call. */
interface MachineFacts {
  readonly name: string;
  readonly version: string;
  readonly board: Pick<Board, 'update' | 'guards'> & ClockGuards;
  readonly clock: { wall(): number; readonly behindMs: number };
  readonly modes: () => Machine['modes'];
}

function machineView({ name, version, board, clock, modes }: MachineFacts, managed: boolean): Machine {
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

const WRONG_ZONE = 'zone must be a time zone of the IANA list, as Europe/Moscow';

export function addShopRoutes(app: FastifyInstance, shop: Shop, host: Host): void {
  app.get(
    '/console/api/shop',
    { config: { role: 'technician' }, schema: { response: { 200: ShopSchema } } },
    async (_request, reply) => {
      reply.headers(NO_STORE);
      return { ...shop.facts };
    },
  );

  app.put(
    '/console/api/shop',
    {
      config: { role: 'technician', audit: { event: 'shop-set', fields: ['name', 'address', 'zone'] } },
      schema: { body: ShopSchema, response: { 200: ShopSchema } },
    },
    async ({ body }) => {
      for (const field of ['name', 'address'] as const)
        if (!body[field].isWellFormed())
          throw new HttpFailure('parameter', `${field} must hold whole characters`, { field });
      const before = shop.facts;
      const zone = body.zone ?? before.zone;
      if (zone !== null && !isTimeZone(zone)) throw new HttpFailure('parameter', WRONG_ZONE, { field: 'zone' });
      shop.store({ ...body, zone });
      try {
        if (zone !== null && zone !== before.zone) await host.setZone(zone);
      } catch (error) {
        shop.store(before);
        throw error;
      }
      return { ...shop.facts };
    },
  );
}

export const MAX_DEVICE_NAME_CHARACTERS = 128;

const Begun = Type.Object({ begun: Type.Literal(true) });
const BEGUN = Object.freeze({ begun: true } as const);
const ResetBody = Type.Object(
  {
    name: Type.String({
      maxLength: MAX_DEVICE_NAME_CHARACTERS,
      description: '`name` of `GET /console/api/device`, as a person has typed it',
    }),
  },
  { additionalProperties: false, examples: [{ name: 'LW000042' }] },
);

/**
 * @param retryConfig tries the configuration file again, and throws a {@link ConfigError} where it is still wrong; null
 * where the file is in force
 * @param isAtRest whether no payment is open
 */
export function addMachineRoutes(
  app: FastifyInstance,
  host: Host,
  facts: MachineFacts,
  retryConfig: (() => void) | null,
  isAtRest: () => boolean,
): void {
  app.get(
    '/console/api/device',
    { config: { role: 'technician' }, schema: { response: { 200: MachineSchema } } },
    async (_request, reply) => {
      reply.headers(NO_STORE);
      return machineView(facts, host.isManaged);
    },
  );
  addConfiguration(app, retryConfig, isAtRest);
  addBegun(app, host, facts);
}

function addConfiguration(app: FastifyInstance, retryConfig: (() => void) | null, isAtRest: () => boolean): void {
  app.post(
    '/console/api/device/configuration',
    { config: { role: 'technician', audit: { event: 'configuration-tried' } }, schema: { response: { 200: Begun } } },
    async () => {
      if (retryConfig === null) throw new DeviceRefusal('ConfigInForce', 'the configuration file is in force');
      if (!isAtRest())
        throw new DeviceRefusal(
          'SaleRuns',
          'a payment is in progress, or its outcome is on the display: try again in a few seconds',
        );
      try {
        retryConfig();
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        throw new DeviceRefusal('ConfigWrong', error.problems.join('; '), { cause: error });
      }
      return BEGUN;
    },
  );
}

/** Adds the calls whose work continues after the answer. */
function addBegun(app: FastifyInstance, host: Host, { name, board }: MachineFacts): void {
  const add = (what: string, event: string, begin: () => Promise<void>) =>
    app.post(
      `/console/api/device/${what}`,
      { config: { role: 'technician', audit: { event } }, schema: { response: { 200: Begun } } },
      async () => {
        await begin();
        return BEGUN;
      },
    );

  add('update', 'update-asked-for', () => host.update());
  add('reboot', 'reboot', () => host.reboot());
  add('rollback', 'rollback-asked-for', async () => {
    if (host.isManaged && (board.update?.previous ?? null) === null)
      throw new DeviceRefusal('NoReleaseBefore', 'there is no release before this one on this device');
    await host.rollBack();
  });

  app.post(
    '/console/api/device/reset',
    {
      config: { role: 'technician', audit: { event: 'factory-reset' } },
      schema: { body: ResetBody, response: { 200: Begun } },
    },
    async ({ body }) => {
      if (body.name.trim() !== name)
        throw new DeviceRefusal('WrongName', 'that is not the name of this device: nothing was changed');
      await host.factoryReset();
      return BEGUN;
    },
  );
}
