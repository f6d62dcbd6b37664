/**
 * Stores the last good configuration: a lane with a typo in its configuration in the morning must still take payments,
 * so it starts with the last one that it ran with, and says so. A configuration is good once a device has started with
 * it. An unreadable or wrong one is never tried. One that ends the process (a port held by another program, a missing
 * model) is tried `TRIALS` times in a boot, and only if it is not the good one: a release that ends by itself is its
 * updater's business.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { readPlainFileIfAny, replaceFile } from '../files/index.ts';
import { fits } from '../schema/index.ts';
import { type Config, ConfigError, type Configuration, type LoadedConfig } from './load.ts';

/** Fewer than the starts after which systemd gives up (StartLimitBurst=). */
const TRIALS = 2;
const MAX_BYTES = 1024 * 1024;
const TrialSchema = Type.Object({ boot: Type.String(), config: Type.Unknown(), starts: Type.Integer() });
type Trial = Static<typeof TrialSchema>;

export interface ChosenConfig<Whole extends Config = Config> extends LoadedConfig<Whole> {
  /** Why the last good configuration is in force instead of the present one; null where the present one is. */
  readonly instead: string | null;
}

export class LastGoodConfig<Whole extends Config = Config> {
  readonly #good: string;
  readonly #trial: string;
  readonly #boot: string;
  readonly #configuration: Pick<Configuration<Whole>, 'load'>;

  /**
   * @param folder of the stored configuration: no key of the configuration names it, as that may be wrong
   * @param boot names this boot of the machine
   */
  constructor(folder: string, boot: string, configuration: Pick<Configuration<Whole>, 'load'>) {
    this.#good = join(folder, 'config.last-good.json');
    this.#trial = join(folder, 'config.trial.json');
    this.#boot = boot;
    this.#configuration = configuration;
  }

  /**
   * The configuration to start with; a start with one not known to be good is counted.
   * @param load reads the present one
   * @throws {ConfigError} where the present one is wrong, and there is no other
   */
  choose(load: () => LoadedConfig<Whole>): ChosenConfig<Whole> {
    const good = this.#lastGood();
    try {
      const present = load();
      if (good === null || isDeepStrictEqual(good, present.config)) return { ...present, instead: null };
      const starts = this.#countStart(present.config);
      if (starts <= TRIALS) return { ...present, instead: null };
      return {
        config: good,
        unknown: [],
        instead: `the device ended ${TRIALS} times as it started with it; the journal says why`,
      };
    } catch (error) {
      if (good === null || !(error instanceof ConfigError)) throw error;
      return { config: good, unknown: [], instead: error.problems.join('; ') };
    }
  }

  /** When the last good configuration was first stored, ms since 1970. */
  get storedAt(): number {
    return statSync(this.#good).mtimeMs;
  }

  /**
   * Has the next start try the present configuration again, as often as at first. @throws {ConfigError} where it is
   * still wrong @throws the file system's error
   */
  tryAgain(load: () => LoadedConfig): void {
    load();
    rmSync(this.#trial, { force: true });
  }

  /**
   * Stores the configuration that the device has started with as the good one. @throws the file system's error; the one
   * before then stays the good one
   */
  store(config: Whole): void {
    if (!isDeepStrictEqual(this.#lastGood(), config)) replaceFile(this.#good, `${JSON.stringify(config, null, 2)}\n`);
    rmSync(this.#trial, { force: true });
  }

  /** The last good configuration; null for none, or one that this release cannot read. */
  #lastGood(): Whole | null {
    try {
      return readPlainFileIfAny(this.#good, MAX_BYTES) === null
        ? null
        : this.#configuration.load(this.#good, {}).config;
    } catch {
      return null; // the device then starts with the present one, or not at all
    }
  }

  #countStart(config: Config): number {
    const before = this.#lastTrial();
    const isSame = before !== null && before.boot === this.#boot && isDeepStrictEqual(before.config, config);
    const starts = isSame ? before.starts + 1 : 1;
    const trial: Trial = { boot: this.#boot, config, starts };
    try {
      replaceFile(this.#trial, JSON.stringify(trial));
    } catch {
      // a full disk: a start that cannot be counted is tried
    }
    return starts;
  }

  #lastTrial(): Trial | null {
    try {
      const trial: unknown = JSON.parse(readPlainFileIfAny(this.#trial, MAX_BYTES)?.toString() ?? 'null');
      return fits(TrialSchema, trial) ? trial : null;
    } catch {
      return null; // damaged: counted from the beginning
    }
  }
}
