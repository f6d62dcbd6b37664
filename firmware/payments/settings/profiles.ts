/**
 * Bank profiles as a till sends them. Only the profile in use is validated: spelling of its bank forgiven, fields
 * checked.
 */

import { type Fields, isFields } from '../../../drivers/lib/strict-json.ts';
import {
  adapterOf,
  type BankAdapter,
  type BankProfile,
  bankByFields,
  bankByName,
  bankList,
  identityOf,
  requiredFields,
  SECRET_FIELDS,
} from '../../banks/index.ts';
import { absenceInWords, problemsWith } from '../../core/schema/index.ts';
import { TerminalError } from '../model/terminal-error.ts';
import { MASK, sameButSecrets, unmasked } from './settings-secrets.ts';

const pathOf = (name: string, field: string): string => `settings.bankProfiles.${name}.${field}`;

function missing(bank: BankAdapter, path: string, field: string): TerminalError {
  const must = absenceInWords(bank.schema, field, ` for a profile of ${bank.name}`);
  const { settingsErrors } = bank;
  return settingsErrors === undefined
    ? TerminalError.invalid(path, must)
    : TerminalError.missing(settingsErrors, field, path, must);
}

function bankOf(name: string, profile: Fields): BankAdapter {
  const path = pathOf(name, 'bankName');
  const sent = profile.bankName;
  if (sent === undefined) throw TerminalError.invalid(path, `is required: ${bankList('or', { includesPlay: true })}`);
  if (typeof sent !== 'string') throw TerminalError.invalid(path, 'must be string');
  const named = bankByName(sent);
  if (named !== null) return named;
  const guessed = bankByFields(profile);
  if (guessed !== null) return guessed;
  throw TerminalError.of(
    'DriverSettings',
    'UnknownBank',
    `${path} is "${sent}", a bank that this driver does not know; ${bankList('and', { includesPlay: false })} are built in`,
    { field: path },
  );
}

/** The bank of a profile that is not validated; null where none of ours is meant. */
function bankMeant(profile: Fields): BankAdapter | null {
  try {
    return bankOf('', withoutBlanks(profile));
  } catch (error) {
    if (error instanceof TerminalError) return null;
    throw error;
  }
}

/** A profile without null or empty fields, which mean absent: a till sends its whole form. */
const withoutBlanks = (profile: Fields): Fields =>
  Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== null && value !== ''));

/** A profile with the bank's own field names; where a field came under two names, the bank's own counts. */
function ownNames({ fieldAliases = {} }: BankAdapter, profile: Fields): Fields {
  const given = withoutBlanks(profile);
  const renamed = Object.entries(fieldAliases).filter(([alias]) => given[alias] !== undefined);
  const added = Object.fromEntries(renamed.map(([alias, field]) => [field, given[field] ?? given[alias]]));
  return { ...profile, ...added };
}

/** Whether two profiles pay the same shop in the same way: only then does a mask stand for the stored secret. */
function sameIdentity(sent: Fields, stored: Fields): boolean {
  const bank = bankMeant(sent);
  if (bank !== bankMeant(stored)) return false;
  if (bank === null) return sameButSecrets(sent, stored);
  const now = withoutBlanks(ownNames(bank, sent));
  const before = withoutBlanks(ownNames(bank, stored));
  return identityOf(bank).every((field) => now[field] === before[field]);
}

/** A profile with stored secrets in place of masks; as it was sent where it is no object, or is of another shop now. */
export function unmaskedProfile(sent: unknown, stored: unknown): unknown {
  return isFields(sent) && isFields(stored) && sameIdentity(sent, stored) ? unmasked(sent, stored) : sent;
}

/** A profile with a mask for each stored secret that it leaves out: a form never has secrets. */
export function withKeptSecrets(sent: unknown, stored: unknown): unknown {
  if (!isFields(sent) || !isFields(stored) || !sameIdentity(sent, stored)) return sent;
  const given = withoutBlanks(sent);
  const kept = (bankMeant(stored)?.secretFields ?? []).filter(
    (field) => given[field] === undefined && Object.hasOwn(stored, field),
  );
  return { ...sent, ...Object.fromEntries(kept.map((field) => [field, MASK])) };
}

function isFilledIn(bank: BankAdapter, field: string, profile: Fields): boolean {
  if (profile[field] === '') return bank.mayBeBlank?.(field, profile) ?? false;
  return profile[field] !== undefined;
}

/** The fields of its bank in a profile, without optional blank ones. */
function fieldsOf(bank: BankAdapter, profile: Fields): Fields {
  const required = requiredFields(bank);
  const known = Object.keys(bank.schema.properties).filter((field) => Object.hasOwn(profile, field));
  const filled = known.filter(
    (field) => profile[field] !== null && (profile[field] !== '' || required.includes(field)),
  );
  return Object.fromEntries(filled.map((field) => [field, profile[field]]));
}

/**
 * The profile in use, with only the fields that its bank knows.
 * @param wasStored whether a profile of this name was stored, to judge a mask without a secret
 * @throws {TerminalError} 400 naming the field
 */
export function validateProfile(
  name: string,
  sent: unknown,
  { wasStored }: { readonly wasStored: boolean },
): BankProfile {
  if (!isFields(sent)) throw TerminalError.invalid(`settings.bankProfiles.${name}`, 'must be object');
  const bank = bankOf(name, withoutBlanks(sent));
  const fields = fieldsOf(bank, ownNames(bank, sent));
  const missingField = requiredFields(bank).find((field) => !isFilledIn(bank, field, fields));
  if (missingField !== undefined) throw missing(bank, pathOf(name, missingField), missingField);
  const maskedField = Object.keys(fields).find((field) => fields[field] === MASK && SECRET_FIELDS.includes(field));
  if (maskedField !== undefined) {
    const why = wasStored ? 'the bank or the ids of the profile have changed' : 'no profile of this name is stored';
    throw TerminalError.invalid(
      pathOf(name, maskedField),
      `is ${MASK}, which stands for the stored secret, but ${why}: send the secret itself`,
      { parameters: { reason: 'secret-again' } },
    );
  }
  const profile = { ...fields, bankName: bank.name };
  const [problem] = problemsWith(bank.schema, profile);
  if (problem !== undefined) throw TerminalError.invalid(pathOf(name, problem.field), problem.must);
  return profile as BankProfile;
}

/** Fields on which a shop relies, and what a bank without them does instead. */
const RELIED_ON: Readonly<Record<string, string>> = {
  cashLink: 'each sale gets a code of its own',
  subscriptionPurpose: 'each sale is paid by itself',
  paymentMethods: 'the bank decides what a code may be paid by',
};

/**
 * Refuses unknown fields that a shop would rely on in vain; other unknown fields are stored as they came.
 * @param stored the same profile until now: a field that it has already must not stop a lane that sells
 * @throws {TerminalError} 400 naming the field
 */
export function refuseIdleFields(name: string, sent: unknown, stored: unknown): void {
  if (!isFields(sent)) return;
  const given = withoutBlanks(sent);
  const bank = bankOf(name, given);
  const before = isFields(stored) && bankMeant(stored) === bank ? stored : {};
  for (const [field, instead] of Object.entries(RELIED_ON)) {
    if (given[field] === undefined || given[field] === before[field]) continue;
    if (Object.hasOwn(bank.schema.properties, field)) continue;
    throw TerminalError.invalid(pathOf(name, field), `is not offered at ${bank.name}, where ${instead}: leave it out`);
  }
}

/** A valid profile as a till sees it: as it came, except for its bank's spelling and blank fields. */
export function normalisedProfile(sent: Fields, valid: BankProfile): Fields {
  const known = adapterOf(valid.bankName).schema.properties;
  const kept = Object.entries(sent).filter(([field]) => !Object.hasOwn(known, field) || Object.hasOwn(valid, field));
  return { ...Object.fromEntries(kept), bankName: valid.bankName };
}
