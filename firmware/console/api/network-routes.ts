/** The call by which a technician opens the device to the network, or closes it: it listens anew, so it is started again. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { isNetworkAs, type NetworkChoice } from '../../core/access/index.ts';
import type { Config } from '../../core/config/index.ts';
import { DeviceRefusal } from '../../core/host/index.ts';

const Body = Type.Object(
  { open: Type.Boolean({ description: 'whether others than this machine may call' }) },
  { additionalProperties: false, examples: [{ open: true }] },
);
const Kept = Type.Object({
  byHand: Type.Boolean({ description: 'whether a person must restart the device: it does not by itself' }),
});

/**
 * @param config in force: where the device listens now
 * @param restart of the device; null where a person must
 * @param isAtRest no payment is open
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
      if (!isSame && !isAtRest()) throw new DeviceRefusal('SaleRuns', 'a payment is in progress: try again afterwards');
      choice.keep(open);
      if (isSame) return { byHand: false };
      if (restart === null) return { byHand: true };
      if (reply.raw.destroyed)
        setImmediate(restart); // who asked for it has not waited
      else reply.raw.once('close', () => setImmediate(restart));
      return { byHand: false };
    },
  );
}
