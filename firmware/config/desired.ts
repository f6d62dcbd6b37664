/**
 * What the chain wants configured on this device, as it is kept beside what the device has: tried first, in force for good once
 * the device has run well with it, and undone by itself where it has not. What was refused or undone is not tried again until
 * the chain says something else. It goes before the file, key by key, and a variable of the environment goes before it.
 */
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { messageOf } from '../../drivers/lib/errors.ts';
import { fits, isStoreError, readPlainFileIfAny, replaceFile, StoreError } from '../store/index.ts';
import { ConfigError, type LoadedConfig } from './load.ts';

/** Starts that a trial has: one may have been cut short by a pulled plug. */
const TRIALS = 2;
const MAX_BYTES = 1024 * 1024;

const Wanted = Type.Object({
  /** Another one whenever the chain says something else. */
  mark: Type.String(),
  /** Of the newest of the documents that it comes from. */
  number: Type.Integer({ minimum: 0 }),
  /** Dotted key → value. */
  settings: Type.Record(Type.String(), Type.Unknown()),
});
export type Wanted = Readonly<Static<typeof Wanted>>;

const Failure = Type.Object({
  mark: Type.String(),
  number: Type.Integer({ minimum: 0 }),
  state: Type.Enum(['refused', 'undone']),
  reason: Type.String(),
});

const State = Type.Object({
  /** That the device has run well with; null: none. */
  taken: Type.Union([Wanted, Type.Null()]),
  trial: Type.Union([
    Type.Object({
      wanted: Wanted,
      starts: Type.Integer({ minimum: 0 }),
      /** Parts of the device that were not well before it, and how. */
      ill: Type.Record(Type.String(), Type.String()),
    }),
    Type.Null(),
  ]),
  failure: Type.Union([Failure, Type.Null()]),
});
type State = Static<typeof State>;

const NOTHING: State = { taken: null, trial: null, failure: null };

export interface DesiredReport {
  readonly state: 'taken' | 'pending' | 'refused' | 'undone';
  readonly number: number;
  /** Why; empty where it is taken. */
  readonly reason: string;
  /** That are in force now. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export class DesiredConfig {
  readonly #path: string;
  #state: State;
  /** What this process runs with. */
  #running: { readonly wanted: Wanted | null; readonly isTrial: boolean } = { wanted: null, isTrial: false };
  /** Why what was taken is not in force now. */
  #misfit: string | null = null;
  #unreadable: StoreError | null = null;
  /** Mark of what this process has judged: another release, or another file of the device, may judge otherwise. */
  #checkedMark: string | null = null;

  constructor(path: string) {
    this.#path = path;
    try {
      this.#state = readState(path);
    } catch (error) {
      if (!isStoreError(error, 'UNREADABLE')) throw error;
      this.#state = NOTHING; // a lane starts even on a failing disk
      this.#unreadable = error;
    }
  }

  /** Why it is unknown what the device had taken, tried or undone; null where it is known, or was written again. */
  get unreadable(): StoreError | null {
    return this.#unreadable;
  }

  /**
   * The configuration to start with; of a trial the start is counted.
   * @param load reads the present one, with what the chain sets over it
   * @throws {ConfigError} where it is wrong without anything of the chain, too
   */
  choose(load: (settings: Wanted['settings']) => LoadedConfig): LoadedConfig {
    return this.#chooseTrial(load) ?? this.#chooseTaken(load) ?? load({});
  }

  /** Whether this process tries what the chain wants; what it wants since then is another. */
  get isTrial(): boolean {
    const { isTrial, wanted } = this.#running;
    return isTrial && wanted?.mark === this.#state.trial?.wanted.mark;
  }

  /** Whether the device runs otherwise than it would after a restart. */
  get isStale(): boolean {
    const { trial, taken } = this.#state;
    const next = trial?.wanted ?? taken;
    // what cannot be had with the present file is not had by another start
    if (trial === null && this.#misfit !== null) return false;
    return !isDeepStrictEqual(next?.settings ?? {}, this.#running.wanted?.settings ?? {});
  }

  /** Parts that were not well before the trial, and how. */
  get illBefore(): Readonly<Record<string, string>> {
    return this.#state.trial?.ill ?? {};
  }

  /** Of what the chain wanted last; null where it never wanted anything. */
  get mark(): string | null {
    const { taken, trial, failure } = this.#state;
    return (trial?.wanted ?? failure ?? taken)?.mark ?? null;
  }

  /** Null where the chain wants nothing. */
  get report(): DesiredReport | null {
    const { taken, trial, failure } = this.#state;
    const settings = this.#running.wanted?.settings ?? {};
    if (trial !== null) {
      const reason = this.isTrial ? 'it is being tried' : 'the device takes it with its next start';
      return { state: 'pending', number: trial.wanted.number, reason, settings };
    }
    if (failure !== null) return { state: failure.state, number: failure.number, reason: failure.reason, settings };
    if (taken === null) return null;
    if (this.#misfit !== null) return { state: 'refused', number: taken.number, reason: this.#misfit, settings };
    return { state: 'taken', number: taken.number, reason: '', settings };
  }

  /**
   * Takes in what the chain wants now.
   * @param load as for {@link choose}; nothing is set by it
   * @param ill parts that are not well at this moment, and how
   * @throws the file system's error; nothing has changed then
   */
  want(wanted: Wanted, load: (settings: Wanted['settings']) => unknown, ill: Readonly<Record<string, string>>): void {
    const { taken, failure } = this.#state;
    const { mark: latest } = this;
    const isKnown = latest === wanted.mark && (failure?.state !== 'refused' || this.#checkedMark === wanted.mark);
    if (isKnown || (latest === null && wanted.number === 0)) return;
    const problem = problemWith(load, wanted.settings);
    this.#checkedMark = wanted.mark;
    if (problem !== null) {
      const { mark, number } = wanted;
      this.#save({ taken, trial: null, failure: { mark, number, state: 'refused', reason: problem } });
    } else if (isDeepStrictEqual(taken?.settings ?? {}, wanted.settings))
      this.#save({ taken: wanted, trial: null, failure: null });
    else this.#save({ taken, trial: { wanted, starts: 0, ill: { ...ill } }, failure: null });
  }

  /** The device runs well with it. @throws the file system's error; the trial goes on then */
  prove(): void {
    const { trial } = this.#state;
    if (trial === null || !this.isTrial) return;
    this.#save({ taken: trial.wanted, trial: null, failure: null });
    this.#running = { wanted: trial.wanted, isTrial: false };
  }

  /** @throws the file system's error; the trial goes on then */
  undo(reason: string): void {
    const { taken, trial } = this.#state;
    if (trial === null) return;
    const { mark, number } = trial.wanted;
    this.#save({ taken, trial: null, failure: { mark, number, state: 'undone', reason } });
  }

  /** The store has left its chain: nothing that it has set stays. @throws the file system's error */
  forget(): void {
    // what cannot be read now may be in force after the next start
    if (this.#unreadable !== null || !isDeepStrictEqual(this.#state, NOTHING)) this.#save(NOTHING);
  }

  /** The process ends because somebody asked it to: that is no fault of a trial. */
  endInOrder(): void {
    const { trial } = this.#state;
    if (trial === null || !this.isTrial) return;
    this.#save({ ...this.#state, trial: { ...trial, starts: Math.max(0, trial.starts - 1) } });
  }

  #chooseTrial(load: (settings: Wanted['settings']) => LoadedConfig): LoadedConfig | null {
    const { trial } = this.#state;
    if (trial === null) return null;
    try {
      if (trial.starts >= TRIALS) {
        this.undo(`the device ended ${TRIALS} times as it ran with it; its journal says why`);
        return null;
      }
      const loaded = load(trial.wanted.settings);
      this.#save({ ...this.#state, trial: { ...trial, starts: trial.starts + 1 } });
      this.#running = { wanted: trial.wanted, isTrial: true };
      return loaded;
    } catch (error) {
      // one whose start cannot be counted would be tried for ever
      const reason = error instanceof ConfigError ? error.problems.join('; ') : 'the device cannot write it down';
      this.#checkedMark = trial.wanted.mark;
      this.#state = { ...this.#state, trial: null, failure: failureOf(trial.wanted, reason) };
      return null;
    }
  }

  /** The file may have been changed since it was taken: the device runs without it rather than not at all. */
  #chooseTaken(load: (settings: Wanted['settings']) => LoadedConfig): LoadedConfig | null {
    const { taken } = this.#state;
    if (taken === null) return null;
    try {
      const loaded = load(taken.settings);
      this.#running = { wanted: taken, isTrial: false };
      return loaded;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#misfit = error.problems.join('; ');
      return null;
    }
  }

  #save(state: State): void {
    replaceFile(this.#path, `${JSON.stringify(state, null, 2)}\n`);
    this.#state = state;
    this.#unreadable = null;
  }
}

const failureOf = ({ mark, number }: Wanted, reason: string): Static<typeof Failure> => ({
  ...{ mark, number, reason },
  state: 'refused',
});

function problemWith(load: (settings: Wanted['settings']) => unknown, settings: Wanted['settings']): string | null {
  try {
    load(settings);
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('; ');
    throw error;
  }
}

/** What is damaged the chain says again. @throws {StoreError} `UNREADABLE` */
function readState(path: string): State {
  try {
    const found: unknown = JSON.parse(readPlainFileIfAny(path, MAX_BYTES)?.toString() ?? 'null');
    return fits(State, found) ? found : NOTHING;
  } catch (cause) {
    if (cause instanceof SyntaxError || isStoreError(cause, 'NOT_PLAIN', 'TOO_LARGE')) return NOTHING;
    throw new StoreError('UNREADABLE', `cannot be read: ${messageOf(cause)}`, { cause });
  }
}
