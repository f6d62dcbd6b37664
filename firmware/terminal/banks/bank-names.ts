/** Names of banks: the spellings that people and other drivers use, and the one that we answer with. */

export const BUILT_IN_BANKS = ['Static', 'CFT', 'Sandbox'] as const;
export type BuiltInBank = (typeof BUILT_IN_BANKS)[number];

/** Banks of the drivers of this family that have no adapter here yet: refused by name, so that nobody has to guess. */
export const BANKS_NOT_BUILT_IN = ['Alfa Bank', 'Gazprombank', 'Raiffeisenbank', 'Tinkoff', 'YooKassa'] as const;
export type BankNotBuiltIn = (typeof BANKS_NOT_BUILT_IN)[number];

export type BankNameVerdict = { readonly name: BuiltInBank } | { readonly notBuiltIn: BankNotBuiltIn };

/** Other spellings, in the form that {@link fold} gives. */
const ALIASES: { readonly [Bank in BuiltInBank | BankNotBuiltIn]: readonly string[] } = {
  Static: ['staticqr'],
  CFT: ['цфт'],
  Sandbox: ['sandboxbank'],
  'Alfa Bank': ['alfa'],
  Gazprombank: ['gpb'],
  Raiffeisenbank: ['raiffeisen'],
  Tinkoff: ['tinkoffbank', 'tbank'],
  YooKassa: [],
};

const fold = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');

const verdicts = new Map<string, BankNameVerdict>();
for (const name of BUILT_IN_BANKS) for (const alias of [name, ...ALIASES[name]]) verdicts.set(fold(alias), { name });
for (const notBuiltIn of BANKS_NOT_BUILT_IN) {
  for (const alias of [notBuiltIn, ...ALIASES[notBuiltIn]]) verdicts.set(fold(alias), { notBuiltIn });
}

/** Forgives case, spaces, hyphens, underscores and aliases; null for a name that nobody is known by. */
export function canonicalBankName(text: string): BankNameVerdict | null {
  return verdicts.get(fold(text)) ?? null;
}

/** The kind of a profile whose bankName says nothing to us, by the fields that only this kind has. */
export function bankNameByFields(profile: Readonly<Record<string, unknown>>): 'Static' | 'CFT' | null {
  if (profile.staticQR !== undefined) return 'Static';
  if (profile.accAlias !== undefined || profile.extEntityId !== undefined) return 'CFT';
  return null;
}
