/**
 * The connection of this device to its chain: to any one of the chain's NATS servers, retried for ever, and separate
 * from that of the store. The device publishes under `up.NAME.event.DEVICE.KIND` and `up.NAME.state.DEVICE.KIND`: NAME
 * is the user of its credentials, DEVICE its encoded serial number. A user that may only publish `up.NAME.>` and
 * subscribe to `_INBOX.NAME.>` can neither publish as another store nor read another store's messages. Each message is
 * acknowledged by a stream of the chain, or fails within bounded time.
 */

import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { NatsConnection } from '@nats-io/transport-node';
import Type, { type Static } from 'typebox';
import { Loop } from '../../../drivers/lib/async.ts';
import { codeOf, messageOf } from '../../../drivers/lib/errors.ts';
import { connect, credsAuthenticator, headers } from '../../../drivers/lib/nats.ts';
import { encodePart } from '../../../drivers/lib/text.ts';
import type { Log } from '../../core/host/index.ts';
import { jsonFitting } from '../../core/schema/index.ts';
import type { ChainConfig } from './config.ts';
import { type ChainCredentials, ChainError, type ChainErrorCode, readCredentials } from './credentials.ts';

const DEFAULT_PORT = 4222;
const CONNECT_LIMIT_MS = 10_000;
const REQUEST_LIMIT_MS = 10_000;
/** Interval of pings: a broken connection is noticed within three of them. */
const PING_MS = 30_000;
const MAX_PINGS_OUT = 2;
/** Interval at which a broken connection is retried and replaced files are read. */
const POLL_MS = 5000;
/** `/health` reports a failure that may pass by itself only after this time. */
const PASSES_WITHIN_MS = 5 * 60_000;
const PASSES: ReadonlySet<ChainErrorCode> = new Set(['away', 'refused']);

const CERTIFICATE_FAILURE = /^(?:ERR_TLS|ERR_SSL|UNABLE_TO|.*CERT)/;

const Acknowledgement = Type.Object({
  seq: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.Object({ description: Type.Optional(Type.String()) })),
});
type Acknowledgement = Static<typeof Acknowledgement>;

/** Kinds of failure with the chain, in the order in which a person should mend them. */
const MATTERS = ['line', 'event', 'state'] as const;
type Matter = (typeof MATTERS)[number];
const ILL: Readonly<Record<Matter, string>> = Object.freeze({
  line: 'the chain is not reached; it is tried again',
  event: 'payments do not reach the chain; they are kept and sent again',
  state: 'the state of this device does not reach the chain',
});

export interface UplinkFailure {
  readonly error: ChainError;
  /** Since when, monotonic ms. */
  readonly since: number;
}

/** The device that sends. */
export interface Sender {
  readonly serial: string;
  /**
   * Makes a message id of an event that no other device can guess: otherwise another device could publish a message
   * with that id first, and the stream would drop the event as a repetition.
   */
  readonly nameOf: (event: string) => string;
}

interface Surroundings {
  readonly clock: { wall(): number; monotonic(): number };
  readonly log: Log;
  /** Factor of all waits; 1 when left out. */
  readonly scale?: number;
}

export class Uplink {
  readonly #config: ChainConfig;
  readonly #sender: Sender;
  readonly #context: Surroundings;
  readonly #loop: Loop;
  readonly #listeners = new Set<() => void>();
  readonly #failures = new Map<Matter, UplinkFailure>();
  /** Credentials of the current connection, or of the last one. */
  #credentials: ChainCredentials | null = null;
  #connection: NatsConnection | null = null;
  /** Index of the next server; random, so that lanes do not all begin with the first. */
  #turn = Math.floor(Math.random() * 1000);

  constructor(config: ChainConfig, sender: Sender, around: Surroundings) {
    this.#config = config;
    this.#sender = sender;
    this.#context = around;
    this.#loop = new Loop({ scale: around.scale, step: () => this.#tryToLook() });
  }

  start(): void {
    this.#loop.start();
  }

  /** Closes the connection without waiting for a silent server. */
  async close(): Promise<void> {
    void this.#loop.close();
    await this.#connection?.close();
  }

  /** Calls the listener at each new connection. @returns a function that removes the listener */
  onLine(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The failure that a person must look into; null where there is none, or it may still pass by itself. */
  get failure(): UplinkFailure | null {
    const now = this.#context.clock.monotonic();
    const all = MATTERS.flatMap((matter) => this.#failures.get(matter) ?? []);
    return all.find(({ error, since }) => !PASSES.has(error.code) || now - since >= PASSES_WITHIN_MS) ?? null;
  }

  /** Sends an event; the chain has it when this resolves. @param id unique on this device @throws {ChainError} */
  async send(kind: string, body: string, id: string): Promise<void> {
    await this.#publish('event', kind, body, this.#sender.nameOf(`${kind}\n${id}`));
  }

  /** Reports a state: the newest report of a kind replaces the one before. @throws {ChainError} */
  async report(kind: string, body: string | Uint8Array): Promise<void> {
    await this.#publish('state', kind, body, null);
  }

  async #publish(matter: 'event' | 'state', kind: string, body: string | Uint8Array, id: string | null): Promise<void> {
    try {
      const { name, connection } = this.#line();
      const subject = `up.${name}.${matter}.${encodePart(this.#sender.serial)}.${kind}`;
      const named = headers();
      if (id !== null) named.set('Nats-Msg-Id', id);
      const answer = await connection
        .request(subject, body, { timeout: REQUEST_LIMIT_MS, headers: named })
        .catch((error: unknown) => Promise.reject(unsent(error, subject, name)));
      const acknowledgement = jsonFitting(Acknowledgement, answer.string()) ?? {};
      if (acknowledgement.error !== undefined || acknowledgement.seq === undefined)
        throw refused(acknowledgement, subject);
      this.#record(matter, null);
    } catch (error) {
      if (error instanceof ChainError) this.#record(matter, error);
      throw error;
    }
  }

  #line(): { readonly name: string; readonly connection: NatsConnection } {
    const connection = this.#connection;
    if (connection !== null && !connection.isClosed() && this.#credentials !== null)
      return { name: this.#credentials.name, connection };
    throw this.#failures.get('line')?.error ?? new ChainError('away', 'this device is not connected to its chain yet');
  }

  async #tryToLook(): Promise<number | null> {
    try {
      await this.#look();
      this.#record('line', null);
      return POLL_MS;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      this.#record('line', error);
      return null;
    }
  }

  /** Reads the files again, and connects where there is no connection or the files were replaced. */
  async #look(): Promise<void> {
    const issued = await readCredentials(this.#config);
    const { credentials, authority } = this.#credentials ?? {};
    const isSame = issued.credentials === credentials && issued.authority === authority;
    if (isSame && this.#connection?.isClosed() === false) return;
    await this.#connection?.close();
    this.#credentials = issued;
    this.#connection = await this.#connect(issued);
    if (this.#loop.isClosing) return await this.#connection.close();
    for (const listener of this.#listeners) listener();
  }

  async #connect(issued: ChainCredentials): Promise<NatsConnection> {
    const { clock, log } = this.#context;
    const { urls } = this.#config;
    const url = new URL(urls[this.#turn++ % urls.length] ?? '');
    try {
      const connection = await dial(url, issued, this.#sender.serial);
      log.info({ server: url.host }, 'the chain is reached');
      return connection;
    } catch (error) {
      throw unreached(error, url, issued, clock.wall());
    }
  }

  /** Records and logs a failure. @param error null: the failure is over */
  #record(matter: Matter, error: ChainError | null): void {
    const { clock, log } = this.#context;
    const before = this.#failures.get(matter);
    if (error === null) {
      if (before !== undefined && matter !== 'line')
        log.info({ matter }, 'the chain takes again what this device sends');
      this.#failures.delete(matter);
      return;
    }
    this.#failures.set(matter, { error, since: before?.since ?? clock.monotonic() });
    // logged when it changes: a connection that is lost for a night makes one line in the log
    const isOfLine = matter !== 'line' && error === this.#failures.get('line')?.error;
    if (before?.error.code !== error.code && !isOfLine)
      log.warn({ code: error.code, reason: error.message }, ILL[matter]);
  }
}

async function dial(
  { protocol, hostname, port }: URL,
  issued: ChainCredentials,
  serial: string,
): Promise<NatsConnection> {
  const host = hostname.replaceAll(/[[\]]/g, '');
  // the library would check the certificate of an IP address against the name localhost
  const identity = { checkServerIdentity: (_name: string, shown: PeerCertificate) => checkServerIdentity(host, shown) };
  const isPlain = protocol === 'nats:' && issued.authority === null;
  return await connect({
    servers: `${hostname}:${port || DEFAULT_PORT}`,
    ...(isPlain ? {} : { tls: { ...identity, ...(issued.authority === null ? {} : { ca: issued.authority }) } }),
    authenticator: credsAuthenticator(Buffer.from(issued.credentials)),
    inboxPrefix: `_INBOX.${issued.name}`,
    name: serial,
    timeout: CONNECT_LIMIT_MS,
    // this class connects again: no request of an earlier connection may be sent later
    reconnect: false,
    ignoreClusterUpdates: true,
    // recording a stack for each request costs more than the request
    noAsyncTraces: true,
    pingInterval: PING_MS,
    maxPingOut: MAX_PINGS_OUT,
  });
}

/** Converts an error of connecting; the message says what to do. @param now the time by the device's clock */
function unreached(cause: unknown, { host }: URL, { name, endsAt }: ChainCredentials, now: number): ChainError {
  const said = messageOf(cause);
  const kind = cause instanceof Error ? cause.name : '';
  if (kind === 'AuthorizationError' || kind === 'UserAuthenticationExpiredError') {
    const isOver = endsAt !== null && endsAt <= now;
    const end = isOver ? `, which ended on ${new Date(endsAt).toISOString().slice(0, 10)}` : '';
    const message = `the chain does not accept the credentials of ${name}${end} (${said}): put others in their place`;
    return new ChainError('credentials', message, { cause });
  }
  if (CERTIFICATE_FAILURE.test(codeOf(cause) ?? '')) {
    const message = `${host} is not known by its certificate (${said}): name the chain’s authority in chain.caFile, and see that the clock of the device is right`;
    return new ChainError('certificate', message, { cause });
  }
  if (said.includes("does not support 'tls'"))
    return new ChainError('certificate', `${host} speaks no TLS: nothing is sent to it`, { cause });
  const message = `${host} does not answer (${said}): see that the network of the shop lets the device reach it`;
  return new ChainError('away', message, { cause });
}

/** Converts an error of a request; the message says what to do. */
function unsent(cause: unknown, subject: string, name: string): ChainError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const [kind, said] = inner instanceof Error ? [inner.name, inner.message] : ['', String(inner)];
  if (kind === 'NoResponders')
    return new ChainError('refused', `no stream of the chain takes ${subject}: make one`, { cause });
  if (kind === 'PermissionViolationError') {
    const message = `the chain does not let this device speak (${said}): let ${name} publish up.${name}.> and subscribe _INBOX.${name}.>`;
    return new ChainError('refused', message, { cause });
  }
  return new ChainError('away', `the chain did not answer (${said})`, { cause });
}

/** The error of an answer that acknowledges nothing. */
function refused({ error }: Acknowledgement, subject: string): ChainError {
  if (error === undefined)
    return new ChainError('refused', `what answers to ${subject} is no stream of the chain: make one`);
  const message = `the chain does not take ${subject} (${error.description}): look at the limits of its stream`;
  return new ChainError('refused', message);
}
