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

// Answers the requests of a connection one after the other (RFC 9112, 9.3.2): else memory would hold the answers to all
// that a client sends ahead.

/** Requests that may wait behind the one being answered: some tills send two or three at once, none sends many. */
const MAX_AHEAD = 16;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

class RequestPipeline {
  readonly #slot: ConnectionSlot;
  readonly #answer: Answer;
  readonly #ahead: [IncomingMessage, ServerResponse][] = [];
  #current: IncomingMessage | null = null;
  #isBroken = false;

  constructor(slot: ConnectionSlot, answer: Answer) {
    this.#slot = slot;
    this.#answer = answer;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#current === null) this.#begin(request, response);
    else if (this.#ahead.push([request, response]) > MAX_AHEAD) this.#slot.end();
  }

  /**
   * Handles input that is not HTTP. Complete requests before it are done, so their answers must go out first; then the
   * connection ends.
   * @returns false without such requests, so that the connection can be answered at once
   */
  breakOff(): boolean {
    if (this.#current?.complete !== true) return false;
    if (this.#ahead.at(-1)?.[0].complete === false) this.#ahead.pop();
    this.#isBroken = true;
    return true;
  }

  /** Begins a request. While only the client can act, the connection may have to make room for another. */
  #begin(request: IncomingMessage, response: ServerResponse): void {
    const slot = this.#slot;
    this.#current = request;
    slot.move(hasBody(request) && !request.complete ? 'transfer' : 'busy');
    request.once('end', () => {
      if (!response.writableEnded) slot.move('busy');
    });
    response.once('prefinish', () => slot.move('transfer')).once('close', () => this.#next());
    this.#answer(request, response);
  }

  #next(): void {
    this.#current = null;
    const [request, response] = this.#ahead.shift() ?? [];
    if (request !== undefined && response !== undefined && request.socket.writable) this.#begin(request, response);
    else if (this.#isBroken) this.#slot.end();
    else this.#slot.move('idle');
  }
}

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
  readonly #answer: readonly Answer[];
  readonly #tls: TlsServer | null;
  /** Connections that were not handed over yet, by `keyOf`. */
  readonly #arriving = new Map<string, ConnectionSlot>();
  #turnedAway = 0;

  /**
   * Stands in front of a new server.
   * @param limits of callers from the network; callers of this machine have as many places of their own
   * @param tls certificate for callers from the network; null for plain HTTP
   * @param onFull answers a connection without a place, and ends it
   * @param greetingMs how long a client may take to its first byte, and for its handshake
   */
  constructor(
    server: Server,
    limits: PoolLimits,
    tls: TlsIdentity | null,
    onFull: (socket: Socket) => void,
    greetingMs = GREETING_MS,
  ) {
    this.#server = server;
    this.#onFull = onFull;
    this.#greetingMs = greetingMs;
    this.#own = new ConnectionPool({ total: limits.total, perAddress: limits.total });
    this.#network = new ConnectionPool(limits);
    this.#tls = tls === null ? null : this.#openTls(tls);
    this.#serve = server.listeners('connection') as Serve[]; // Node's own: no other code has seen this server yet
    this.#answer = server.listeners('request') as Answer[]; // the router's
    server.removeAllListeners('connection').removeAllListeners('request');
    server.on('connection', (socket: Socket) => this.#admit(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#pipelines.get(request.socket)?.take(request, response),
    );
  }

  #admit(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === '') return void socket.destroy(); // the caller has gone already
    const pool = isLoopback(address) ? this.#own : this.#network;
    const slot = pool.admit(address, () => socket.destroy());
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
    const answer: Answer = (request, response) => {
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

  #openTls(identity: TlsIdentity): TlsServer {
    const { certificate: cert, key } = identity.pair;
    const options = {
      cert,
      key,
      handshakeTimeout: this.#greetingMs,
      ALPNProtocols: ['http/1.1'],
      ciphers: CIPHERS,
      minVersion: 'TLSv1.2' as const,
    };
    const server = createTlsServer(options, (socket) => {
      this.#handOverArrived(socket);
    });
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    identity.onChange((pair) =>
      server.setSecureContext({ cert: pair.certificate, key: pair.key, ciphers: CIPHERS, minVersion: 'TLSv1.2' }),
    );
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
