/** Bank profiles as a till sends them: names forgiven, fields checked, masked secrets filled in from what is stored. */
import { problemsWith } from '../schema.ts';
import { type BuiltInBank, bankNameByFields, canonicalBankName } from './banks/bank-names.ts';
import { type BankProfile, IDENTITY_FIELDS, PROFILE_SCHEMAS, REQUIRED_FIELDS, SECRET_FIELDS } from './banks/profile.ts';
import { type ErrorMember, TerminalError } from './errors.ts';

/** Stands for a secret in answers; sent back, it keeps the stored one. */
export const MASK = '<PASSWORD>';

export type SentProfile = Readonly<Record<string, string>>;

const MISSING_OF_CFT: Readonly<Record<string, ErrorMember<'CFTBankSettings'>>> = {
  accAlias: 'MissingAccAlias',
  extEntityId: 'MissingExtEntityId',
  merchantId: 'MissingMerchantId',
  password: 'MissingPassword',
};

const at = (name: string, field: string): string => `settings.bankProfiles.${name}.${field}`;

function missing(bank: BuiltInBank, path: string, field: string): TerminalError {
  const must = `is required for a profile of ${bank}`;
  const ofCft = bank === 'CFT' ? MISSING_OF_CFT[field] : undefined;
  if (ofCft !== undefined) return TerminalError.of(400, 'CFTBankSettings', ofCft, `${path} ${must}`);
  if (bank === 'Static') return TerminalError.of(400, 'StaticBankSettings', 'MissingStaticQR', `${path} ${must}`);
  return TerminalError.invalid(path, must);
}

function bankOf(name: string, profile: SentProfile): BuiltInBank {
  const path = at(name, 'bankName');
  const sent = profile.bankName;
  if (sent === undefined) throw TerminalError.invalid(path, 'is required: Static, CFT or Sandbox');
  const verdict = canonicalBankName(sent);
  if (verdict !== null && 'name' in verdict) return verdict.name;
  if (verdict !== null) {
    throw TerminalError.of(
      400,
      'DriverSettings',
      'BankIsNotBuiltIn',
      `${path}: ${verdict.notBuiltIn} is not built into this driver yet; Static and CFT are`,
    );
  }
  const guessed = bankNameByFields(profile);
  if (guessed !== null) return guessed;
  throw TerminalError.of(
    400,
    'DriverSettings',
    'UnknownBank',
    `${path} is "${sent}", a bank that this driver does not know; Static and CFT are built in`,
  );
}

/** Fields that only profiles of other kinds have: tills send them along, empty or not, and they mean nothing here. */
function isOfAnotherKind(bank: BuiltInBank, field: string): boolean {
  if (field in PROFILE_SCHEMAS[bank].properties) return false;
  return Object.values(PROFILE_SCHEMAS).some(({ properties }) => field in properties);
}

function unmask(name: string, bank: BuiltInBank, profile: SentProfile, stored: BankProfile | undefined): SentProfile {
  const before: Readonly<Record<string, unknown>> = stored ?? {};
  const same = stored?.bankName === bank && IDENTITY_FIELDS[bank].every((field) => before[field] === profile[field]);
  return Object.fromEntries(
    Object.entries(profile).map(([field, value]) => {
      if (value !== MASK || !SECRET_FIELDS.includes(field)) return [field, value];
      const kept = before[field];
      if (same && typeof kept === 'string') return [field, kept];
      const why =
        stored === undefined ? 'no profile of this name is stored' : 'the bank or the ids of the profile have changed';
      throw TerminalError.invalid(
        at(name, field),
        `is ${MASK}, which stands for the stored secret, but ${why}: send the secret itself`,
      );
    }),
  );
}

/**
 * @param stored the profile of this name as it is now, for masked secrets
 * @throws {TerminalError} 400 naming the field
 */
export function acceptProfile(name: string, sent: SentProfile, stored: BankProfile | undefined): BankProfile {
  const bank = bankOf(name, sent);
  const own = Object.fromEntries(Object.entries(sent).filter(([field]) => !isOfAnotherKind(bank, field)));
  const gap = REQUIRED_FIELDS[bank].find((field) => own[field] === undefined || own[field] === '');
  if (gap !== undefined) throw missing(bank, at(name, gap), gap);
  const profile = { ...unmask(name, bank, own, stored), bankName: bank };
  const [problem] = problemsWith(PROFILE_SCHEMAS[bank], profile);
  if (problem !== undefined) throw TerminalError.invalid(at(name, problem.field), problem.must);
  return profile as BankProfile;
}

/** Applies `change` to the secrets of a profile, and to nothing else. */
export function mapSecrets(
  profile: Readonly<Record<string, string>>,
  change: (value: string, field: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(profile).map(([field, value]) => [
      field,
      SECRET_FIELDS.includes(field) ? change(value, field) : value,
    ]),
  );
}
