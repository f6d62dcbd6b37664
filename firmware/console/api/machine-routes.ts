/**
 * The calls by which a technician sees the machine, and has it updated, put back to the previous release, restarted and
 * reset; and the calls of the shop's details on papers and its time zone.
 */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { ConfigError, isTimeZone } from '../../core/config/index.ts';
import { DeviceRefusal, type Host, type Shop, ShopSchema } from '../../core/host/index.ts';
import { HttpFailure, NO_STORE } from '../../core/http/index.ts';
import { type MachineFacts, MachineSchema, machineView } from './machine-view.ts';

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
      shop.keep({ ...body, zone });
      try {
        if (zone !== null && zone !== before.zone) await host.setZone(zone);
      } catch (error) {
        shop.keep(before);
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
 * @param retryConfig null where the present configuration is in force. Throws {@link ConfigError} where it is still
 * wrong
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

/** The calls whose work continues after their answer. */
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
