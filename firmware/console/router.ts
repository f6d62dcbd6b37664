/** The web pages: operator console and customer display, and their calls. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { DeviceRefusal } from '../core/host/index.ts';
import {
  type EventStreamPool,
  hidden,
  isFromThisMachine,
  NO_STORE,
  noteForAudit,
  sendOnce,
} from '../core/http/index.ts';
import type { TlsIdentity } from '../core/tls/index.ts';
import type { Terminal } from '../payments/index.ts';
import {
  type ConsoleParts,
  type ConsoleState,
  ConsoleStateSchema,
  consoleState,
  FIRST_SETTINGS,
  isSetUpSo,
  whyNoSetup,
} from './console-view.ts';
import { DisplayStateSchema, DisplayView, type Viewer } from './display-view.ts';
import { addSandboxRoutes } from './sandbox-routes.ts';
import { StateStream } from './state-stream.ts';
import { addStaticPages } from './static-pages.ts';

const Done = Type.Object({ done: Type.Literal(true) });
const DONE = Object.freeze({ done: true } as const);

export function addConsoleRoutes(app: FastifyInstance, parts: ConsoleParts): void {
  const { screen } = parts.terminal;
  addStaticPages(app, parts.pages);
  const hello = {
    get pages() {
      return parts.pages.digest;
    },
  };
  const onProblem = (err: unknown) => app.log.error({ err }, 'the state of the device cannot be sent to the pages');
  const view = new DisplayView(parts.terminal, parts.clock, parts.displayLanguage);
  const onOwnScreen = view.eventsFor('own-screen');
  const composeOwn = () => {
    const event = onOwnScreen();
    if (event.claim !== undefined) parts.onClaimRead();
    return event;
  };
  const displays = {
    anybody: new StateStream(hello, view.eventsFor('anybody'), onProblem),
    'own-screen': new StateStream(hello, composeOwn, onProblem),
  };
  const mirrored = view.eventsFor('anybody');
  const compose = () => consoleState(parts, mirrored());
  const overview = new StateStream(hello, compose, onProblem);
  screen.onChange(() => {
    for (const display of Object.values(displays)) display.changed();
    overview.changed();
  });
  parts.items.onChange(() => overview.changed());
  const revisions = [...parts.features.values()].flatMap(({ revision }) => revision ?? []);
  for (const often of [...revisions, parts.uncertain, parts.lines]) often.onChange(() => overview.changedOften());
  app.addHook('preClose', async () => {
    for (const display of Object.values(displays)) display.close();
    overview.close();
  });
  addDisplay(app, parts.streams, view, displays);
  addOverview(app, parts.streams, compose, overview);
  app.get('/console/api/openapi.json', { config: { role: 'till' }, schema: hidden(), onSend: sendOnce }, async () =>
    app.describeApi('console'),
  );
  if (parts.tls !== null) addCertificate(app, parts.tls);
  addActions(app, parts.terminal, parts.sandboxUrl);
  addSandboxRoutes(app, parts.terminal, parts.sandboxUrl);
}

/** Who views the page: a kiosk browser on the device is its own screen. */
const viewerOf = ({ raw: { socket, headers } }: FastifyRequest): Viewer =>
  isFromThisMachine({ remoteAddress: socket.remoteAddress ?? '', headers }) ? 'own-screen' : 'anybody';

function addDisplay(
  app: FastifyInstance,
  streams: EventStreamPool,
  view: DisplayView,
  events: Readonly<Record<Viewer, StateStream>>,
): void {
  app.get(
    '/display/state',
    { config: { role: 'till', isForCustomers: true }, schema: { response: { 200: DisplayStateSchema } } },
    async (request, reply) => {
      reply.headers(NO_STORE);
      return view.stateFor(viewerOf(request));
    },
  );
  app.get('/display/events', { config: { role: 'till', isForCustomers: true } }, (request, reply) =>
    streams.send(request, reply, () => events[viewerOf(request)].open()),
  );
}

function addOverview(
  app: FastifyInstance,
  streams: EventStreamPool,
  compose: () => ConsoleState,
  events: StateStream,
): void {
  app.get(
    '/console/api/overview',
    { config: { role: 'till' }, schema: { response: { 200: ConsoleStateSchema } } },
    async (_request, reply) => {
      reply.headers(NO_STORE);
      return compose();
    },
  );
  app.get('/console/api/overview/events', { config: { role: 'till' } }, (request, reply) =>
    streams.send(request, reply, () => events.open()),
  );
}

/** The call of the certificate that a till must trust, to be compared by its fingerprint. */
function addCertificate(app: FastifyInstance, tls: TlsIdentity): void {
  app.get('/certificate.pem', { config: { role: 'till' }, schema: hidden() }, async (_request, reply) =>
    reply
      .headers({ ...NO_STORE, 'content-disposition': 'attachment; filename="laneware.pem"' })
      .type('application/x-pem-file')
      .send(tls.pair.certificate),
  );
}

function addActions(app: FastifyInstance, terminal: Terminal, sandboxUrl: string | null): void {
  app.post(
    '/console/api/sandbox/setup',
    { config: { role: 'technician', audit: { event: 'settings' } }, schema: { response: { 200: Done } } },
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
    { config: { role: 'till', audit: null }, schema: { response: { 200: Done } } },
    async () => {
      await terminal.clearScreen();
      return DONE;
    },
  );
}
