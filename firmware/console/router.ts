/** The room of the web pages: operator console and customer display, and the calls that they make. */
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { callerOf } from '../http/caller.ts';
import { isFromThisMachine } from '../http/guard/guard.ts';
import { tellAudit } from '../http/request-notes.ts';
import type { TypeBoxProvider } from '../http/server.ts';
import { CODES, RecognitionError } from '../recognition/codes.ts';
import { TerminalError } from '../terminal/errors.ts';
import { ShowQRBody } from '../terminal/http/schemas.ts';
import { NoteField } from '../terminal/http/v1/payment-schemas.ts';
import { besideSuccess } from '../terminal/payments/calls/calls.ts';
import type { TlsIdentity } from '../tls/identity.ts';
import { Calm } from './calm.ts';
import { type ConsoleParts, type ConsoleState, ConsoleStateSchema, consoleState } from './console-view.ts';
import { DisplayEventSchema, DisplayStateSchema, displayEvents, displayState, type Viewer } from './display-view.ts';
import { EventStream } from './event-stream.ts';
import { addSandboxRoutes } from './sandbox-routes.ts';
import { FIRST_SETTINGS, whyNoSetup } from './setup.ts';
import { addStaticPages } from './static-pages.ts';

const Done = Type.Object(
  { code: Type.Literal(CODES.ok) },
  { title: 'PageDone', description: 'done', examples: [{ code: CODES.ok }] },
);
const AcknowledgeBody = Type.Object(
  {
    orderId: Type.String({ minLength: 1, maxLength: 64, description: '`orderId` of a payment in `late`' }),
    note: NoteField,
  },
  {
    title: 'LateAcknowledgement',
    examples: [{ orderId: 'LW000042-1763712000000-1', note: 'the customer was given the goods' }],
  },
);
const DONE = Object.freeze({ code: CODES.ok });
const answers = { 200: Done };

const NO_STORE = { 'cache-control': 'no-store' } as const;

/** Runs a step of the terminal; its refusal is told in this port's envelope. @throws {RecognitionError} */
async function atTerminal(step: () => Promise<unknown>): Promise<typeof DONE> {
  try {
    await step();
    return DONE;
  } catch (cause) {
    if (cause instanceof TerminalError) throw new RecognitionError('paymentTerminal', cause.message, { cause });
    throw cause;
  }
}

/** An event of a stream: its name, and JSON as its data. */
const eventOf = (data: TSchema, title: string, name?: string) =>
  Type.Object(
    {
      ...(name === undefined ? {} : { event: Type.Literal(name) }),
      data: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/json', contentSchema: data }),
    },
    { title },
  );

const Hello = Type.Object({
  pages: Type.String({ description: 'names this version of the pages' }),
  beatMs: Type.Integer({ description: 'how often something is told' }),
});

const eventsOf = (
  schema: typeof DisplayEventSchema | typeof ConsoleStateSchema,
  operationId: string,
  title: string,
  summary: string,
) => ({
  operationId,
  tags: ['pages'],
  summary,
  description:
    'Server-sent events: `hello` once, the present state at once and then each change as a message, and `beat` while nothing changes. Silence for more than two beats means that the device is lost.',
  response: {
    200: {
      description: 'the stream',
      content: {
        'text/event-stream': {
          schema: Type.Union([
            eventOf(Hello, 'HelloEvent', 'hello'),
            eventOf(Type.Object({}), 'BeatEvent', 'beat'),
            eventOf(schema, title),
          ]),
        },
      },
    },
  },
});

export function addConsoleRoutes(plain: FastifyInstance, parts: ConsoleParts): void {
  const { screen } = parts.terminal;
  const hello = { pages: addStaticPages(plain) };
  const onProblem = (err: unknown) => plain.log.error({ err }, 'the pages cannot be told the state of the device');
  const onOwnScreen = displayEvents(parts, 'own-screen');
  const displays = {
    anybody: new EventStream({ hello, compose: displayEvents(parts, 'anybody'), onProblem }),
    'own-screen': new EventStream({
      hello,
      compose: () => {
        const event = onOwnScreen();
        if (event.claim !== undefined) parts.onClaimRead();
        return event;
      },
      onProblem,
    }),
  };
  const mirrored = displayEvents(parts, 'anybody');
  const compose = () => consoleState(parts, mirrored());
  const overview = new EventStream({ hello, compose, onProblem });
  screen.onChange(() => {
    for (const display of Object.values(displays)) display.changed();
    overview.changed();
  });
  parts.items.onChange(() => overview.changed());
  const calm = new Calm(() => overview.changed());
  parts.calls.onChange(() => calm.ask());
  parts.uncertain.onChange(() => calm.ask());
  parts.lines.onChange(() => calm.ask());
  plain.addHook('preClose', async () => {
    calm.stop();
    for (const display of Object.values(displays)) display.close();
    overview.close();
  });
  addDisplay(plain, parts, displays);
  addOverview(plain, parts, compose, overview);
  addTerminalApi(plain, parts);
  if (parts.tls !== null) addCertificate(plain, parts.tls);
  addActions(plain, parts);
  addSandboxRoutes(plain, parts.terminal, parts.sandboxUrl);
  addAcknowledging(plain, parts, () => overview.changed());
}

/** A kiosk browser on the device is its display. */
const viewerOf = ({ raw: { socket, headers } }: FastifyRequest): Viewer =>
  isFromThisMachine({ remoteAddress: socket.remoteAddress ?? '', headers }) ? 'own-screen' : 'anybody';

/** What the customer sees. */
function addDisplay(plain: FastifyInstance, parts: ConsoleParts, events: Readonly<Record<Viewer, EventStream>>): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/display/state',
    {
      schema: {
        operationId: 'getDisplayState',
        tags: ['pages'],
        summary: 'What the customer sees',
        description: 'The picture of this moment, and how the link to the display stands.',
        response: { 200: DisplayStateSchema },
      },
    },
    async (request, reply) => {
      reply.headers(NO_STORE);
      return displayState(parts, viewerOf(request));
    },
  );
  plain.get(
    '/display/events',
    { schema: eventsOf(DisplayEventSchema, 'followDisplay', 'DisplayEvent', 'What the customer sees, live') },
    (request, reply) => parts.streams.send(request, reply, () => events[viewerOf(request)].open()),
  );
}

/** What the console shows. */
function addOverview(
  plain: FastifyInstance,
  { streams }: ConsoleParts,
  compose: () => ConsoleState,
  events: EventStream,
): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/state',
    {
      schema: {
        operationId: 'getConsoleState',
        tags: ['pages'],
        summary: 'What the device is doing',
        description: 'Everything that the console shows.',
        response: { 200: ConsoleStateSchema },
      },
    },
    async (_request, reply) => {
      reply.headers(NO_STORE);
      return compose();
    },
  );
  plain.get(
    '/console/events',
    { schema: eventsOf(ConsoleStateSchema, 'followConsole', 'ConsoleEvent', 'What the device is doing, live') },
    (request, reply) => streams.send(request, reply, () => events.open()),
  );
}

/** The calls of the other port: a page asks nobody but its own. */
function addTerminalApi(plain: FastifyInstance, { terminalApi }: ConsoleParts): void {
  const hidden: FastifySchema & { hide: boolean } = { hide: true };
  plain.get('/console/terminal-api.json', { schema: hidden }, async () => terminalApi());
}

/** What a till is to trust, to be compared by its fingerprint. */
function addCertificate(plain: FastifyInstance, tls: TlsIdentity): void {
  const hidden: FastifySchema & { hide: boolean } = { hide: true };
  plain.get('/certificate.pem', { schema: hidden }, async (_request, reply) =>
    reply
      .headers({ ...NO_STORE, 'content-disposition': 'attachment; filename="laneware.pem"' })
      .type('application/x-pem-file')
      .send(tls.pair.certificate),
  );
}

function addActions(plain: FastifyInstance, { terminal, sandboxUrl }: ConsoleParts): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.post(
    '/console/setup',
    {
      schema: {
        operationId: 'setUpDevice',
        tags: ['pages'],
        summary: 'Set a fresh device up: on-screen display and sandbox bank',
        description: 'Refused where the device is set up already, or has no sandbox bank.',
        response: answers,
      },
    },
    (request) =>
      atTerminal(async () => {
        const refusal = whyNoSetup(terminal, sandboxUrl);
        if (refusal !== null) throw new RecognitionError('paymentTerminal', refusal);
        tellAudit(request, await terminal.updateSettings(FIRST_SETTINGS));
      }),
  );

  app.post(
    '/console/payment',
    {
      schema: {
        operationId: 'askForPayment',
        tags: ['pages'],
        summary: 'Ask for a payment, as showQR of the terminal does',
        description: 'Answers when the code is on the display.',
        body: ShowQRBody,
        response: answers,
      },
    },
    async (request, reply) => {
      return atTerminal(async () =>
        besideSuccess((await terminal.showQR(request.body, { ...callerOf(reply), ownOnly: false })).warnings),
      );
    },
  );

  app.post(
    '/console/clear',
    {
      schema: {
        operationId: 'clearDisplay',
        tags: ['pages'],
        summary: 'Clear the display',
        description: 'As clearScreen of the terminal does: it cancels no payment.',
        response: answers,
      },
    },
    () => atTerminal(() => terminal.clearScreen()),
  );
}

function addAcknowledging(plain: FastifyInstance, { terminal }: ConsoleParts, changed: () => void): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/console/acknowledge',
    {
      schema: {
        operationId: 'acknowledgeLatePayment',
        tags: ['pages'],
        summary: 'Say that somebody has looked into a late payment: it is pointed out no more',
        description: 'The note is kept with the payment.',
        body: AcknowledgeBody,
        response: answers,
      },
    },
    async ({ body }) => {
      if (!terminal.payments.acknowledge(body.orderId, body.note || null))
        throw new RecognitionError('paymentTerminal', `no payment of the order ${body.orderId} is to be looked into`);
      changed();
      return DONE;
    },
  );
}
