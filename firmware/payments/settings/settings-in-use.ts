/** The settings in use, and the banks that they open. */

import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import {
  type BankContext,
  type BankHealth,
  type BankListener,
  BankPool,
  type BankProfile,
  BankTrials,
  CertificateStore,
  Merchants,
  MISSING_HERE,
  type NamedBankHealth,
  OpenBanks,
  watchBank,
} from '../../banks/index.ts';
import type { DataDir } from '../../core/files/index.ts';
import type { Log, Timekeeper } from '../../core/host/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { terminalFailure } from '../model/failures.ts';
import { TerminalError } from '../model/terminal-error.ts';
import { DriverSettings } from './settings.ts';
import type { SettingsChanges } from './settings-changes.ts';
import type { ActiveSettings, SettingsObject } from './settings-document.ts';

export interface SettingsInUseOptions {
  readonly dataDir: DataDir;
  readonly clock: Timekeeper;
  readonly sealer: Sealer;
  /** What banks need of the device to be opened. */
  readonly bankContext: BankContext;
  /** Connects the display after its settings have changed. */
  readonly connect: () => Promise<void>;
  readonly log: Log;
  /** The built-in banks when left out. */
  readonly banks?: BankPool | undefined;
  /** Gets the duration of each answer of a bank. */
  readonly onBankAnswer: BankListener;
}

export interface UpdatedSettings {
  readonly changes: SettingsChanges;
  /** Why the bank cannot be asked yet; null where it can. */
  readonly lack: TerminalError | null;
}

const isMissingHere = (error: unknown): error is TerminalError =>
  error instanceof TerminalError && error.parameters.reason === MISSING_HERE;

export class SettingsInUse {
  readonly driver: DriverSettings;
  readonly banks: BankPool;
  readonly #options: SettingsInUseOptions;
  readonly #merchants: Merchants;
  readonly trials: BankTrials;
  readonly certificates: CertificateStore;
  readonly #updates = new SerialQueue();
  readonly #closing = new AbortController();

  constructor(options: SettingsInUseOptions) {
    this.#options = options;
    const { dataDir, clock, sealer } = options;
    this.driver = new DriverSettings(dataDir.file('settings.json'), sealer);
    this.certificates = new CertificateStore(dataDir.file('certificates.json'), sealer);
    const context = { ...options.bankContext, readFile: (path: string) => this.certificates.read(path) };
    this.#merchants = new Merchants(dataDir.file('merchants.json'), sealer, context, () => this.driver.profiles);
    this.trials = new BankTrials({ context, now: () => clock.wall() });
    this.banks =
      options.banks ?? new BankPool(new OpenBanks(context, options.onBankAnswer), clock, this.#merchants, context.log);
  }

  /** The profile that is set up under a name; null where none is. */
  profileOf(name: string): BankProfile | null {
    return this.driver.profiles.find(({ profileName }) => profileName === name)?.profile ?? null;
  }

  /** Health of the bank in use; null until configured. */
  get bankHealth(): BankHealth | null {
    const { active } = this.driver;
    return active === null ? null : this.banks.opened.health(active.profile);
  }

  /** Health of the banks of the other profiles. */
  get otherBanks(): readonly NamedBankHealth[] {
    const others = this.driver.profiles.slice(1);
    return others.map(({ profileName, profile }) => ({ profileName, health: this.banks.opened.health(profile) }));
  }

  /** The step that sets a fresh device up; the console has its button only beside the sandbox bank. */
  get firstStep(): string {
    const press =
      this.#options.bankContext.sandboxBaseUrl === null ? '' : ', or press "Set up for testing" in the console';
    return `send settings with updateDriverSettings${press}`;
  }

  /** @throws {TerminalError} until configured */
  require(): ActiveSettings {
    const { active } = this.driver;
    if (active !== null) return active;
    throw this.notConfigured();
  }

  /**
   * {@link require} for calls that decide where money goes. @throws {TerminalError} until configured, and while the
   * settings may not be the latest
   */
  requireSure(): ActiveSettings {
    if (this.driver.isUnsure) throw this.notConfigured();
    return this.require();
  }

  notConfigured(): TerminalError {
    const { isUnsure, problem } = this.driver;
    const message = isUnsure && problem !== null ? problem : `the driver is not configured: ${this.firstStep}`;
    return TerminalError.of('DriverSettings', 'IsNotConfigured', message);
  }

  /**
   * Stores an update whole or not at all; one update at a time.
   * @param options `mayLack`: whether to accept settings for which something is missing on the device
   * @throws {TerminalError}
   */
  update(sent: SettingsObject, options: { readonly mayLack: boolean }): Promise<UpdatedSettings> {
    return this.#updates.run(() => this.#update(sent, options));
  }

  /** Opens the bank, so that faults of its files show at start, not with the first payment; slow storage delays nothing. */
  tryBank({ profile }: ActiveSettings): void {
    this.banks.opened
      .open(profile)
      .catch((err: unknown) => this.#options.log.warn({ err }, 'the bank of the settings cannot be opened'));
  }

  /** Asks repeatedly whether the bank in use answers, until `closeBanks`. */
  watchBank(): void {
    const { banks } = this;
    const profile = () => this.driver.active?.profile ?? null;
    watchBank({ banks, profile, closing: this.#closing.signal, clock: this.#options.clock }).catch((err: unknown) =>
      this.#options.log.warn({ err }, 'the bank is no longer watched'),
    );
  }

  closeBanks(): Promise<void> {
    this.#closing.abort();
    return this.banks.opened.close();
  }

  async #update(sent: SettingsObject, { mayLack }: { readonly mayLack: boolean }): Promise<UpdatedSettings> {
    const before = this.driver.active;
    const missing = await this.#renew(this.driver.validate(sent).profile);
    if (missing !== null && !mayLack) throw missing;
    const outgoing = this.driver.profiles;
    const changes = await this.driver.update(sent, () => this.#merchants.store(outgoing));
    const active = this.require();
    const { connection, profile } = active;
    await this.banks.opened.closeOthers(profile);
    if (missing !== null) this.tryBank(active); // /health reports it, too
    if (before === null || JSON.stringify(before.connection) !== JSON.stringify(connection))
      await this.#options.connect();
    return { changes, lack: missing };
  }

  /** Opens the bank of a profile anew. @returns what is missing on the device for it; null for nothing @throws {TerminalError} */
  async #renew(profile: BankProfile): Promise<TerminalError | null> {
    try {
      await this.banks.opened.renew(profile);
      return null;
    } catch (cause) {
      const error = terminalFailure(cause);
      if (isMissingHere(error)) return error;
      throw error;
    }
  }
}
