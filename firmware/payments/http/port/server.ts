/** The server of the payment terminal: its document, and all of its calls. */
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { ErrorRecords } from '../../../../drivers/lib/records.ts';
import type { HealthBoard } from '../../../core/host/index.ts';
import {
  addServiceRoutes,
  consoleAddress,
  createServer,
  type EventStreamPool,
  HttpFailure,
  type ServerOptions,
  undocumented,
  V1,
} from '../../../core/http/index.ts';
import { TERMINAL_PROBLEMS } from '../../model/terminal-error.ts';
import type { BankWords } from '../../model/words.ts';
import type { Letterhead } from '../../reports/papers/print-page.ts';
import type { Terminal } from '../../terminal.ts';
import { terminalEnvelope } from '../nine/envelope.ts';
import { addTerminalRoutes } from '../nine/routes.ts';
import { addEventRoutes } from '../v1/event-routes.ts';
import { terminalProblems } from '../v1/problem.ts';
import type { RefundAuthority } from '../v1/refund-routes.ts';
import { addAfterPaymentRoutes, addConsoleCalls } from '../v1/routes.ts';

/** Tags that sort the terminal's calls. */
const TAGS = Object.freeze([
  {
    name: 'payments',
    description: 'Sales of `/v1`: ask for a payment, wait for it, find it, cancel it, acknowledge it; a code to print.',
  },
  { name: 'refunds', description: 'Refunds of payments.' },
  {
    name: 'events',
    description:
      'What happens to payments and refunds, as it happens: as a stream here, and to addresses of the configuration.',
  },
  { name: 'reports', description: 'Totals of a day, and the comparison with the registry of the bank.' },
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

interface ServerShare extends Pick<ServerOptions, 'metrics' | 'version' | 'logger'> {
  readonly health: HealthBoard;
  /** The port of recognition, whose server has the console; set once it listens. */
  readonly ports: { readonly recognition: number };
}

/** What a feature adds to the calls of payments. */
interface Addition {
  watchCalls?(app: FastifyInstance, port: 'terminal' | 'recognition'): void;
  addPaymentRoutes?(app: FastifyInstance): void | Promise<void>;
}

/** What the calls of payments need besides the terminal. */
export interface PaymentCalls {
  readonly streams: EventStreamPool;
  readonly refundAuthority: RefundAuthority;
  readonly bankWords: BankWords;
  readonly letterhead: () => Letterhead;
  readonly additions: readonly Addition[];
}

function watchAll(additions: readonly Addition[], app: FastifyInstance, port: 'terminal' | 'recognition'): void {
  for (const addition of additions) addition.watchCalls?.(app, port);
}

async function addPaymentCalls(
  app: FastifyInstance,
  terminal: Terminal,
  { streams, refundAuthority, bankWords, letterhead, additions }: PaymentCalls,
): Promise<void> {
  addAfterPaymentRoutes(app, terminal, refundAuthority, bankWords, letterhead);
  addEventRoutes(app, terminal, streams);
  for (const addition of additions) await addition.addPaymentRoutes?.(app);
}

/**
 * @param errors records of the errors with which the calls of additions are refused
 * @returns the server with all of its routes; it does not listen yet
 */
export async function serveTerminal(
  { health, metrics, version, logger, ports }: ServerShare,
  terminal: Terminal,
  calls: PaymentCalls,
  { errors, ...options }: Pick<ServerOptions, 'access' | 'audit'> & { readonly errors: ErrorRecords },
): Promise<FastifyInstance> {
  const app = await createServer({
    name: 'terminal',
    title: 'Laneware payment terminal',
    description:
      'Asks for payments by QR code, follows them to their end, and gives money back. Amounts are kopecks. A failure of the nine calls has `error_category`, `error_code` and a sentence; one of `/v1` is a problem (RFC 9457) with a `code` that stays.',
    tags: TAGS,
    envelope: terminalEnvelope,
    problems: terminalProblems,
    watch: (app) => watchAll(calls.additions, app, 'terminal'),
    version,
    metrics,
    own: health.own,
    logger,
    ...options,
  });
  addTerminalRoutes(app, terminal, health, version);
  await addPaymentCalls(app, terminal, calls);
  addServiceRoutes(app, metrics, { ...TERMINAL_PROBLEMS, ...errors });
  app.get('/', { config: { role: 'anyone' }, schema: undocumented() }, async (request, reply) => {
    const address = consoleAddress(request, ports.recognition);
    if (address === null)
      throw new HttpFailure('not-found', 'there is no / here; /reference shows the calls, /openapi.json lists them');
    return reply.redirect(address);
  });
  return app;
}

/**
 * Adds the calls of payments, and those that only the console makes, to another server of the device. That server's
 * document leaves out `/v1` of payments: the terminal's document describes it.
 */
export async function serveTerminalToo(app: FastifyInstance, terminal: Terminal, calls: PaymentCalls): Promise<void> {
  await app.register(async (scope) => {
    watchAll(calls.additions, scope, 'recognition');
    scope.addHook('onRoute', (route) => {
      if (route.url.startsWith(V1)) route.schema = { ...route.schema, hide: true } as FastifySchema;
    });
    await addPaymentCalls(scope, terminal, calls);
    addConsoleCalls(scope, terminal);
  });
}
