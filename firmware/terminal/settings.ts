/** The driver settings: taken whole or not at all, secrets sealed on disk and masked in answers. */
import Type, { type Static } from 'typebox';
import type { DisplayConnection } from '../../drivers/display/registry.ts';
import { JsonStore } from '../store/json-store.ts';
import { SealError, type Sealer } from '../store/sealer.ts';
import type { BankProfile } from './banks/profile.ts';
import { ConnectionSchema, type ConnectionSettings, canonicalConnection, displayConnection } from './connection.ts';
import { TerminalError } from './errors.ts';
import { acceptProfile, MASK, mapSecrets } from './profiles.ts';

const ProfileFields = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.String({ maxLength: 4096 }));
const Profiles = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), ProfileFields);

/** As a till sends and gets them. */
export const SettingsSchema = Type.Object(
  {
    bankProfile: Type.String({ description: 'the profile in use: a key of bankProfiles' }),
    bankProfiles: Profiles,
    deviceConnection: ConnectionSchema,
  },
  { additionalProperties: false },
);
export type SettingsObject = Static<typeof SettingsSchema>;

/** As they lie on disk: the same with sealed secrets; null until the first update. */
export const StoredSettingsSchema = Type.Object({ settings: Type.Union([SettingsSchema, Type.Null()]) });
export type StoredSettings = Static<typeof StoredSettingsSchema>;

export interface ActiveSettings {
  readonly profileName: string;
  readonly profile: BankProfile;
  readonly connection: DisplayConnection;
}

interface Accepted {
  readonly profileName: string;
  readonly profiles: ReadonlyMap<string, BankProfile>;
  readonly connection: ConnectionSettings;
}

const NO_SETTINGS: StoredSettings = { settings: null };

const purposeOf = (name: string, field: string): string => `profile/${name}/${field}`;

/** Names that would reach an object's prototype. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

export class DriverSettings {
  readonly #store: JsonStore<StoredSettings>;
  readonly #sealer: Sealer;
  #accepted: Accepted | null;
  /** What was wrong with the stored settings at start; gone with the next good update. */
  #problem: string | null;

  /** Takes what is stored; what cannot be used any more is as if it were damaged. */
  constructor(path: string, sealer: Sealer) {
    this.#sealer = sealer;
    this.#store = JsonStore.open(path, StoredSettingsSchema, NO_SETTINGS, (stored) => whyUnusable(stored, sealer));
    this.#problem = damageOf(this.#store);
    this.#accepted = openStored(this.#store.value, sealer);
  }

  /** What is wrong with the stored settings and what to do, in a sentence; null when nothing is. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The settings in use; null until configured. */
  get active(): ActiveSettings | null {
    const accepted = this.#accepted;
    const profile = accepted?.profiles.get(accepted.profileName);
    if (accepted === null || profile === undefined) return null;
    return { profileName: accepted.profileName, profile, connection: displayConnection(accepted.connection) };
  }

  /** What `getDriverSettings` answers: canonical spelling, secrets masked. */
  masked(): SettingsObject | null {
    return this.#accepted === null ? null : describeSettings(this.#accepted, () => MASK);
  }

  /** Judges an update without changing anything. @throws {TerminalError} 400 naming the field */
  judge(sent: SettingsObject): ActiveSettings {
    const { profileName, profiles, connection } = this.#accept(sent);
    return {
      profileName,
      profile: profiles.get(profileName) as BankProfile,
      connection: displayConnection(connection),
    };
  }

  /** @throws {TerminalError} 400 naming the field, or 500 when it could not be stored; nothing has changed then */
  async update(sent: SettingsObject): Promise<void> {
    const accepted = this.#accept(sent);
    const sealed = describeSettings(accepted, (value, name, field) => this.#sealer.seal(value, purposeOf(name, field)));
    try {
      await this.#store.replace({ settings: sealed });
    } catch (cause) {
      throw TerminalError.of(
        500,
        'DriverSettings',
        'StorageFailed',
        `the settings could not be stored: ${(cause as Error).message}`,
        { cause },
      );
    }
    this.#accepted = accepted;
    this.#problem = null;
  }

  #accept({ bankProfile, bankProfiles, deviceConnection }: SettingsObject): Accepted {
    const names = Object.keys(bankProfiles);
    const bad = names.find((name) => FORBIDDEN_NAMES.has(name));
    if (bad !== undefined) throw TerminalError.invalid('settings.bankProfiles', `may not hold a profile named ${bad}`);
    if (!names.includes(bankProfile)) {
      throw TerminalError.of(
        400,
        'DriverSettings',
        'MissingBankProfile',
        `settings.bankProfile is "${bankProfile}", which is no key of settings.bankProfiles (${names.join(', ') || 'it is empty'})`,
      );
    }
    const profiles = new Map(
      Object.entries(bankProfiles).map(([name, sent]) => [
        name,
        acceptProfile(name, sent, this.#accepted?.profiles.get(name)),
      ]),
    );
    displayConnection(deviceConnection);
    return { profileName: bankProfile, profiles, connection: canonicalConnection(deviceConnection) };
  }
}

/** @throws {SealError} @throws {TerminalError} naming the field that cannot be used */
function openStored({ settings }: StoredSettings, sealer: Sealer): Accepted | null {
  if (settings === null) return null;
  const entries = Object.entries(settings.bankProfiles).map(([name, profile]) => {
    const opened = mapSecrets(profile, (value, field) => sealer.open(value, purposeOf(name, field)));
    return [name, acceptProfile(name, opened, undefined)] as const;
  });
  if (!(settings.bankProfile in settings.bankProfiles))
    throw TerminalError.invalid('settings.bankProfile', `is "${settings.bankProfile}", which names no profile`);
  displayConnection(settings.deviceConnection);
  return { profileName: settings.bankProfile, profiles: new Map(entries), connection: settings.deviceConnection };
}

function whyUnusable(stored: StoredSettings, sealer: Sealer): string | null {
  try {
    openStored(stored, sealer);
    return null;
  } catch (error) {
    if (!(error instanceof SealError || error instanceof TerminalError)) throw error;
    return error instanceof SealError && sealer.keySetAside !== null
      ? `the key of their secrets was damaged and set aside as ${sealer.keySetAside}, a new one was made`
      : error.message;
  }
}

function damageOf({ found, problem }: JsonStore<StoredSettings>): string | null {
  if (found === 'restored')
    return `settings.json was damaged (${problem}); its last good copy is in use: check the settings`;
  if (found === 'lost')
    return `the stored settings cannot be used (${problem}): send them again, secrets included, with updateDriverSettings`;
  return null;
}

function describeSettings(
  { profileName, profiles, connection }: Accepted,
  secret: (value: string, name: string, field: string) => string,
): SettingsObject {
  const entries = [...profiles].map(([name, profile]) => [
    name,
    mapSecrets({ ...profile }, (value, field) => secret(value, name, field)),
  ]);
  return { bankProfile: profileName, bankProfiles: Object.fromEntries(entries), deviceConnection: connection };
}
