/** Names of banks: the spellings that people and other drivers use, and the one that we answer with. */
import type { BankAdapter } from './adapter.ts';
import { BANKS } from './registry.ts';

/**
 * Banks of the drivers of this family that have no adapter here yet, with other spellings: refused by name, so that nobody has
 * to guess.
 */
export const BANKS_NOT_BUILT_IN = {
  'Alfa Bank': ['alfa'],
  Gazprombank: ['gpb'],
  Raiffeisenbank: ['raiffeisen'],
  Tinkoff: ['tinkoffbank', 'tbank'],
  YooKassa: [],
} as const;

export type BankNameVerdict = { readonly bank: BankAdapter } | { readonly notBuiltIn: string };

const fold = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');

const verdicts = new Map<string, BankNameVerdict>();
for (const [notBuiltIn, aliases] of Object.entries(BANKS_NOT_BUILT_IN)) {
  for (const alias of [notBuiltIn, ...aliases]) verdicts.set(fold(alias), { notBuiltIn });
}
// last: one that has been built in since is no longer refused
for (const bank of BANKS) for (const alias of [bank.name, ...bank.aliases]) verdicts.set(fold(alias), { bank });

/** Forgives case, spaces, hyphens, underscores and aliases; null for a name that nobody is known by. */
export function canonicalBankName(text: string): BankNameVerdict | null {
  return verdicts.get(fold(text)) ?? null;
}

/** The bank of a profile whose bankName says nothing to us, by the fields that only this bank has. */
export function bankByFields(profile: Readonly<Record<string, unknown>>): BankAdapter | null {
  const banks: readonly BankAdapter[] = BANKS;
  return banks.find(({ tellingFields = [] }) => tellingFields.some((field) => profile[field] !== undefined)) ?? null;
}

/** `A, B and C`, of the banks that a sentence offers. @param includePlay also those without money */
export function bankList(conjunction: 'and' | 'or', includePlay: boolean): string {
  const banks: readonly BankAdapter[] = BANKS;
  const names = banks.filter(({ isPlay = false }) => includePlay || !isPlay).map(({ name }) => name);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`;
}
