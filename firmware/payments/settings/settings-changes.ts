/** Names what an update of the settings changed: bank, display and fields by name, and the display's address. */

import { isDeepStrictEqual } from 'node:util';
import { DISPLAY_FIELDS } from '../../../drivers/display/registry.ts';
import { type Fields, isFields } from '../../../drivers/lib/strict-json.ts';
import { beginning } from '../../../drivers/lib/text.ts';
import type { SettingsObject } from './settings-document.ts';

/** Dotted name → its change, in words. */
export type SettingsChanges = Readonly<Record<string, string>>;

/** Longest name that is recorded: a till may send one as long as its body. */
const NAME_CHARACTERS = 64;
const MOST_NAMES = 16;

const nameOf = (value: unknown): string => (typeof value === 'string' ? beginning(value, NAME_CHARACTERS) : 'none');
const bankOf = (profile: unknown): string => nameOf(isFields(profile) ? profile.bankName : null);

/** Fields that say where a display is, those of a wire first. */
const PLACES = [...new Set(DISPLAY_FIELDS.flatMap(({ fields }) => fields))];

function displayOf({ connectionType, ...where }: SettingsObject['deviceConnection']): string {
  const place = PLACES.map((field) => where[field]).find(Boolean) ?? '';
  return `${nameOf(connectionType)} ${nameOf(place)}`.trim();
}

/** Names of the members that differ. */
function changedIn(before: Fields, after: Fields): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

function inWords(names: readonly string[]): string {
  const listed = names.slice(0, MOST_NAMES).map(nameOf);
  const more = names.length - listed.length;
  return `changed: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function profileChange(before: unknown, after: unknown): string {
  if (before === undefined) return `added: ${bankOf(after)}`;
  if (after === undefined) return `removed: ${bankOf(before)}`;
  if (bankOf(before) !== bankOf(after)) return `${bankOf(before)} → ${bankOf(after)}`;
  return isFields(before) && isFields(after) ? inWords(changedIn(before, after)) : 'changed';
}

const NOTHING: SettingsObject = { bankProfile: '', bankProfiles: {}, deviceConnection: { connectionType: 'none' } };

/** @param before null where nothing was set up */
export function settingsChanges(before: SettingsObject | null, after: SettingsObject): SettingsChanges {
  const {
    bankProfile: oldUsed,
    bankProfiles: oldProfiles,
    deviceConnection: oldDisplay,
    ...oldRest
  } = before ?? NOTHING;
  const { bankProfile: used, bankProfiles: profiles, deviceConnection: display, ...rest } = after;
  const changes: Record<string, string> = {};
  if (oldUsed !== used) changes.bankProfile = `${nameOf(oldUsed) || 'none'} → ${nameOf(used)}`;
  const changed = changedIn(oldProfiles, profiles);
  for (const name of changed.slice(0, MOST_NAMES))
    changes[`bankProfiles.${nameOf(name)}`] = profileChange(oldProfiles[name], profiles[name]);
  if (changed.length > MOST_NAMES) changes.bankProfiles = `${changed.length - MOST_NAMES} more`;
  if (displayOf(oldDisplay) !== displayOf(display))
    changes.deviceConnection = `${displayOf(oldDisplay)} → ${displayOf(display)}`;
  else if (!isDeepStrictEqual(oldDisplay, display)) changes.deviceConnection = inWords(changedIn(oldDisplay, display));
  const others = changedIn(oldRest, rest);
  if (others.length > 0) changes.others = inWords(others);
  return changes;
}
