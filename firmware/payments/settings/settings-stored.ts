/**
 * The settings as they lie on disk. The profile and connection in use, which a support bundle lists, are in the clear but
 * for their secrets. The rest is sealed as it was sent, as it may hold secrets under any name: other profiles, unknown fields.
 */

import Type, { type Static } from 'typebox';
import { type Fields, isFields } from '../../../drivers/lib/strict-json.ts';
import { SECRET_FIELDS } from '../../banks/index.ts';
import { StoreError } from '../../core/files/index.ts';
import { fits, jsonFitting } from '../../core/schema/index.ts';
import type { SealedPart, Sealer } from '../../core/secrets/index.ts';
import { ConnectionSchema } from './connection.ts';
import {
  type Accepted,
  acceptSettings,
  MAX_PROFILE_NAME,
  mapProfiles,
  type SettingsObject,
} from './settings-document.ts';

const name = Type.String({ minLength: 1, maxLength: MAX_PROFILE_NAME });
const StoredInUse = Type.Object(
  {
    bankProfile: Type.String(),
    bankProfiles: Type.Record(name, Type.Record(name, Type.String({ maxLength: 4096 }))),
    deviceConnection: Type.Object(ConnectionSchema.properties, { additionalProperties: false }),
  },
  { additionalProperties: false },
);
type StoredInUse = Static<typeof StoredInUse>;

/** Null until the first update. */
export const StoredSettings = Type.Union([Type.Null(), Type.Object({ settings: StoredInUse, more: Type.String() })]);
export type StoredSettings = Static<typeof StoredSettings>;

/** The content of `more`: the settings as sent, without the part in `settings`. */
const More = Type.Object({
  bankProfiles: Type.Unsafe<Fields>(Type.Object({})),
  deviceConnection: Type.Unsafe<Fields>(Type.Object({})),
});
type More = Static<typeof More>;

/** The purpose under which `more` is sealed. */
const MORE = 'settings/more';

const purposeOf = (profile: string, field: string): string => `profile/${profile}/${field}`;

/** Applies `change` to the secrets of stored profiles, and to nothing else. */
function mapStoredSecrets(
  profiles: StoredInUse['bankProfiles'],
  change: (value: string, purpose: string) => string,
): StoredInUse['bankProfiles'] {
  const changed = Object.entries(profiles).map(([profile, fields]) => {
    const entries = Object.entries(fields).map(([field, value]) => [
      field,
      SECRET_FIELDS.includes(field) ? change(value, purposeOf(profile, field)) : value,
    ]);
    return [profile, Object.fromEntries(entries)];
  });
  return Object.fromEntries(changed);
}

const without = (fields: Fields, known: object): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(known, field)));

function moreOf({ document, active }: Accepted): More {
  const { bankProfile: _, ...sent } = document;
  const used = without(document.bankProfiles[active.profileName] as Fields, active.profile);
  return {
    ...sent,
    bankProfiles: mapProfiles(sent.bankProfiles, (profile, name) => (name === active.profileName ? used : profile)),
    deviceConnection: without(sent.deviceConnection, ConnectionSchema.properties),
  };
}

export function sealedSettings(accepted: Accepted, sealer: Sealer): StoredSettings {
  const { document, active } = accepted;
  const more = moreOf(accepted);
  return {
    settings: {
      bankProfile: active.profileName,
      bankProfiles: mapStoredSecrets({ [active.profileName]: active.profile }, (value, purpose) =>
        sealer.seal(value, purpose),
      ),
      deviceConnection: without(document.deviceConnection, more.deviceConnection) as StoredInUse['deviceConnection'],
    },
    more: sealer.seal(JSON.stringify(more), MORE),
  };
}

/** The sealed parts of a stored document; none of any other document. */
export function sealedParts(stored: unknown): SealedPart[] {
  if (!fits(StoredSettings, stored) || stored === null) return [];
  const parts: SealedPart[] = [
    { sealed: stored.more, purpose: MORE, isFit: (text) => jsonFitting(More, text) !== null },
  ];
  mapStoredSecrets(stored.settings.bankProfiles, (sealed, purpose) => {
    parts.push({ sealed, purpose, isFit: () => true }); // any text may be a password
    return sealed;
  });
  return parts;
}

type Opener = Pick<Sealer, 'open'>;

/** @throws {StoreError} `SEAL_BROKEN` */
function openMore(more: string, sealer: Opener): More {
  const opened = jsonFitting(More, sealer.open(more, MORE));
  if (opened === null) throw new StoreError('SEAL_BROKEN', 'what came with the settings is of another shape');
  return opened;
}

/** All settings as they were sent. @throws {StoreError} `SEAL_BROKEN` */
function openDocument({ settings, more }: NonNullable<StoredSettings>, sealer: Opener): SettingsObject {
  const open = (value: string, purpose: string) => sealer.open(value, purpose);
  const used = mapStoredSecrets(settings.bankProfiles, open);
  const sent = openMore(more, sealer);
  return {
    ...sent,
    ...settings,
    bankProfiles: mapProfiles({ ...sent.bankProfiles, ...used }, (profile, name) => {
      const extraFields = sent.bankProfiles[name];
      return Object.hasOwn(used, name) && isFields(extraFields) ? { ...used[name], ...extraFields } : profile;
    }),
    deviceConnection: { ...settings.deviceConnection, ...sent.deviceConnection },
  };
}

/** @throws {StoreError} `SEAL_BROKEN` @throws {TerminalError} naming the field that cannot be used */
export function openStored(stored: StoredSettings, sealer: Opener): Accepted | null {
  return stored === null ? null : acceptSettings(openDocument(stored, sealer), null);
}
