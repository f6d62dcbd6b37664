/**
 * Admits connections before they cost memory. Callers on this machine have places that the network cannot take. Network
 * connections speak TLS; one that starts otherwise continues in plain HTTP, which answers with the reason.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { isLoopback } from '../../config/index.ts';
import type { TlsIdentity } from '../../tls/index.ts';
import { ConnectionPool, type ConnectionSlot, type PoolLimits } from '../connection-pool.ts';
import { plainAddress } from '../guard/authority.ts';
import { type AnswerRequest, RequestPipeline } from './request-pipeline.ts';

/** How long a connection without a place may take to read its refusal, and how many are refused at once. */
const TURNING_AWAY_MS = 1000;
const TURNED_AWAY_AT_ONCE = 64;

/** A client greets at once, and its handshake takes two round trips. */
const GREETING_MS = 10_000;
/** First byte of a handshake (RFC 8446, section 5.1); no method of HTTP begins with it. */
const HANDSHAKE = 0x16;

/** Ciphers of TLS 1.2 with forward secrecy, and without padding to guess by: all of TLS 1.3 are so. */
const CIPHERS =
  'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20';

/** What a handshake demands, with any certificate. */
const DEMANDS = { ciphers: CIPHERS, minVersion: 'TLSv1.2' } as const;

type Serve = (socket: Socket) => void;

/** Identifies a connection, before and after its handshake. */
const keyOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/** Begins a handshake. A client that leaves before its end must not be waited for. */
function shakeHands(socket: Socket, tls: TlsServer): void {
  socket.allowHalfOpen = false;
  tls.emit('connection', socket);
}

export class ConnectionAdmission {
  readonly #server: Server;
  readonly #onFull: (socket: Socket) => void;
  readonly #greetingMs: number;
  readonly #own: ConnectionPool;
  readonly #network: ConnectionPool;
  readonly #pipelines = new WeakMap<Socket, RequestPipeline>();
  readonly #serve: readonly Serve[];
  readonly #answer: readonly AnswerRequest[];
  readonly #tls: TlsServer | null;
  /** Connections that were not handed over yet, by `keyOf`. */
  readonly #arriving = new Map<string, ConnectionSlot>();
  #turnedAway = 0;

  /**
   * Takes the listeners of a server over.
   * @param server with its router, and not listening yet: what is added to `connection` or `request` later gets nothing
   * @param limits of callers from the network; callers of this machine have as many places of their own
   * @param tls certificate for callers from the network; null for plain HTTP
   * @param onFull answers a connection without a place, and ends it
   * @param greetingMs how long a client may take to its first byte, and for its handshake
   */
  constructor(
    server: Server,
    {
      limits,
      tls,
      onFull,
      greetingMs = GREETING_MS,
    }: {
      readonly limits: PoolLimits;
      readonly tls: TlsIdentity | null;
      readonly onFull: (socket: Socket) => void;
      readonly greetingMs?: number;
    },
  ) {
    this.#server = server;
    this.#onFull = onFull;
    this.#greetingMs = greetingMs;
    this.#own = new ConnectionPool({ total: limits.total, perAddress: limits.total });
    this.#network = new ConnectionPool(limits);
    this.#tls = tls === null ? null : this.#openTls(tls, greetingMs);
    this.#serve = server.listeners('connection') as Serve[]; // Node's own
    this.#answer = server.listeners('request') as AnswerRequest[]; // the router's
    server.removeAllListeners('connection').removeAllListeners('request');
    server.on('connection', (socket: Socket) => this.#admit(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#pipelines.get(request.socket)?.add(request, response),
    );
  }

  #admit(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === '') return void socket.destroy(); // the caller has gone already
    const pool = isLoopback(address) ? this.#own : this.#network;
    const slot = pool.admit(address, () => socket.destroy());
    // not by the caller's address: a program of this machine that calls the device by its own name meets the certificate
    const tls = isLoopback(plainAddress(socket.localAddress ?? '')) ? null : this.#tls;
    if (slot === null) return void this.#turnAway(socket, tls !== null);
    socket.once('close', () => slot.release());
    if (tls === null) this.#handOver(socket, slot);
    else this.#greet(socket, slot, tls);
  }

  /** @returns whether answers are still going out, after which the connection ends: see `RequestPipeline.breakOff` */
  breakOff(socket: Socket): boolean {
    return this.#pipelines.get(socket)?.breakOff() ?? false;
  }

  /** Ends the connections that were not handed over: Node's own server knows the others. */
  close(): void {
    for (const slot of [...this.#arriving.values()]) slot.end();
  }

  #handOver(socket: Socket, slot: ConnectionSlot): void {
    const answer: AnswerRequest = (request, response) => {
      for (const each of this.#answer) each.call(this.#server, request, response);
    };
    this.#pipelines.set(socket, new RequestPipeline(slot, answer));
    for (const serve of this.#serve) serve.call(this.#server, socket);
  }

  #handOverArrived(socket: Socket): void {
    const key = keyOf(socket);
    const slot = this.#arriving.get(key);
    this.#arriving.delete(key);
    if (slot === undefined) socket.destroy();
    else this.#handOver(socket, slot);
  }

  /** Looks at the first byte only; the protocol that gets the connection reads it again. */
  #greet(socket: Socket, slot: ConnectionSlot, tls: TlsServer): void {
    const key = keyOf(socket);
    const limit = setTimeout(slot.end, this.#greetingMs);
    this.#arriving.set(key, slot);
    socket.on('error', slot.end).once('close', () => {
      clearTimeout(limit);
      if (this.#arriving.get(key) === slot) this.#arriving.delete(key);
    });
    socket.once('data', (chunk: Buffer) => {
      clearTimeout(limit);
      socket.pause();
      socket.unshift(chunk);
      if (chunk[0] === HANDSHAKE) shakeHands(socket, tls);
      else this.#handOverArrived(socket);
      process.nextTick(() => socket.resume());
    });
  }

  #openTls(identity: TlsIdentity, handshakeTimeout: number): TlsServer {
    const { certificate: cert, key } = identity.pair;
    const options = { ...DEMANDS, cert, key, handshakeTimeout, ALPNProtocols: ['http/1.1'] };
    const server = createTlsServer(options, (socket) => {
      this.#handOverArrived(socket);
    });
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    identity.onChange((pair) => server.setSecureContext({ ...DEMANDS, cert: pair.certificate, key: pair.key }));
    return server;
  }

  /**
   * Refuses a connection. Its input is read and dropped, or the answer would be lost with it. One that expects TLS
   * would not understand an answer.
   */
  #turnAway(socket: Socket, expectsTls: boolean): void {
    if (expectsTls || this.#turnedAway >= TURNED_AWAY_AT_ONCE) return void socket.destroy();
    this.#turnedAway += 1;
    const away = () => socket.destroy();
    const limit = setTimeout(away, TURNING_AWAY_MS);
    socket.once('close', () => {
      clearTimeout(limit);
      this.#turnedAway -= 1;
    });
    socket.once('error', away).once('end', away).resume();
    this.#onFull(socket);
  }
}
