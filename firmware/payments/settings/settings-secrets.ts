/**
 * Finds secrets in settings by the names of fields, known to us or not. In answers a mask stands for a secret; the
 * mask, sent back, stands for the stored secret while its owner stays the same.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Fields, isFields, memberOf } from '../../../drivers/lib/strict-json.ts';
import { SECRET_FIELDS } from '../../banks/index.ts';

/** Stands for a secret in answers; sent back, it stands for the stored one. */
export const MASK = '<PASSWORD>';

/** Words in the names of secrets, also of banks that are not built in, ignoring case, hyphens and underscores. */
const SECRET =
  /passw|passphrase|passcode|pwd|secret|token|privatekey|apikey|accesskey|credential|pairingcode|пароль|(?:pin|pincode|pass|authorization|cookie|пин|пинкод)(?![a-zа-я])/;

const folded = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');
const isSecretName = (name: string): boolean => SECRET_FIELDS.includes(name) || SECRET.test(folded(name));

const FOLDED_FIELDS = SECRET_FIELDS.map(folded);

/** Whether a text that is not parsed, or cut, may hold a secret. */
export function mayHoldSecret(text: string): boolean {
  const plain = folded(text);
  return SECRET.test(plain) || FOLDED_FIELDS.some((name) => plain.includes(name));
}

/**
 * The value with each of its secrets changed, at any depth.
 * @param before another value of the same shape: `change` also gets what stands in the secret's place there
 * @param change returns `undefined` to leave the secret out
 */
function mapSecrets(value: unknown, before: unknown, change: (secret: unknown, before: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => mapSecrets(entry, memberOf(before, index), change));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, entry]) => {
    const was = memberOf(before, name);
    return [name, isSecretName(name) && entry !== null ? change(entry, was) : mapSecrets(entry, was, change)] as const;
  });
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

/** The fields with each secret masked. */
export const masked = <T extends Fields>(fields: T): T => mapSecrets(fields, undefined, () => MASK) as T;

/** The fields with stored secrets in place of masks; a mask without a stored secret stays. */
export const unmasked = <T extends Fields>(fields: T, stored: unknown): T =>
  mapSecrets(fields, stored, (secret, before) => (secret === MASK && before !== undefined ? before : secret)) as T;

/** Whether two values differ in nothing but secrets. */
export function sameButSecrets(one: unknown, other: unknown): boolean {
  const open = (value: unknown): unknown => mapSecrets(value, undefined, () => undefined);
  return isDeepStrictEqual(open(one), open(other));
}
