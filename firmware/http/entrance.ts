/** Lets connections in, before they cost memory: callers of this machine have places of their own, whatever the network does. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from '../loopback.ts';
import { plainAddress } from './authority.ts';
import { ConnectionPool, type PoolLimits, type Visit } from './connection-pool.ts';

export interface EntranceOptions {
  /** Of callers from the network; this machine has as many in all, and they are its own. */
  readonly limits: PoolLimits;
  /** Answers a connection for which there is no place, and ends it. */
  readonly onFull: (socket: Socket) => void;
}

/** How long a connection without a place may take to hear so, and how many are told at once. */
const TURNING_AWAY_MS = 1000;
const TURNED_AWAY_AT_ONCE = 64;

/** Where Node's own server takes a connection over. */
type Serve = (socket: Socket) => void;

export class Entrance {
  readonly #server: Server;
  readonly #options: EntranceOptions;
  readonly #own: ConnectionPool;
  readonly #network: ConnectionPool;
  readonly #visits = new WeakMap<Socket, Visit>();
  readonly #serve: readonly Serve[];
  #turnedAway = 0;

  /** Stands in front of a server that was just made. */
  constructor(server: Server, options: EntranceOptions) {
    this.#server = server;
    this.#options = options;
    this.#own = new ConnectionPool({ total: options.limits.total, perAddress: options.limits.total });
    this.#network = new ConnectionPool(options.limits);
    this.#serve = server.listeners('connection') as Serve[]; // Node's own: nobody else has seen this server yet
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => this.#admit(socket));
    server.prependListener('request', (request, response) => this.#watch(request, response));
  }

  #admit(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === '') return void socket.destroy(); // gone before it was looked at
    const pool = isLoopback(address) ? this.#own : this.#network;
    const visit = pool.admit(address, () => socket.destroy());
    if (visit === null) return void this.#turnAway(socket);
    socket.once('close', () => visit.leave());
    this.#visits.set(socket, visit);
    for (const serve of this.#serve) serve.call(this.#server, socket);
  }

  /** What it has sent is read and dropped, or its answer would be lost with it. */
  #turnAway(socket: Socket): void {
    if (this.#turnedAway >= TURNED_AWAY_AT_ONCE) return void socket.destroy();
    this.#turnedAway += 1;
    const away = () => socket.destroy();
    const limit = setTimeout(away, TURNING_AWAY_MS);
    socket.once('close', () => {
      clearTimeout(limit);
      this.#turnedAway -= 1;
    });
    socket.once('error', away).once('end', away).resume();
    this.#options.onFull(socket);
  }

  #watch(request: IncomingMessage, response: ServerResponse): void {
    const visit = this.#visits.get(request.socket);
    if (visit === undefined) return;
    visit.beginRequest();
    response.once('close', () => visit.endRequest());
  }
}
