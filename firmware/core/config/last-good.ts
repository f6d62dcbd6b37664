/**
 * A lane that opens in the morning with a typo in its configuration must still take payments: it starts with the last
 * configuration that it ran with, and says so. A configuration is good once a device has started with it. One that cannot be
 * read or is wrong is never tried; one that only ends the process (a port that another program holds, a model that is not
 * there) is tried `TRIALS` times in a boot, and only if it is not the good one: a release that ends by itself is its updater's
 * business.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { fits, readPlainFileIfAny, replaceFile } from '../store/index.ts';
import { type Config, ConfigError, type LoadedConfig, loadConfig } from './load.ts';

/** Fewer than the starts after which systemd gives a device up (StartLimitBurst=). */
const TRIALS = 2;
const MAX_BYTES = 1024 * 1024;
const TrialSchema = Type.Object({ boot: Type.String(), config: Type.Unknown(), starts: Type.Integer() });
type Trial = Static<typeof TrialSchema>;

export interface ChosenConfig extends LoadedConfig {
  /** Why the last good configuration is in force and not the present one; null where that one is. */
  readonly instead: string | null;
}

export class LastGoodConfig {
  readonly #good: string;
  readonly #trial: string;
  readonly #boot: string;

  /**
   * @param folder where the device keeps it: not a key of the configuration, which may be wrong
   * @param boot names this boot of the machine
   */
  constructor(folder: string, boot: string) {
    this.#good = join(folder, 'config.last-good.json');
    this.#trial = join(folder, 'config.trial.json');
    this.#boot = boot;
  }

  /**
   * The configuration to start with; of one that is not known to be good the start is counted.
   * @param load reads the present one
   * @throws {ConfigError} where the present one is wrong, and there is no other
   */
  choose(load: () => LoadedConfig): ChosenConfig {
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

  /** When the last good one was first kept, ms since 1970. */
  get keptAt(): number {
    return statSync(this.#good).mtimeMs;
  }

  /** The next start tries the present one again, as often as at first. @throws {ConfigError} where it is wrong still @throws the file system's error */
  tryAgain(load: () => LoadedConfig): void {
    load();
    rmSync(this.#trial, { force: true });
  }

  /** The device has started with it. @throws the file system's error; the one before is then still the good one */
  keep(config: Config): void {
    if (!isDeepStrictEqual(this.#lastGood(), config)) replaceFile(this.#good, `${JSON.stringify(config, null, 2)}\n`);
    rmSync(this.#trial, { force: true });
  }

  /** Null where there is none, or none that this release can read. */
  #lastGood(): Config | null {
    try {
      return readPlainFileIfAny(this.#good, MAX_BYTES) === null ? null : loadConfig(this.#good, {}).config;
    } catch {
      return null; // then the present one stands for itself
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
      // a full disk: what cannot be counted is tried
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
