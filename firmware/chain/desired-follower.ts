/** What the chain wants configured: read, judged, tried with a restart, and undone where the device is not well with it. */
import { messageOf } from '../../drivers/lib/errors.ts';
import type { DesiredConfig, DesiredReport, Wanted } from '../config/index.ts';
import type { LogLine, PartHealth, PartState } from '../host/index.ts';
import { CONFIG, configOf, desiredIn, isGone, placesOf, wantedOf } from './desired-document.ts';
import { ChainError, isAway } from './errors.ts';
import type { ChainLink } from './link.ts';
import { LOOK_MS, Loop, type LoopOptions } from './loop.ts';
import type { SignedReader } from './signed-reader.ts';
import type { Trust } from './trust.ts';

const LOOK_AGAIN_MS = 10_000;
/** How often it is checked whether a trial goes well, and whether no payment is open. */
const WATCH_MS = 5000;
/** For so long without a break the device must be well and have seen its chain. */
export const WELL_MS = 60_000;
/** What is not well for so long after its start is undone. */
export const UNDO_MS = 10 * 60_000;
/**
 * A process that was started for the chain runs so long before it is restarted: setting one key after the other would else
 * have systemd take the starts for a crash loop (StartLimitBurst= of laneware.service), which undoes a good release.
 */
export const AGAIN_MS = 60_000;
const BADNESS: Readonly<Record<PartState, number>> = Object.freeze({ ok: 0, degraded: 1, failed: 2 });
/** Its own part of the health is no reason to undo it. */
export const DESIRED_PART = 'chain-configuration';

export interface DesiredFollowerOptions extends Pick<LoopOptions, 'scale'> {
  readonly desired: Pick<
    DesiredConfig,
    'report' | 'unreadable' | 'mark' | 'want' | 'prove' | 'undo' | 'forget' | 'isTrial' | 'isStale' | 'illBefore'
  >;
  /** Reads the present configuration with what the chain sets over it. @throws {ConfigError} */
  readonly load: (settings: Wanted['settings']) => unknown;
  readonly reader: Pick<SignedReader, 'read'>;
  readonly link: Pick<ChainLink, 'onNews' | 'onLine'>;
  /** Null where the store has joined no chain; undefined: that is not known yet. */
  readonly trust: () => Trust | null | undefined;
  /** Encoded serial number of this device. */
  readonly part: string;
  readonly parts: () => readonly Pick<PartHealth, 'part' | 'state' | 'reason'>[];
  /** Whether a restart interrupts no payment. */
  readonly isIdle: () => boolean;
  /** Ends this process, which is started again; null where nothing would start it. */
  readonly restart: (() => void) | null;
  readonly clock: { monotonic(): number };
  readonly log: LogLine;
}

export class DesiredFollower extends Loop {
  readonly #options: DesiredFollowerOptions;
  readonly #startedAt: number;
  readonly #isStartedForTrial: boolean;
  #nextLook = 0;
  /** Whether this process has heard what the chain wants. */
  #hasSeenChain = false;
  #wellSince: number | null = null;
  #isRestarting = false;
  #problem: string | null = null;

  constructor(options: DesiredFollowerOptions) {
    const { link, scale, part } = options;
    super({
      ...{ link, scale, step: () => this.#follow() },
      isNews: (scope, key) => key === CONFIG || (scope === 'own' && key === configOf(part)),
    });
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#isStartedForTrial = options.desired.isTrial;
  }

  get report(): DesiredReport | null {
    return this.#options.desired.report;
  }

  /** Why the chain’s word is not taken; null where nothing is wrong. */
  get problem(): string | null {
    if (this.#problem !== null) return this.#problem;
    const { unreadable } = this.#options.desired;
    if (unreadable !== null)
      return `what the device has taken of its chain’s configuration ${unreadable.message}; it runs with its own file until the chain has said it again`;
    const { report } = this;
    const isWrong = report?.state === 'refused' || report?.state === 'undone';
    return isWrong ? `what the chain wants configured is ${report.state}: ${report.reason}` : null;
  }

  /** The chain may want something else. */
  override ask(): void {
    this.#nextLook = 0;
    super.ask();
  }

  async #follow(): Promise<number> {
    const { desired, clock } = this.#options;
    const now = clock.monotonic();
    if (now >= this.#nextLook) {
      this.#nextLook = now + LOOK_MS;
      const isDone = await this.#tryTo(() => this.#look());
      // news that came meanwhile have it look at once
      if (!isDone) this.#nextLook = Math.min(this.#nextLook, clock.monotonic() + LOOK_AGAIN_MS);
    }
    await this.#tryTo(async () => this.#watch());
    const isBusy = desired.isTrial || desired.isStale;
    const untilLook = Math.max(1, this.#nextLook - clock.monotonic());
    return isBusy ? Math.min(WATCH_MS, untilLook) : untilLook;
  }

  /** @returns whether it went well */
  async #tryTo(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (isAway(error)) return false;
      const problem = messageOf(error);
      if (this.#problem !== problem) this.#options.log('the configuration of the chain is not followed', { problem });
      this.#problem = problem;
      return false;
    }
  }

  async #look(): Promise<void> {
    const { desired, reader, trust: trusted, part, load } = this.#options;
    const trust = trusted();
    if (trust === undefined) return;
    // the store has left its chain, or this device its store, perhaps while it was off
    if (trust === null) return desired.forget();
    const documents = [];
    for (const [scope, key] of placesOf(part)) documents.push(desiredIn(await reader.read(scope, key, trust)));
    this.#hasSeenChain = true;
    const wanted = wantedOf(documents, trust);
    if (isGone(desired.mark, wanted))
      throw new ChainError('forged', 'what the chain wanted configured is not there any more; what it was stays');
    desired.want(wanted, load, this.#ill());
    this.#problem = null;
  }

  #ill(): Record<string, string> {
    const ill = this.#options.parts().filter(({ part, state }) => state !== 'ok' && part !== DESIRED_PART);
    return Object.fromEntries(ill.map(({ part, state }) => [part, state]));
  }

  #watch(): void {
    const { desired, log } = this.#options;
    if (desired.isTrial) this.#watchTrial();
    if (!desired.isStale || this.#isRestarting) return;
    const { restart, isIdle } = this.#options;
    if (restart === null || this.#isTooSoon || !isIdle()) return;
    this.#isRestarting = true;
    log('the device is restarted for what its chain wants configured', { ...desired.report });
    restart();
  }

  get #isTooSoon(): boolean {
    return this.#isStartedForTrial && this.#options.clock.monotonic() - this.#startedAt < AGAIN_MS;
  }

  #watchTrial(): void {
    const { desired, clock } = this.#options;
    const now = clock.monotonic();
    const trouble = this.#trouble();
    this.#wellSince = trouble === null ? (this.#wellSince ?? now) : null;
    if (this.#wellSince !== null && now - this.#wellSince >= WELL_MS) desired.prove();
    else if (trouble !== null && now - this.#startedAt >= UNDO_MS) desired.undo(trouble);
  }

  /** What is worse than before the trial; null where nothing is. */
  #trouble(): string | null {
    const { desired, parts } = this.#options;
    if (!this.#hasSeenChain) return 'the device has not seen its chain since it took it';
    const { illBefore } = desired;
    const worse = parts().find(
      ({ part, state }) => part !== DESIRED_PART && BADNESS[state] > badnessOf(illBefore[part]),
    );
    return worse === undefined ? null : `${worse.part} is ${worse.state} with it: ${worse.reason}`;
  }
}

const badnessOf = (state: string | undefined): number =>
  state === 'degraded' || state === 'failed' ? BADNESS[state] : 0;
