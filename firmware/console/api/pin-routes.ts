/** The calls by which a technician sets the PINs of people at the pages. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { PEOPLE, type Pins } from '../../core/access/index.ts';
import { withFailureCodes } from '../../recognition/index.ts';
import { PersonField, PinField } from './session-routes.ts';

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
