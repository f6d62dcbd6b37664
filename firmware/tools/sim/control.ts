/**
 * The control of a simulated lane for a till's tests: it reads the display, unplugs it, moves the clock, and pays as a
 * customer who has scanned the display. The bank's other behaviour is controlled by `/sandbox/…` of the bank itself.
 */
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Picture } from '../../../drivers/display/contract.ts';
import { type MemoryWire, WIRE_STATES } from '../../../drivers/display/wire/memory-wire.ts';
import type { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { renderPng } from '../../../drivers/display/wire/simulator-png.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { WITHOUT_COMPILERS } from '../../core/http/index.ts';
import { checked, readBody, SandboxError, sameOrigin } from '../sandbox-bank/index.ts';
import { FASTEST, LONGEST_LEAP_S, type SimulatedTime, SLOWEST } from './simulated-time.ts';

/** Time limit of the bank, which runs in this process; its slowest script takes five seconds. */
const BANK_LIMIT_MS = 30_000;
const MAX_BODY_BYTES = 64 * 1024;
const MS = 1000;

const ClockBody = Type.Object(
  { speed: Type.Number({ minimum: SLOWEST, maximum: FASTEST }) },
  { additionalProperties: false },
);
const LeapBody = Type.Object(
  { seconds: Type.Number({ exclusiveMinimum: 0, maximum: LONGEST_LEAP_S }) },
  { additionalProperties: false },
);
const DisplayBody = Type.Object({ wire: Type.Enum([...WIRE_STATES]) }, { additionalProperties: false });
/** The used fields of a payment in the bank's list. */
const BankPayments = Type.Array(Type.Object({ qrcId: Type.String(), link: Type.String() }));

/** A picture, and since when it was shown, by the lane's clock. */
export interface ShownPicture {
  readonly at: string;
  readonly picture: Picture;
}

type Urls = () => { readonly terminal: string; readonly recognition: string; readonly sandbox: string | null };

/** A refusal of the control: the request is wrong, or does not fit the present display. */
class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

function statusOf(error: FastifyError): number {
  if (error instanceof ControlError) return error.status;
  if (error instanceof SandboxError) return error.code === 'not-json' ? 415 : 400;
  return error.statusCode ?? 500;
}

const CALLS =
  'GET /, GET /display, GET /display.png, PUT /display, GET /clock, PUT /clock, POST /clock/advance, POST /payer/pay, POST /payer/decline, /sandbox/…';

function newServer(): FastifyInstance {
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    schemaController: { compilersFactory: WITHOUT_COMPILERS },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', sameOrigin);
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: `there is nothing at this address; the calls are ${CALLS}` }),
  );
  app.setErrorHandler<FastifyError>((error, _request, reply) =>
    reply.code(statusOf(error)).send({ error: error.message }),
  );
  return app;
}

/** Passes a call on to the bank, which answers this machine only, while the simulated lane may be in a container. */
async function atBank(base: string | null, method: string, path: string, body?: string): Promise<Response> {
  if (base === null) throw new ControlError(409, 'the sandbox bank does not run here (sandboxBank.enabled)');
  try {
    return await fetch(new URL(path, base), {
      method,
      signal: AbortSignal.timeout(BANK_LIMIT_MS),
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    throw new ControlError(502, `the sandbox bank does not answer: ${messageOf(error)}`, { cause: error });
  }
}

/** @returns the bank's id of the payment whose code is on the display @throws {ControlError} 409 */
async function scanned(display: SimulatedDisplay, urls: Urls): Promise<string> {
  const { picture } = display;
  if (picture.kind !== 'qr') throw new ControlError(409, 'no code is on the display: there is nothing to scan');
  const listed = await atBank(urls().sandbox, 'GET', '/sandbox/payments');
  const payments = checked(BankPayments, await listed.json());
  const found = payments.find(({ link }) => link === picture.payload);
  if (found !== undefined) return found.qrcId;
  throw new ControlError(409, `the code on the display is no payment of the sandbox bank: ${picture.payload}`);
}

/** @param shown pictures that the display has shown, the newest last */
export function buildControl(
  time: SimulatedTime,
  display: SimulatedDisplay,
  shown: readonly ShownPicture[],
  wire: MemoryWire,
  urls: Urls,
): FastifyInstance {
  const app = newServer();
  const clockNow = () => ({ now: new Date(time.wall()).toISOString(), speed: time.speed });
  const displayNow = () => ({ wire: wire.state, picture: display.picture, shown });
  app.get('/', async () => ({ ...urls(), display: displayNow(), clock: clockNow(), calls: CALLS }));

  app.get('/display', async () => displayNow());
  app.get('/display.png', async (_request, reply) => reply.type('image/png').send(await renderPng(display.picture)));
  app.put('/display', async (request) => {
    const body: Static<typeof DisplayBody> = readBody(request, DisplayBody);
    wire.state = body.wire;
    return displayNow();
  });

  app.get('/clock', async () => clockNow());
  app.put('/clock', async (request) => {
    time.speed = readBody(request, ClockBody).speed;
    return clockNow();
  });
  app.post('/clock/advance', async (request) => {
    time.advance(readBody(request, LeapBody).seconds * MS);
    return clockNow();
  });

  addPayer(app, display, urls);
  return app;
}

function addPayer(app: FastifyInstance, display: SimulatedDisplay, urls: Urls): void {
  const passOn = async (answer: Response, reply: { code(status: number): { send(body: unknown): unknown } }) =>
    reply.code(answer.status).send(await answer.json());
  for (const action of ['pay', 'decline'] as const) {
    app.post(`/payer/${action}`, async (_request, reply) =>
      passOn(
        await atBank(urls().sandbox, 'POST', `/sandbox/payments/${await scanned(display, urls)}/${action}`),
        reply,
      ),
    );
  }
  app.route({
    method: ['GET', 'POST'],
    url: '/sandbox/*',
    handler: async ({ method, url, body }, reply) =>
      passOn(await atBank(urls().sandbox, method, url, typeof body === 'string' ? body : undefined), reply),
  });
}
