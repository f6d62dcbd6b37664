/**
 * Serves the operator console and the customer display: their files, the streams and calls of their state, and the
 * calls that act as a customer of the sandbox bank.
 */
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { DeviceRefusal } from '../core/host/index.ts';
import {
  addAuditFacts,
  type EventStreamPool,
  encodingFor,
  HttpFailure,
  isFromThisMachine,
  NO_STORE,
  pageHeaders,
  sendOnce,
  setEncoding,
  undocumented,
} from '../core/http/index.ts';
import type { TlsIdentity } from '../core/tls/index.ts';
import { notFound, PaymentAnswer, PaymentPath, presentAnswer, type Terminal } from '../payments/index.ts';
import { ASSETS } from './composed.js';
import {
  type ConsoleParts,
  type ConsoleState,
  ConsoleStateSchema,
  consoleState,
  FIRST_SETTINGS,
  isSetUpSo,
  setupRefusal,
} from './console-view.ts';
import { DisplayStateSchema, DisplayView, type Viewer } from './display-view.ts';
import type { PageFiles } from './page-files.ts';
import { StateStream } from './state-stream.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Type of sample programs: a browser shows their text, and does not run them. */
const PLAIN = 'text/plain; charset=utf-8';

/** Address of the customer's page. */
const DISPLAY = '/display';
const DOCUMENTS: Readonly<Record<string, string>> = {
  '/': 'console/pages/console.html',
  '/claim': 'console/pages/claim.html',
  [DISPLAY]: 'console/pages/display.html',
};

/**
 * Documents are not cached: they link the files of this release, and after an update an old document must not come
 * back.
 */
const KEPT_NOWHERE = NO_STORE['cache-control'];

/**
 * Serves the pages, with a content security policy that runs only their own scripts.
 * @param alone addresses at which the console shows the page of one feature alone
 */
function addStaticPages(app: FastifyInstance, pages: PageFiles, alone: readonly string[]): void {
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string, cacheControl: string) => {
    const file = await pages.read(name, encodingFor(request));
    if (file === null) throw new HttpFailure('not-found', `the pages have no file of the name ${name}`);
    const type = name.startsWith('samples/') ? PLAIN : (TYPES[extname(name)] ?? 'application/octet-stream');
    reply.headers({ ...pageHeaders(), 'content-type': type, 'cache-control': cacheControl });
    setEncoding(reply, file.encoding);
    return reply.send(file.bytes);
  };
  // open to anyone: people sign in there, and the files are the same on every device
  const ofFeatures = alone.map((path) => [path, DOCUMENTS['/'] ?? ''] as const);
  for (const [path, name] of [...Object.entries(DOCUMENTS), ...ofFeatures])
    app.get(
      path,
      {
        config: path === DISPLAY ? { role: 'till', isForCustomers: true } : { role: 'anyone' },
        schema: undocumented(),
      },
      (request, reply) => send(request, reply, name, KEPT_NOWHERE),
    );
  app.get<{ Params: { readonly '*': string } }>(
    `${ASSETS}*`,
    {
      config: { role: 'anyone' }, // the files are the same on every device
      schema: undocumented(),
    },
    (request, reply) => {
      const { prefix, cacheControl } = pages;
      const path = request.params['*'];
      // another release may have served another file under that path
      if (!path.startsWith(prefix))
        throw new HttpFailure('not-found', `the pages of this release lie under ${ASSETS}${prefix}`);
      return send(request, reply, path.slice(prefix.length), cacheControl);
    },
  );
}

/** Time limit of a call to the sandbox bank, which is a part of this process and answers at once. */
const SANDBOX_LIMIT_MS = 5000;
/** How many requests a silent bank does not answer; the device waits some seconds for each. */
const SILENT_TIMES = 5;

const Does = Type.Enum(['pay', 'decline', 'silent', 'late'], {
  description:
    'pay and decline: as the customer. silent: the bank answers the next questions about payments with nothing. late: the display is cleared, and the customer pays anyway',
});
const DoesBody = Type.Object({ does: Does }, { additionalProperties: false, examples: [{ does: 'decline' }] });

async function postToSandbox(sandboxUrl: string, path: string, body: object = {}): Promise<void> {
  const answer = await fetch(new URL(path, sandboxUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(SANDBOX_LIMIT_MS),
  });
  if (!answer.ok)
    throw new HttpFailure('request', `the sandbox bank refuses it: ${(await answer.text()).slice(0, 200)}`);
}

async function carryOut(
  terminal: Terminal,
  sandboxUrl: string,
  id: string,
  does: Type.Static<typeof Does>,
): Promise<void> {
  const order = `/sandbox/payments/${encodeURIComponent(id)}`;
  if (does === 'silent') {
    await postToSandbox(sandboxUrl, '/sandbox/faults', {
      faults: [{ call: 'state', kind: 'silence', times: SILENT_TIMES }],
    });
    return;
  }
  if (does === 'late') {
    await postToSandbox(sandboxUrl, '/sandbox/faults', { faults: [{ call: 'cancel', kind: 'refuse' }] });
    await terminal.clearScreen();
  }
  await postToSandbox(sandboxUrl, `${order}/${does === 'decline' ? 'decline' : 'pay'}`);
}

/**
 * Adds the calls that act as a customer of the sandbox bank: a page of the device cannot call the bank's port.
 * @param sandboxUrl null where the sandbox bank does not run
 */
function addSandboxRoutes(app: FastifyInstance, terminal: Terminal, sandboxUrl: string | null): void {
  app.post(
    '/console/api/sandbox/payments/:id',
    {
      config: { role: 'till', audit: null }, // play money
      schema: { params: PaymentPath, body: DoesBody, response: { 200: PaymentAnswer } },
    },
    async ({ params: { id }, body: { does } }) => {
      const payment = terminal.ledger.find(id);
      if (payment === null || payment.bank !== 'Sandbox' || sandboxUrl === null) throw notFound(id);
      await carryOut(terminal, sandboxUrl, id, does);
      return presentAnswer(terminal, terminal.ledger.find(id) ?? payment);
    },
  );
}

export function addConsoleRoutes(app: FastifyInstance, parts: ConsoleParts): void {
  const { screen } = parts.terminal;
  addStaticPages(app, parts.pages, parts.addresses);
  const hello = {
    get pages() {
      return parts.pages.digest;
    },
  };
  const onProblem = (err: unknown) => app.log.error({ err }, 'the state of the device cannot be sent to the pages');
  const [sound] = [...parts.features.values()].flatMap((feature) => feature.sound ?? []);
  const view = new DisplayView(parts.terminal, parts.clock, parts.displayLanguage, () => sound?.now ?? null);
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
  const changed = () => {
    for (const display of Object.values(displays)) display.changed();
    overview.changed();
  };
  screen.onChange(changed);
  sound?.onChange(changed);
  parts.items.onChange(() => overview.changed());
  const revisions = [...parts.features.values()].flatMap(({ revision }) => revision ?? []);
  for (const frequent of [...revisions, parts.uncertain, parts.lines]) frequent.onChange(() => overview.changedOften());
  app.addHook('preClose', async () => {
    for (const display of Object.values(displays)) display.close();
    overview.close();
  });
  addDisplay(app, parts.streams, view, displays);
  addOverview(app, parts.streams, compose, overview);
  app.get(
    '/console/api/openapi.json',
    { config: { role: 'till' }, schema: undocumented(), onSend: sendOnce },
    async () => app.describeApi('console'),
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

/** Adds the call that returns the certificate which a till must trust after a person has compared its fingerprint. */
function addCertificate(app: FastifyInstance, tls: TlsIdentity): void {
  app.get('/certificate.pem', { config: { role: 'till' }, schema: undocumented() }, async (_request, reply) =>
    reply
      .headers({ ...NO_STORE, 'content-disposition': 'attachment; filename="laneware.pem"' })
      .type('application/x-pem-file')
      .send(tls.pair.certificate),
  );
}

const Done = Type.Object({ done: Type.Literal(true) });
const DONE = Object.freeze({ done: true } as const);

function addActions(app: FastifyInstance, terminal: Terminal, sandboxUrl: string | null): void {
  app.post(
    '/console/api/sandbox/setup',
    { config: { role: 'technician', audit: { event: 'settings' } }, schema: { response: { 200: Done } } },
    async (request) => {
      if (isSetUpSo(terminal)) return DONE;
      const refusal = setupRefusal(terminal, sandboxUrl);
      if (refusal !== null) throw new DeviceRefusal('NotFresh', refusal);
      addAuditFacts(request, await terminal.updateSettings(FIRST_SETTINGS));
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
