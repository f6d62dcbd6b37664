/** Builds the payment terminal: the service, and the server of its interface. */

import type { FastifyInstance, FastifySchema } from 'fastify';
import { openDisplay } from '../../../drivers/display/registry.ts';
import { TERMINAL_PROBLEMS } from '../../banks/index.ts';
import {
  addServiceRoutes,
  consoleAddress,
  createServer,
  type EventStreamPool,
  HttpFailure,
  hidden,
  type ServerOptions,
  V1,
} from '../../core/http/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { FEATURE_ERRORS } from '../../features.ts';
import {
  addAfterPaymentRoutes,
  addConsoleCalls,
  addEventRoutes,
  addTerminalRoutes,
  type BankWords,
  catchUpLedger,
  type Letterhead,
  paymentAnswer,
  type RefundAuthority,
  refundAnswer,
  Terminal,
  type TerminalOptions,
  terminalEnvelope,
  terminalProblems,
} from '../../payments/index.ts';

import { type Base, partOf } from './base.ts';
import type { Opened } from './joining.ts';
import type { Features, Has } from './whole.ts';

/** Tags that sort the terminal's calls. */
const TAGS = Object.freeze([
  {
    name: 'payments',
    description: 'Sales of `/v1`: ask for a payment, wait for it, find it, cancel it, look into it; a code to print.',
  },
  { name: 'refunds', description: 'Money that goes back.' },
  {
    name: 'events',
    description:
      'What happens to payments and refunds, as it happens: as a stream here, and to addresses of the configuration.',
  },
  { name: 'reports', description: 'Totals of a day, and what the bank says beside the ledger.' },
  { name: 'shifts', description: 'The close of a shift: what was paid and refunded in it, by profile and cashier.' },
  { name: 'device', description: 'Whether all of it works, and what to do where it does not.' },
  {
    name: 'nine calls: sale',
    description: 'Of the original driver, for a till you cannot modify: what it calls for each sale.',
  },
  { name: 'nine calls: display', description: 'Of the original driver: other things on the display.' },
  {
    name: 'nine calls: settings',
    description: 'Of the original driver: bank profiles and the display. `/v1` uses the same.',
  },
  { name: 'nine calls: device', description: 'Of the original driver: its version, and the ledger as a file.' },
]);

/** @param sandboxUrl address of the sandbox bank; null where there is none @param standIns replace parts of the base */
export function buildTerminal(
  base: Base,
  sealer: Sealer,
  sandboxUrl: string | null,
  standIns: Partial<TerminalOptions> = {},
): Terminal {
  const { config, dataDir, serial, clock, health, metrics, log } = base;
  return new Terminal({
    serial,
    config: config.terminal,
    dataDir,
    sealer,
    clock,
    bankContext: {
      cftBaseUrl: config.banks.cft.baseUrl,
      sandboxBaseUrl: sandboxUrl,
      caPath: config.banks.caPath,
      log: (message) => log.warn({}, message),
    },
    openDisplay,
    health,
    metrics,
    log,
    // an event reports a change, and a bank's silence is none
    describe: { payment: (payment) => paymentAnswer(payment, null), refund: refundAnswer },
    ...standIns,
  });
}

/** Sales, refunds and shifts. */
export const payments = {
  name: 'payments',
  open: async (
    device: Has<'base' | 'sealer' | 'sandboxUrl' | 'lastTime' | 'standIns'>,
  ): Promise<Opened<Has<'terminal'>>> => {
    const { base, sealer, sandboxUrl, lastTime } = device;
    const { tuning, openDisplay, firstDisplays } = device.standIns;
    const own = partOf(base, 'terminal');
    const { dataDir, config, serial } = own;
    await catchUpLedger({
      dataDir,
      serial,
      medium: config.terminal.ledgerCopyDir,
      log: (message, details = {}) => own.log.warn(details, message),
    });
    const terminal = buildTerminal(own, sealer, sandboxUrl, {
      ...(openDisplay && { openDisplay }),
      ...(firstDisplays && { firstDisplays }),
      pace: tuning?.pace,
    });
    if (terminal.ledger.isOpen) lastTime.take(terminal.ledger.queries.latestMoment());
    return [
      { terminal },
      { start: () => terminal.start(), halt: () => terminal.halt(), close: () => terminal.close() },
    ];
  },
};

/** @returns the server with all of its routes; it does not listen yet */
export async function serveTerminal(
  { health, metrics, version, logger, ports }: Base,
  terminal: Terminal,
  {
    streams,
    refundAuthority,
    bankWords,
    letterhead,
    features,
    ...options
  }: Pick<ServerOptions, 'access' | 'audit'> & PaymentCalls,
): Promise<FastifyInstance> {
  const app = await createServer({
    name: 'terminal',
    title: 'Laneware payment terminal',
    description:
      'Asks for payments by QR code, follows them to their end, and gives money back. Amounts are kopecks. A failure of the nine calls has `error_category`, `error_code` and a sentence; one of `/v1` is a problem (RFC 9457) with a `code` that stays.',
    tags: TAGS,
    envelope: terminalEnvelope,
    problems: terminalProblems,
    watch: (app) => watchAll(features, app, 'terminal'),
    version,
    metrics,
    own: health.own,
    logger,
    ...options,
  });
  addTerminalRoutes(app, terminal, health, version);
  await addPaymentCalls(app, terminal, { streams, refundAuthority, bankWords, letterhead, features });
  addServiceRoutes(app, metrics, { ...TERMINAL_PROBLEMS, ...FEATURE_ERRORS });
  app.get('/', { config: { role: 'anyone' }, schema: hidden() }, async (request, reply) => {
    const address = consoleAddress(request, ports.recognition);
    if (address === null)
      throw new HttpFailure('not-found', 'there is no / here; /reference shows the calls, /openapi.json lists them');
    return reply.redirect(address);
  });
  return app;
}

/** What the calls of payments need besides the terminal. */
interface PaymentCalls {
  readonly streams: EventStreamPool;
  readonly refundAuthority: RefundAuthority;
  readonly bankWords: BankWords;
  readonly letterhead: () => Letterhead;
  readonly features: Features;
}

function watchAll(features: Features, app: FastifyInstance, port: 'terminal' | 'recognition'): void {
  for (const feature of features.values()) feature.watchCalls?.(app, port);
}

async function addPaymentCalls(
  app: FastifyInstance,
  terminal: Terminal,
  { streams, refundAuthority, bankWords, letterhead, features }: PaymentCalls,
): Promise<void> {
  addAfterPaymentRoutes(app, terminal, refundAuthority, bankWords, letterhead);
  addEventRoutes(app, terminal, streams);
  for (const feature of features.values()) await feature.addPaymentRoutes?.(app);
}

/**
 * Adds these calls to another server of the device, with the console's own; the terminal's document describes the
 * payments.
 */
export async function serveTerminalToo(app: FastifyInstance, terminal: Terminal, parts: PaymentCalls): Promise<void> {
  await app.register(async (scope) => {
    watchAll(parts.features, scope, 'recognition');
    scope.addHook('onRoute', (route) => {
      if (route.url.startsWith(V1)) route.schema = { ...route.schema, hide: true } as FastifySchema;
    });
    await addPaymentCalls(scope, terminal, parts);
    addConsoleCalls(scope, terminal);
  });
}
