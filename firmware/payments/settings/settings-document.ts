/** Settings as a till sends and gets them: the part in use is validated, the rest stored as it was sent. */

import Type, { type Static } from 'typebox';
import type { DisplayConnection } from '../../../drivers/display/registry.ts';
import { type Fields, isFields, memberOf } from '../../../drivers/lib/strict-json.ts';
import type { BankProfile } from '../../banks/index.ts';
import { TerminalError } from '../model/terminal-error.ts';
import { ConnectionSchema, displayConnection, normalisedConnection } from './connection.ts';
import { normalisedProfile, refuseIdleFields, unmaskedProfile, validateProfile, withKeptSecrets } from './profiles.ts';
import { masked, sameButSecrets, unmasked } from './settings-secrets.ts';

const MAX_PROFILES = 64;
export const MAX_PROFILE_NAME = 64;
export const profileName = (description: string) =>
  Type.String({ title: 'ProfileName', minLength: 1, maxLength: MAX_PROFILE_NAME, description });

export const SETTINGS_EXAMPLE = Object.freeze({
  bankProfile: 'sandbox',
  bankProfiles: { sandbox: { bankName: 'Sandbox' } },
  deviceConnection: { connectionType: 'Screen' },
});
export const SettingsSchema = Type.Object(
  {
    bankProfile: profileName('the profile in use: a key of bankProfiles'),
    bankProfiles: Type.Unsafe<Fields>(
      Type.Object(
        {},
        {
          title: 'BankProfiles',
          additionalProperties: Type.Unknown(),
          maxProperties: MAX_PROFILES,
          propertyNames: { maxLength: MAX_PROFILE_NAME },
          description:
            'profiles by their names: objects with a bankName and the fields of that bank. Only the one in use is judged',
        },
      ),
    ),
    deviceConnection: ConnectionSchema,
  },
  {
    title: 'Settings',
    description: 'all of them: what is left out is set up no more',
    examples: [SETTINGS_EXAMPLE],
  },
);
export type SettingsObject = Readonly<Static<typeof SettingsSchema>>;

export interface ActiveSettings {
  readonly profileName: string;
  readonly profile: BankProfile;
  readonly connection: DisplayConnection;
}

/** Settings that may be used, with their secrets. */
export interface Accepted {
  readonly document: SettingsObject;
  readonly active: ActiveSettings;
}

export function mapProfiles(profiles: Fields, change: (profile: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(profiles).map(([name, profile]) => [name, change(profile, name)]));
}

/** The settings with stored secrets in place of the masks whose owner has not changed. */
function unmaskedSettings(sent: SettingsObject, stored: SettingsObject | null): SettingsObject {
  const unmaskedPart = <T extends Fields>(now: T, before: Fields): T =>
    sameButSecrets(now, before) ? unmasked(now, before) : now;
  const { bankProfile, bankProfiles, deviceConnection, ...rest } = sent;
  const { bankProfile: _, bankProfiles: profiles, deviceConnection: connection, ...others } = stored ?? EMPTY_SETTINGS;
  return {
    ...unmaskedPart(rest, others),
    bankProfile,
    bankProfiles: mapProfiles(bankProfiles, (profile, name) => unmaskedProfile(profile, memberOf(profiles, name))),
    deviceConnection: unmaskedPart(deviceConnection, connection),
  };
}

/** The answer until settings were sent. */
export const EMPTY_SETTINGS: SettingsObject = Object.freeze({
  bankProfile: '',
  bankProfiles: {},
  deviceConnection: { connectionType: '' },
});

/** The settings as a till sees them: each secret masked. */
export function maskedSettings({
  bankProfile,
  bankProfiles,
  deviceConnection,
  ...rest
}: SettingsObject): SettingsObject {
  return {
    ...masked(rest),
    bankProfile,
    bankProfiles: mapProfiles(bankProfiles, (profile) => (isFields(profile) ? masked(profile) : profile)),
    deviceConnection: masked(deviceConnection),
  };
}

/** @param stored the settings until now, to replace masks @throws {TerminalError} 400 naming the field */
export function acceptSettings(sent: SettingsObject, stored: SettingsObject | null): Accepted {
  const document = unmaskedSettings(sent, stored);
  const { bankProfile: profileName, bankProfiles, deviceConnection } = document;
  if (!Object.hasOwn(bankProfiles, profileName)) {
    throw TerminalError.of(
      'DriverSettings',
      'MissingBankProfile',
      `settings.bankProfile is "${profileName}", which is not in settings.bankProfiles (${Object.keys(bankProfiles).join(', ') || 'it is empty'})`,
      { field: 'settings.bankProfile' },
    );
  }
  const used = bankProfiles[profileName];
  const profile = validateProfile(profileName, used, {
    wasStored: memberOf(stored?.bankProfiles, profileName) !== undefined,
  });
  const normalised = (each: unknown, name: string) =>
    name === profileName ? normalisedProfile(used as Fields, profile) : each;
  return {
    document: {
      ...document,
      bankProfiles: mapProfiles(bankProfiles, normalised),
      deviceConnection: normalisedConnection(deviceConnection),
    },
    active: { profileName, profile, connection: displayConnection(deviceConnection) },
  };
}

/**
 * As `acceptSettings`, for settings that are sent rather than read from the disk: also refuses fields that would do nothing.
 * @throws {TerminalError} 400 naming the field
 */
export function acceptSent(sent: SettingsObject, stored: SettingsObject | null): Accepted {
  const accepted = acceptSettings(sent, stored);
  const { profileName } = accepted.active;
  refuseIdleFields(profileName, sent.bankProfiles[profileName], memberOf(stored?.bankProfiles, profileName));
  return accepted;
}

/**
 * The settings with another of their profiles in use.
 * @throws {TerminalError} 400 for a profile that is not set up, naming those that are, or that its bank cannot use
 */
export function settingsWith({ document, active }: Accepted, profileName: string): ActiveSettings {
  if (profileName === active.profileName) return active;
  const sent = memberOf(document.bankProfiles, profileName);
  if (sent === undefined) {
    const known = Object.keys(document.bankProfiles).filter(
      (name) => name === active.profileName || validOrNull(name, document.bankProfiles[name]) !== null,
    );
    throw TerminalError.invalid('profile', `is "${profileName}", which is not set up; these are: ${known.join(', ')}`);
  }
  return { ...active, profileName, profile: validateProfile(profileName, sent, { wasStored: false }) };
}

/**
 * A profile to try, as it would be once stored.
 * @param sent null for the stored one @throws {TerminalError} 400 naming the field as if only the profile had been sent
 */
export function profileToTry(name: string, sent: Fields | null, stored: SettingsObject | null): BankProfile {
  const storedProfile = memberOf(stored?.bankProfiles, name);
  if (sent === null && storedProfile === undefined) {
    throw TerminalError.invalid('bankProfile', `is "${name}", which is not set up: send the profile itself`);
  }
  try {
    const whole = sent === null ? storedProfile : unmaskedProfile(withKeptSecrets(sent, storedProfile), storedProfile);
    const profile = validateProfile(name, whole, { wasStored: storedProfile !== undefined });
    refuseIdleFields(name, whole, storedProfile);
    return profile;
  } catch (error) {
    throw error instanceof TerminalError ? error.renameFields(`settings.bankProfiles.${name}`) : error;
  }
}

function validOrNull(name: string, profile: unknown): BankProfile | null {
  try {
    return validateProfile(name, profile, { wasStored: false });
  } catch (error) {
    if (error instanceof TerminalError) return null; // stored as it was sent, and not in use: it was not checked
    throw error;
  }
}

/** A valid profile under the name that it is set up by. */
export type NamedProfile = Pick<ActiveSettings, 'profileName' | 'profile'>;

/** All profiles that their banks could use, the one in use first. */
export function usableProfiles(accepted: Accepted | null): readonly NamedProfile[] {
  if (accepted === null) return [];
  const { document, active } = accepted;
  const others = Object.entries(document.bankProfiles)
    .filter(([name]) => name !== active.profileName)
    .flatMap(([profileName, sent]) => {
      const profile = validOrNull(profileName, sent);
      return profile === null ? [] : [{ profileName, profile }];
    });
  return [active, ...others];
}
