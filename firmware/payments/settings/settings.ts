/** Stores the settings, whole or not at all: secrets sealed on disk and masked in answers. */

import type { Fields } from '../../../drivers/lib/strict-json.ts';
import type { BankProfile } from '../../banks/index.ts';
import { isStoreError, JsonStore } from '../../core/files/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { TerminalError } from '../model/terminal-error.ts';
import { type SettingsChanges, settingsChanges } from './settings-changes.ts';
import {
  type Accepted,
  type ActiveSettings,
  acceptSent,
  maskedSettings,
  type NamedProfile,
  profileToTry,
  type SettingsObject,
  settingsWith,
  usableProfiles,
} from './settings-document.ts';
import { openStored, StoredSettings, sealedSettings } from './settings-stored.ts';

function whyUnusable(stored: StoredSettings, sealer: Sealer): string | null {
  try {
    openStored(stored, sealer);
    return null;
  } catch (error) {
    const isSealBroken = isStoreError(error, 'SEAL_BROKEN');
    if (!(isSealBroken || error instanceof TerminalError)) throw error;
    return isSealBroken && sealer.keySetAside !== null
      ? `the key of their secrets was damaged and set aside as ${sealer.keySetAside}, a new one was made`
      : error.message;
  }
}

function damageOf({ found, problem }: JsonStore<StoredSettings>): string | null {
  if (found === 'unsure')
    return `settings.json was damaged (${problem}), and what there is may be older: nothing is sold until somebody has looked whose account it names, and has sent or saved the settings again`;
  if (found === 'lost')
    return `the stored settings cannot be used (${problem}): send them again, secrets included, with updateDriverSettings`;
  return null;
}

export class DriverSettings {
  readonly #store: JsonStore<StoredSettings>;
  readonly #sealer: Sealer;
  #accepted: Accepted | null;
  #profiles: readonly NamedProfile[];
  /** What was wrong with the stored settings at start; null after the next update. */
  #problem: string | null;
  #isUnsure: boolean;

  /** Reads the stored settings; those that can no longer be used count as damaged. */
  constructor(path: string, sealer: Sealer) {
    this.#sealer = sealer;
    this.#store = JsonStore.open(path, StoredSettings, null, (stored) => whyUnusable(stored, sealer));
    this.#problem = damageOf(this.#store);
    this.#isUnsure = this.#store.found === 'unsure';
    this.#accepted = openStored(this.#store.value, sealer);
    this.#profiles = usableProfiles(this.#accepted);
  }

  /** What is wrong with the stored settings and what to do, in a sentence; null when nothing is. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Whether the settings may be older than those stored last: nothing is sold with them until they are sent again. */
  get isUnsure(): boolean {
    return this.#isUnsure;
  }

  /** The settings in use; null until configured. */
  get active(): ActiveSettings | null {
    return this.#accepted?.active ?? null;
  }

  /**
   * The settings with another profile in use, for one sale; null until configured.
   * @throws {TerminalError} 400 for a profile that is not set up, or that its bank cannot use
   */
  with(profileName: string): ActiveSettings | null {
    return this.#accepted === null ? null : settingsWith(this.#accepted, profileName);
  }

  /** All profiles that their banks could use, the one in use first. */
  get profiles(): readonly NamedProfile[] {
    return this.#profiles;
  }

  /** The whole settings as sent, with secrets; null until configured. */
  get document(): SettingsObject | null {
    return this.#accepted?.document ?? null;
  }

  /** The answer of `getDriverSettings`: the settings as sent, the part in use in canonical spelling, secrets masked. */
  masked(): SettingsObject | null {
    return this.#accepted === null ? null : maskedSettings(this.#accepted.document);
  }

  /** @param name null: the profile in use @param sent null: the stored profile @throws {TerminalError} 400 naming the field */
  profileToTry(name: string | null, sent: Fields | null): BankProfile {
    return profileToTry(name ?? this.active?.profileName ?? '', sent, this.#accepted?.document ?? null);
  }

  /** Validates an update without changing anything. @throws {TerminalError} 400 naming the field */
  validate(sent: SettingsObject): ActiveSettings {
    return this.#accept(sent).active;
  }

  /**
   * @param before stores what must be stored first
   * @returns what has changed
   * @throws {TerminalError} 400 naming the field, or 500 when it could not be stored; nothing has changed then
   */
  async update(sent: SettingsObject, before: () => Promise<void>): Promise<SettingsChanges> {
    const accepted = this.#accept(sent);
    const changes = settingsChanges(this.#accepted?.document ?? null, accepted.document);
    try {
      await before();
      this.#store.write(sealedSettings(accepted, this.#sealer));
    } catch (cause) {
      throw TerminalError.of(
        'DriverSettings',
        'StorageFailed',
        `the settings could not be stored: ${(cause as Error).message}`,
        { cause },
      );
    }
    this.#accepted = accepted;
    this.#profiles = usableProfiles(accepted);
    this.#problem = null;
    this.#isUnsure = false;
    return changes;
  }

  #accept(sent: SettingsObject): Accepted {
    return acceptSent(sent, this.#accepted?.document ?? null);
  }
}
