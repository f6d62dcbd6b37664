/**
 * The calls with which a technician gives others access: they set people's PINs, and open the device to the network.
 */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { isNetworkAs, type NetworkChoice, PEOPLE, PersonField, type Pins } from '../../core/access/index.ts';
import type { Config } from '../../core/config/index.ts';
import { DeviceRefusal } from '../../core/host/index.ts';
import { findPortConflict } from '../../core/http/index.ts';
import { withFailureCodes } from '../../recognition/index.ts';
import { PinField } from './session-routes.ts';

const PersonParams = Type.Object({ person: PersonField });
const PinBody = Type.Object({ pin: PinField }, { additionalProperties: false, examples: [{ pin: '739105' }] });
export const PinList = Type.Object({
  pins: Type.Array(Type.Object({ role: PersonField, set: Type.Boolean({ description: 'whether there is one' }) })),
});

export function addPinRoutes(app: FastifyInstance, pins: Pins): void {
  const list = (): Static<typeof PinList> => ({ pins: PEOPLE.map((role) => ({ role, set: pins.has(role) })) });

  app.get('/console/api/pins', { config: { role: 'technician' }, schema: { response: { 200: PinList } } }, async () =>
    list(),
  );

  app.put(
    '/console/api/pins/:person',
    {
      config: { role: 'technician', audit: { event: 'pin-set', fields: ['person'] } },
      schema: { params: PersonParams, body: PinBody, response: { 200: PinList } },
    },
    async ({ params: { person }, body: { pin } }) => {
      await withFailureCodes(() => pins.set(person, pin));
      return list();
    },
  );

  app.delete(
    '/console/api/pins/:person',
    {
      config: { role: 'technician', audit: { event: 'pin-removed', fields: ['person'] } },
      schema: { params: PersonParams, response: { 200: PinList } },
    },
    async ({ params: { person } }) => {
      await withFailureCodes(() => pins.remove(person));
      return list();
    },
  );
}

const Body = Type.Object(
  { open: Type.Boolean({ description: 'whether others than this machine may call' }) },
  { additionalProperties: false, examples: [{ open: true }] },
);
const Kept = Type.Object({
  byHand: Type.Boolean({ description: 'whether a person must restart the device: it does not by itself' }),
});

/**
 * Refuses addresses at which another program listens: the device could not start with them.
 * @throws {DeviceRefusal} `PortTaken`
 */
async function checkPorts(now: Config, wanted: Config): Promise<void> {
  for (const which of ['terminal', 'recognition'] as const) {
    const { host, port } = wanted[which];
    const taken = host === now[which].host ? null : await findPortConflict(host, port);
    if (taken !== null) {
      const sentence = `another program listens on port ${port} of ${taken}: stop it, or choose another port (${which}.port)`;
      throw new DeviceRefusal('PortTaken', sentence);
    }
  }
}

/**
 * @param config configuration in force, with the current addresses
 * @param restart restarts the device; null where a person must
 * @param isAtRest whether no payment is open
 */
export function addNetworkRoutes(
  app: FastifyInstance,
  choice: NetworkChoice,
  config: Config,
  restart: (() => void) | null,
  isAtRest: () => boolean,
): void {
  app.put(
    '/console/api/network',
    {
      config: { role: 'technician', audit: { event: 'network-set', fields: ['open'] } },
      schema: { body: Body, response: { 200: Kept } },
    },
    async ({ body: { open } }, reply) => {
      const isSame = isNetworkAs(config, open);
      if (!isSame) await checkPorts(config, choice.configWith(open));
      if (!isSame && !isAtRest())
        throw new DeviceRefusal(
          'SaleRuns',
          'a payment is in progress, or its outcome is on the display: try again in a few seconds',
        );
      choice.store(open);
      if (isSame) return { byHand: false };
      if (restart === null) return { byHand: true };
      if (reply.raw.destroyed)
        setImmediate(restart); // the caller has closed the connection already
      else reply.raw.once('close', () => setImmediate(restart));
      return { byHand: false };
    },
  );
}
