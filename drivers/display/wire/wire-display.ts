/**
 * A display on any byte wire: it keeps one link up, draws the pictures that callers ask for, and after a lost link
 * draws the current one.
 *
 * A reconnect makes a new connection object. Its first bytes are Clear and the picture that `current` gives at that
 * moment; earlier requests ended with the lost link.
 */

import { Backoff, pause, within } from '../../lib/async.ts';
import { messageOf } from '../../lib/errors.ts';
import {
  CLEAR,
  type Display,
  DisplayError,
  type DisplayOptions,
  type DisplayState,
  type Picture,
} from '../contract.ts';
import { samePicture } from '../payload.ts';
import * as mertech from './frames.ts';
import { type Connection, Link } from './link.ts';

/** No known reply is nearly this long; without a limit, noise on an open line would fill the memory. */
const MAX_REPLY_BYTES = 256;

/**
 * Cuts what a display sends into replies: chunks may be of any size, and bytes may be garbage.
 * @param end byte that ends a reply
 * @param onReply gets each reply as latin1 text without its terminator; empty replies are left out, and a reply longer
 * than 256 bytes comes in pieces
 * @returns the function that takes the received bytes
 */
export async function createReplyReader(
  end: number,
  onReply: (latin1: string) => void,
): Promise<(bytes: Uint8Array) => void> {
  const { ReadlineParser } = await import('@serialport/parser-readline');
  const parser = new ReadlineParser({ delimiter: [end], encoding: 'latin1' });
  parser.on('data', (reply: string) => onReply(reply));
  let open = 0;

  return (bytes) => {
    for (let start = 0; start < bytes.length; ) {
      const piece = bytes.subarray(start, start + MAX_REPLY_BYTES - open);
      parser.write(piece);
      start += piece.length;
      const last = piece.lastIndexOf(end);
      open = last === -1 ? open + piece.length : piece.length - last - 1;
      if (open >= MAX_REPLY_BYTES) {
        parser.write(Uint8Array.of(end));
        open = 0;
      }
    }
  };
}

export interface ConnectContext {
  /** Aborts when the attempt takes too long or the display is closed; the wire then closes what it has opened. */
  readonly signal: AbortSignal;
  /** Makes the reader of the bytes that the device sends. */
  readonly openReader: () => Promise<(bytes: Uint8Array) => void>;
}

/** Makes a new single-use connection. Rejects with a DisplayError, or with the signal's reason. */
export type Connect = (context: ConnectContext) => Promise<Connection>;

/** Times that a test or a slow wire may change. */
export interface WireTuning {
  /** Time limit from the first byte of a picture to its last. */
  readonly writeDeadlineMs: number;
  /** Time limit from the start of an attempt to an open link. */
  readonly connectDeadlineMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** A link that has lasted this long was good: the wait before the next attempt is short again. */
  readonly stableMs: number;
  readonly random: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The protocol of a display. The first frame of a code is the Clear before it. */
export type WireProtocol = Pick<typeof mertech, 'encodePicture' | 'encodeAfresh' | 'REPLY_END' | 'readReply'>;

export interface WireOptions extends DisplayOptions, Partial<WireTuning> {
  /** Names the wire in errors, as `serial`. */
  readonly kind: string;
  readonly connect: Connect;
  /** The protocol; `frames.ts` when left out. */
  readonly protocol?: WireProtocol;
}

const DEFAULTS = Object.freeze({
  protocol: mertech,
  writeDeadlineMs: 3_000,
  connectDeadlineMs: 5_000,
  backoffMinMs: 500,
  backoffMaxMs: 30_000,
  stableMs: 10_000,
  random: Math.random,
  pause,
});

const CLOSE_LIMIT_MS = 900;
/** How long a Clear sent ahead counts: later the display may have drawn something of its own. */
const AHEAD_MS = 1_000;
/** Replies of unknown form go to the log, but a device that talks all the time must not fill it. */
const REPLIES_LOGGED_PER_LINK = 50;

/**
 * Lets all rejection handlers run first: a caller withdraws a failed picture there, and `current` must not be read
 * before that.
 */
const afterRejectionHandlers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class WireDisplay implements Display {
  readonly kind: string;
  readonly #options: Required<Pick<WireOptions, 'protocol'>> & WireOptions & WireTuning;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #state: DisplayState = Object.freeze({ name: 'connecting' });
  #link: Link | null = null;
  #lastError: DisplayError | null = null;
  /** The link and time of a Clear that was sent ahead of a code, while nothing has followed it. */
  #cleared: { readonly link: Link; readonly at: number } | null = null;

  constructor(options: WireOptions) {
    this.kind = options.kind;
    this.#options = { ...DEFAULTS, ...options };
    this.#running = this.#run();
  }

  get state(): DisplayState {
    return this.#state;
  }

  async draw(picture: Picture): Promise<void> {
    const frames = this.#options.protocol.encodePicture(this.kind, picture);
    if (this.#state.name === 'closed') throw this.#error('closed', 'the display was closed');
    if (this.#state.name !== 'ready' || !this.#link) {
      const reason = this.#lastError?.message ?? 'still connecting';
      const cause = this.#lastError === null ? {} : { cause: this.#lastError };
      throw new DisplayError(this.kind, 'not-connected', `the display is not connected: ${reason}`, cause);
    }
    const { link, at = 0 } = this.#cleared ?? {};
    const isCleared = picture.kind === 'qr' && link === this.#link && performance.now() < at + AHEAD_MS;
    this.#cleared = null;
    await this.#link.send(isCleared ? frames.slice(1) : frames);
  }

  clearAhead(): void {
    const link = this.#link;
    if (this.#state.name !== 'ready' || link === null) return;
    this.#cleared = { link, at: performance.now() };
    link.send(this.#options.protocol.encodePicture(this.kind, CLEAR)).catch(() => undefined); // the link has ended: the code fails, too
  }

  async close(): Promise<void> {
    if (this.#state.name !== 'closed') {
      const error = this.#error('closed', 'the display was closed');
      this.#setState({ name: 'closed' });
      this.#link?.end(error);
      this.#stop.abort(error);
    }
    await within(this.#running, CLOSE_LIMIT_MS, () => this.#error('timeout', 'slow to close')).catch((error: unknown) =>
      this.#log('the display was slow to give its link back', { reason: messageOf(error) }),
    );
  }

  async #run(): Promise<void> {
    const { backoffMinMs, backoffMaxMs, random, stableMs } = this.#options;
    const backoff = new Backoff({ minMs: backoffMinMs, maxMs: backoffMaxMs }, random);
    // the constructor must have returned before `current` or `onState` is called
    await null;
    while (!this.#stop.signal.aborted) {
      const lastError = this.#lastError;
      this.#setState({
        name: 'connecting',
        ...(lastError !== null && { reason: lastError.message, code: lastError.code }),
      });
      const openMs = await this.#attempt();
      if (openMs >= stableMs) backoff.reset();
      if (!this.#stop.signal.aborted) await this.#options.pause(backoff.next(), this.#stop.signal);
    }
  }

  /** Runs one connection from its opening to its end; returns how many milliseconds it was open. */
  async #attempt(): Promise<number> {
    let connection: Connection;
    try {
      connection = await this.#connect();
    } catch (error) {
      this.#lost(error instanceof DisplayError ? error : this.#error('not-connected', messageOf(error), error));
      return 0;
    }
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
    const link = new Link(connection, this.kind, this.#options.writeDeadlineMs, (error) => {
      this.#link = null;
      this.#lost(error);
      onEnded();
    });
    this.#link = link;
    if (this.#stop.signal.aborted) link.end(this.#error('closed', 'the display was closed'));
    const openedAt = performance.now();
    await this.#drawCurrent(link);
    await ended;
    await connection.close();
    return performance.now() - openedAt;
  }

  async #connect(): Promise<Connection> {
    const { connect, connectDeadlineMs, protocol } = this.#options;
    const attempt = new AbortController();
    const signal = AbortSignal.any([attempt.signal, this.#stop.signal]);
    let replies = 0;
    const onReply = (latin1: string) => {
      replies += 1;
      if (replies < REPLIES_LOGGED_PER_LINK) this.#log('the display answered', { ...protocol.readReply(latin1) });
      if (replies === REPLIES_LOGGED_PER_LINK) this.#log('the display answers a lot: no more of it is logged');
    };
    const opening = connect({ signal, openReader: () => createReplyReader(protocol.REPLY_END, onReply) });
    const late = () => this.#error('timeout', `no connection within ${connectDeadlineMs} ms`);
    try {
      return await within(opening, connectDeadlineMs, late, this.#stop.signal);
    } catch (error) {
      attempt.abort(error);
      // a wire that still opens after it was given up must not stay open
      opening.then(
        (connection) => connection.close(),
        () => undefined,
      );
      throw error;
    }
  }

  /**
   * Sends the first bytes of a new link: Clear and the current picture, again if it changes meanwhile. Sets `ready` in
   * the same turn of the event loop in which it last read `current`; a change in between would never be drawn.
   */
  async #drawCurrent(link: Link): Promise<void> {
    const { protocol } = this.#options;
    try {
      await afterRejectionHandlers();
      let drawn = this.#current();
      await link.send(protocol.encodeAfresh(this.kind, drawn));
      for (;;) {
        await afterRejectionHandlers();
        const now = this.#current();
        if (samePicture(now, drawn)) break;
        await link.send(protocol.encodePicture(this.kind, now));
        drawn = now;
      }
    } catch {
      // a link refuses a picture only when it has ended, and its `onEnd` has reported that
    }
    if (link.ended) return;
    this.#lastError = null;
    this.#setState({ name: 'ready' });
  }

  /** The current picture. Where `current` fails or cannot be shown, the display stays clear and in use. */
  #current(): Picture {
    try {
      const picture = this.#options.current();
      this.#options.protocol.encodePicture(this.kind, picture);
      return picture;
    } catch (error) {
      this.#log('the current picture cannot be drawn', { reason: messageOf(error) });
      return CLEAR;
    }
  }

  #lost(error: DisplayError): void {
    if (this.#state.name === 'closed') return;
    if (error.message !== this.#lastError?.message) {
      this.#log('the display is lost', { code: error.code, reason: error.message });
    }
    this.#lastError = error;
    this.#setState({ name: 'lost', reason: error.message, code: error.code });
  }

  #setState(state: DisplayState): void {
    if (this.#state.name === 'closed') return;
    this.#state = Object.freeze(state);
    try {
      this.#options.onState?.(state);
    } catch (error) {
      this.#log('a listener to the state of the display failed', { reason: messageOf(error) });
    }
  }

  #error(code: ConstructorParameters<typeof DisplayError>[1], message: string, cause?: unknown): DisplayError {
    return new DisplayError(this.kind, code, message, cause === undefined ? {} : { cause });
  }

  #log(message: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.#options.log?.(message, details);
  }
}
