/**
 * A connection of a wire, and the link over it: the write queue, with a deadline for each picture. A link that has ended
 * is never used again, so nothing in its queue can reach a later link.
 */
import { messageOf } from '../../lib/errors.ts';
import { DisplayError } from '../contract.ts';

/** One connection of a wire: it cannot be used again once `closed` has settled. */
export interface Connection {
  /** Settles after the last byte has left; a second call comes only after the first has settled. */
  write(frames: readonly Uint8Array[], signal: AbortSignal): Promise<void>;
  /** Settles once, with the reason, when either side has closed it; never rejects. */
  readonly closed: Promise<DisplayError>;
  /** Closes the connection and drops unsent bytes; idempotent, never fails, soon settled. */
  close(): Promise<void>;
}

/** A connection that regularly checks whether its display is still there, because not every wire reports an end. */
export abstract class WatchedConnection implements Connection {
  readonly closed: Promise<DisplayError>;
  readonly #resolveClosed: (error: DisplayError) => void;
  readonly #timer: NodeJS.Timeout;
  #ended = false;
  #closing: Promise<void> | null = null;

  protected constructor(presenceCheckMs: number) {
    const { promise, resolve } = Promise.withResolvers<DisplayError>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    this.#timer = setInterval(() => void this.checkPresence(), presenceCheckMs);
  }

  abstract write(frames: readonly Uint8Array[], signal: AbortSignal): Promise<void>;
  /** Ends the connection where the display is gone; never fails. */
  protected abstract checkPresence(): Promise<void>;
  /** Ends the connection and releases the port or device; called once, by `close`; never fails. */
  protected abstract release(): Promise<void>;

  protected get ended(): boolean {
    return this.#ended;
  }

  close(): Promise<void> {
    this.#closing ??= this.release();
    return this.#closing;
  }

  protected end(error: DisplayError): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    this.#resolveClosed(error);
  }
}

interface Job {
  readonly frames: readonly Uint8Array[];
  readonly resolve: () => void;
  readonly reject: (error: DisplayError) => void;
}

/** The queue of pictures over one connection. */
export class Link {
  readonly #connection: Connection;
  readonly #kind: string;
  readonly #writeDeadlineMs: number;
  readonly #onEnd: (error: DisplayError) => void;
  readonly #abort = new AbortController();
  readonly #queue: Job[] = [];
  #active: Job | null = null;
  #deadline: NodeJS.Timeout | undefined;
  #error: DisplayError | null = null;

  /** @param onEnd called once, before the pictures that the link had not sent are refused */
  constructor(connection: Connection, kind: string, writeDeadlineMs: number, onEnd: (error: DisplayError) => void) {
    this.#connection = connection;
    this.#kind = kind;
    this.#writeDeadlineMs = writeDeadlineMs;
    this.#onEnd = onEnd;
    void connection.closed.then((error) => this.end(error));
  }

  get ended(): boolean {
    return this.#error !== null;
  }

  /** @throws {DisplayError} `not-connected` nothing was sent; `lost` or `timeout` part of it may have been seen */
  send(frames: readonly Uint8Array[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#unsent(this.#error));
      this.#queue.push({ frames, resolve, reject });
      this.#pump();
    });
  }

  /**
   * Ends the link now. All its promises are rejected before this returns, so that waiting callers learn of the end
   * before a later connection asks what to draw.
   */
  end(error: DisplayError): void {
    if (this.#error) return;
    this.#error = error;
    clearTimeout(this.#deadline);
    this.#onEnd(error);
    this.#active?.reject(error);
    this.#active = null;
    for (const job of this.#queue.splice(0)) job.reject(this.#unsent(error));
    this.#abort.abort(error);
    void this.#connection.close();
  }

  #pump(): void {
    if (this.#active || this.#error) return;
    const job = this.#queue.shift();
    if (!job) return;
    this.#active = job;
    this.#deadline = setTimeout(() => {
      this.end(new DisplayError(this.#kind, 'timeout', `the display took no bytes for ${this.#writeDeadlineMs} ms`));
    }, this.#writeDeadlineMs);
    this.#connection.write(job.frames, this.#abort.signal).then(
      () => this.#done(job),
      (error: unknown) => this.end(this.#asLost(error)),
    );
  }

  #done(job: Job): void {
    if (this.#error) return;
    clearTimeout(this.#deadline);
    this.#active = null;
    job.resolve();
    this.#pump();
  }

  #asLost(error: unknown): DisplayError {
    if (error instanceof DisplayError) return error;
    return new DisplayError(this.#kind, 'lost', messageOf(error), { cause: error });
  }

  #unsent(cause: DisplayError): DisplayError {
    const code = cause.code === 'closed' ? 'closed' : 'not-connected';
    return new DisplayError(this.#kind, code, `nothing was sent: ${cause.message}`, { cause });
  }
}
