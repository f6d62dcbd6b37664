/** The calls by which a technician says what stands on the papers of the shop, and in which zone its days begin. */
import type { FastifyInstance } from 'fastify';
import { isTimeZone } from '../../core/config/index.ts';
import { type Host, type Shop, ShopSchema } from '../../core/host/index.ts';
import { HttpFailure, NO_STORE } from '../../core/http/index.ts';

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
