/** The calls by which a technician sets the PINs of people at the pages. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { TypeBoxProvider } from '../../http/index.ts';
import { refusals, withFailureCodes } from '../../recognition/index.ts';
import { PEOPLE, type Pins } from '../../sign-in/index.ts';
import { PersonField, PinField } from './session-routes.ts';

const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const;

const PersonParams = Type.Object({ person: PersonField });
const PinBody = Type.Object(
  { pin: PinField },
  { title: 'WantedPin', additionalProperties: false, examples: [{ pin: '739105' }] },
);
export const PinList = Type.Object(
  {
    pins: Type.Array(
      Type.Object(
        { role: PersonField, set: Type.Boolean({ description: 'whether there is one' }) },
        { title: 'PinKept' },
      ),
    ),
  },
  {
    title: 'Pins',
    description: 'of people at the pages; the PINs themselves are never returned',
    examples: [
      {
        pins: [
          { role: 'cashier', set: true },
          { role: 'technician', set: true },
        ],
      },
    ],
  },
);

export function addPinRoutes(plain: FastifyInstance, pins: Pins): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const list = (): Static<typeof PinList> => ({ pins: PEOPLE.map((role) => ({ role, set: pins.has(role) })) });

  app.get(
    '/console/api/pins',
    {
      schema: {
        operationId: 'listPins',
        tags: ['device'],
        summary: 'Which PINs there are',
        description: 'As long as there is none, pages on the machine itself need no sign-in.',
        response: { 200: PinList },
      },
    },
    async () => list(),
  );

  app.put(
    '/console/api/pins/:person',
    {
      schema: {
        operationId: 'setPin',
        tags: ['device'],
        summary: 'Set the PIN of a role, or another one in its place',
        description:
          'From then on pages need a sign-in, also on the machine itself; its programs need none. Sessions of the old PIN end.',
        params: PersonParams,
        body: PinBody,
        response: {
          200: PinList,
          ...refusals('SignIn.EasyPin', 'SignIn.PinInUse', 'SignIn.TechnicianFirst', ...WRITING),
        },
      },
    },
    async ({ params: { person }, body: { pin } }) => {
      await withFailureCodes(() => pins.set(person, pin));
      return list();
    },
  );

  app.delete(
    '/console/api/pins/:person',
    {
      schema: {
        operationId: 'removePin',
        tags: ['device'],
        summary: 'Remove the PIN of a role',
        description:
          'Its sessions end. Without any PIN, pages on the machine itself need no sign-in. A program on the machine itself needs no token for this: for a PIN that was lost.',
        params: PersonParams,
        response: { 200: PinList, ...refusals('SignIn.TechnicianFirst', ...WRITING) },
      },
    },
    async ({ params: { person } }) => {
      await withFailureCodes(() => pins.remove(person));
      return list();
    },
  );
}
