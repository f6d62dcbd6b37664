/** The room of the web pages: operator console and customer display, and the calls that they make. */
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { DeviceRefusal } from '../host/index.ts';
import { isFromThisMachine, noteForAudit, sendOnce, type TypeBoxProvider } from '../http/index.ts';
import { refusals } from '../recognition/index.ts';
import { refusals as paymentRefusals } from '../terminal/index.ts';
import type { TlsIdentity } from '../tls/index.ts';
import { type ConsoleParts, type ConsoleState, ConsoleStateSchema, consoleState } from './console-view.ts';
import { DisplayEventSchema, DisplayStateSchema, displayEvents, displayState, type Viewer } from './display-view.ts';
import { EventStream } from './event-stream.ts';
import { addSandboxRoutes } from './sandbox-routes.ts';
import { servedPages } from './served-pages.ts';
import { FIRST_SETTINGS, isSetUpSo, whyNoSetup } from './setup.ts';
import { addStaticPages } from './static-pages.ts';
import { Throttle } from './throttle.ts';

const Done = Type.Object(
  { done: Type.Literal(true) },
  { title: 'DeedDone', description: 'it is done', examples: [{ done: true }] },
);
const DONE = Object.freeze({ done: true } as const);

const NO_STORE = { 'cache-control': 'no-store' } as const;

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
  beatMs: Type.Integer({ description: 'the longest time between two messages, in milliseconds' }),
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
  addStaticPages(plain);
  const hello = {
    get pages() {
      return servedPages().digest;
    },
  };
  const onProblem = (err: unknown) => plain.log.error({ err }, 'the state of the device cannot be sent to the pages');
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
  const throttle = new Throttle(() => overview.changed());
  parts.calls.onChange(() => throttle.ask());
  parts.uncertain.onChange(() => throttle.ask());
  parts.lines.onChange(() => throttle.ask());
  plain.addHook('preClose', async () => {
    throttle.stop();
    for (const display of Object.values(displays)) display.close();
    overview.close();
  });
  addDisplay(plain, parts, displays);
  addOverview(plain, parts, compose, overview);
  addTerminalApi(plain, parts);
  if (parts.tls !== null) addCertificate(plain, parts.tls);
  addActions(plain, parts);
  addSandboxRoutes(plain, parts.terminal, parts.sandboxUrl);
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
    '/console/api/overview',
    {
      schema: {
        operationId: 'getOverview',
        tags: ['device'],
        summary: 'What the device is doing',
        description:
          'The latest payments, the display, the health and the modes, in one answer: for a till, or a screen of the shop, that shows how the lane stands. `/console/api/overview/events` streams it live.',
        response: { 200: ConsoleStateSchema },
      },
    },
    async (_request, reply) => {
      reply.headers(NO_STORE);
      return compose();
    },
  );
  plain.get(
    '/console/api/overview/events',
    {
      schema: {
        ...eventsOf(ConsoleStateSchema, 'followOverview', 'OverviewEvent', 'What the device is doing, live'),
        tags: ['device'],
      },
    },
    (request, reply) => streams.send(request, reply, () => events.open()),
  );
}

/** The calls of the other port, and those of the pages: a page asks only its own port. */
function addTerminalApi(plain: FastifyInstance, { terminalApi }: ConsoleParts): void {
  const hidden: FastifySchema & { hide: boolean } = { hide: true };
  plain.get('/console/api/openapi.json', { schema: hidden, onSend: sendOnce }, async () =>
    plain.describeApi('console'),
  );
  plain.get('/console/api/terminal/openapi.json', { schema: hidden, onSend: sendOnce }, async () => terminalApi());
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
    '/console/api/sandbox/setup',
    {
      schema: {
        operationId: 'setUpDevice',
        tags: ['device'],
        summary: 'Set a fresh device up: on-screen display and sandbox bank',
        description:
          'For trying it out. The same again does nothing. Refused where the device is set up in another way, or has no sandbox bank.',
        response: { 200: Done, ...refusals('Device.NotFresh') },
      },
    },
    async (request) => {
      if (isSetUpSo(terminal)) return DONE;
      const refusal = whyNoSetup(terminal, sandboxUrl);
      if (refusal !== null) throw new DeviceRefusal('NotFresh', refusal);
      noteForAudit(request, await terminal.updateSettings(FIRST_SETTINGS));
      return DONE;
    },
  );

  app.post(
    '/console/api/display/clear',
    {
      schema: {
        operationId: 'clearDisplay',
        tags: ['device'],
        summary: 'Clear the display',
        description: 'As clearScreen of the terminal does: it ends the sale whose code is shown.',
        response: { 200: Done, ...paymentRefusals('DriverSettings.IsNotConfigured') },
      },
    },
    async () => {
      await terminal.clearScreen();
      return DONE;
    },
  );
}
