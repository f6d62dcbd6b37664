/**
 * A device as a member of its store: it stays connected to the master, and synchronises on changes, on hints and at
 * intervals.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import { Loop, pause } from '../../drivers/lib/async.ts';
import { lanAddress } from '../core/config/index.ts';
import { Centre } from './centre/centre.ts';
import { type ConnectRequest, connectTo } from './centre/connect.ts';
import { HINTS, hintOf, NEWS } from './centre/subjects.ts';
import { SyncError, type SyncErrorCode } from './errors.ts';
import type { ItemRounds } from './item-rounds.ts';
import type { OwnDevice } from './own-device.ts';
import type { RoundResult, Rounds } from './round.ts';
import type { SyncSettings } from './settings.ts';
import type { StoreLine } from './store-line.ts';
import { syncFailure } from './sync-failure.ts';

/** Pause before a synchronisation, so that several changes in a row make one. */
const GATHER_MS = 100;
/** How often a device synchronises without news. */
const INTERVAL_MS = 30_000;
const RETRY_MS = 2000;
/** Failures that a retry soon would meet again. */
const LASTING: ReadonlySet<SyncErrorCode> = new Set(['full', 'storage', 'damaged']);

/**
 * How long a device waits for its next synchronisation where nothing wakes it, ms.
 * @param failure of the last synchronisation, or null
 */
export function untilNext(failure: SyncErrorCode | null, intervalMs: number): number {
  // with a full or damaged disk, the same templates would be sent again and again
  const isSoon = failure !== null && !LASTING.has(failure);
  return isSoon ? Math.min(RETRY_MS, intervalMs) : intervalMs;
}

export interface MemberState {
  /** Wall clock of the last synchronisation that succeeded, ms since 1970; null before the first. */
  readonly lastSuccess: number | null;
  /** Milliseconds since that synchronisation. */
  readonly lag: number | null;
  /** Templates that the limit left for the next synchronisation. */
  readonly pending: number;
  readonly failure: SyncError | null;
}

interface Waiter {
  readonly resolve: (result: RoundResult) => void;
  readonly reject: (error: SyncError) => void;
}

export class Member {
  readonly #device: OwnDevice;
  readonly #settings: Pick<SyncSettings, 'value'>;
  readonly #rounds: Rounds;
  readonly #items: ItemRounds;
  readonly #target: () => ConnectRequest;
  readonly #line: Pick<StoreLine, 'follow'>;
  readonly #intervalMs: number;
  readonly #closing = new AbortController();
  #connection: NatsConnection | null = null;
  #centre: Centre | null = null;
  readonly #loop = new Loop({ step: () => this.#step() });
  readonly #waiters: Waiter[] = [];
  #last: RoundResult | null = null;
  #lastWall: number | null = null;
  #lastMonotonic = 0;
  #failure: SyncError | null = null;

  /**
   * @param target returns address and credential before each connection; throws a `SyncError`, such as `unpaired`
   * @param line gets each new connection to the master
   */
  constructor(
    device: OwnDevice,
    settings: Pick<SyncSettings, 'value'>,
    rounds: Rounds,
    items: ItemRounds,
    target: () => ConnectRequest,
    line: Pick<StoreLine, 'follow'>,
    intervalMs = INTERVAL_MS,
  ) {
    this.#device = device;
    this.#settings = settings;
    this.#rounds = rounds;
    this.#items = items;
    this.#target = target;
    this.#line = line;
    this.#intervalMs = intervalMs;
  }

  get state(): MemberState {
    const lag = this.#lastWall === null ? null : this.#device.clock.monotonic() - this.#lastMonotonic;
    const pending = this.#last?.left ?? 0;
    return { lastSuccess: this.#lastWall, lag, pending, failure: this.#failure };
  }

  start(): void {
    this.#loop.start();
  }

  ask(): void {
    this.#loop.runNow();
  }

  /**
   * Synchronises now.
   * @returns the result of the first synchronisation that begins after the call
   * @throws {SyncError}
   */
  async now(): Promise<RoundResult> {
    if (this.#closing.signal.aborted) throw new SyncError('closed', 'the device is closing');
    const result = new Promise<RoundResult>((resolve, reject) => this.#waiters.push({ resolve, reject }));
    this.ask();
    return await result;
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    const closed = this.#loop.close();
    await this.#connection?.close();
    await closed;
    for (const { reject } of this.#waiters.splice(0))
      reject(new SyncError('closed', 'the synchronisation was broken off'));
  }

  async #step(): Promise<number> {
    const { signal } = this.#closing;
    // the first round does not wait, so that a fault of the connection shows at once
    if (this.#last !== null || this.#failure !== null) await pause(GATHER_MS, signal);
    if (signal.aborted) return 0;
    const waiting = this.#waiters.splice(0);
    try {
      const result = await this.#round();
      for (const { resolve } of waiting) resolve(result);
    } catch (error) {
      const failure = syncFailure(error);
      if (!signal.aborted) await this.#fail(failure);
      for (const { reject } of waiting) reject(failure);
    }
    return untilNext(this.#failure?.code ?? null, this.#intervalMs);
  }

  async #round(): Promise<RoundResult> {
    const { clock, log } = this.#device;
    const centre = await this.#connect();
    const { upload, download, limit } = this.#settings.value;
    const result = await this.#rounds.run(centre, { upload, download, limit }, this.#closing.signal);
    await this.#items.run(centre, { upload, download });
    await this.#reportStatus(centre, result);
    if (result.failure !== null) throw result.failure;
    this.#device.own.done('synchronisation');
    if (this.#failure !== null) log.info({ ...result }, 'synchronised again');
    this.#failure = null;
    this.#last = result;
    this.#lastWall = clock.wall();
    this.#lastMonotonic = clock.monotonic();
    return result;
  }

  /** Publishes this device's status. @param isDamaged whether it found the store damaged */
  async #reportStatus(
    centre: Centre,
    { templates, left }: Pick<RoundResult, 'templates' | 'left'>,
    isDamaged = false,
  ): Promise<void> {
    const { serial, version, instance } = this.#device;
    const { upload, download } = this.#settings.value;
    const address = lanAddress();
    const status = { instance, version, upload, download, templates, pending: left, ...(address && { address }) };
    await centre.putOwn('devices', serial, { ...status, ...(isDamaged && { damaged: true }) });
  }

  async #connect(): Promise<Centre> {
    if (this.#centre !== null && this.#connection?.isClosed() === false) return this.#centre;
    const connection = await connectTo(this.#target());
    if (this.#closing.signal.aborted) {
      await connection.close();
      throw new SyncError('closed', 'the device is closing');
    }
    const own = hintOf(this.#device.serial);
    for (const topic of [HINTS, NEWS])
      connection.subscribe(topic, {
        callback: (_error, { subject }) => {
          if (subject !== own) this.ask();
        },
      });
    void connection.closed().then(() => this.ask());
    this.#line.follow(connection);
    this.#connection = connection;
    this.#centre = new Centre(connection);
    return this.#centre;
  }

  /** Logs a failure when its code changes: a master that is off for a night makes one line and not a thousand. */
  async #fail(failure: SyncError): Promise<void> {
    if (this.#failure?.code !== failure.code)
      this.#device.log.warn({ err: failure, code: failure.code }, 'not synchronised; it is tried again');
    if (failure.code === 'program') this.#device.own.failed('synchronisation', failure);
    this.#failure = failure;
    // the connection stays: on it the master tells that the store was created anew
    if (failure.code === 'damaged') await this.#report();
    else await this.#connection?.close();
  }

  /** Tells the master that its store is damaged. */
  async #report(): Promise<void> {
    try {
      if (this.#centre !== null) await this.#reportStatus(this.#centre, this.#last ?? { templates: 0, left: 0 }, true);
    } catch (error) {
      this.#device.log.warn({ err: error }, 'the master could not be told that its store is damaged'); // told again at the next failure
    }
  }
}
