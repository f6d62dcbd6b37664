/** Printed codes (кассовая ссылка): the bank makes one, a technician prints it and names it in the profile. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { NO_CONTROLS } from '../../core/store/index.ts';
import type { Terminal } from '../terminal.ts';
import { refusals } from './problem.ts';

const MAX_DESCRIPTION = 140;

const Body = Type.Object(
  {
    description: Type.Optional(
      Type.String({
        maxLength: MAX_DESCRIPTION,
        pattern: NO_CONTROLS,
        description: 'what the bank is to call it, as Lane 3; Laneware when left out',
      }),
    ),
  },
  { title: 'CashLinkRequest', additionalProperties: false, examples: [{ description: 'Lane 3' }] },
);
const Answer = Type.Object(
  {
    id: Type.String({ description: "the bank's id of it" }),
    link: Type.String({ description: 'what is to be printed as a QR code, and set as `cashLink` of the profile' }),
  },
  {
    title: 'CashLink',
    description: 'a printed code',
    examples: [{ id: 'CL-7', link: 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G' }],
  },
);

export function addCashLinkRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/v1/cash-links',
    {
      config: { role: 'technician', audit: { event: 'cash-link-made', fields: ['description'], answers: ['link'] } },
      schema: {
        operationId: 'createCashLink',
        tags: ['payments'],
        summary: 'Have the bank in use make a code to print',
        description: 'Each call makes another one. Refused where the bank has none (Bank.NoCashLinks).',
        body: Body,
        response: {
          200: Answer,
          ...refusals(
            'DriverSettings.IsNotConfigured',
            'Bank.NoCashLinks',
            'Bank.Unreachable',
            'Bank.Refused',
            'Bank.Contradiction',
          ),
        },
      },
    },
    async ({ body }) => {
      const { id, payload } = await terminal.createCashLink(body.description || 'Laneware');
      return { id, link: payload };
    },
  );
}
