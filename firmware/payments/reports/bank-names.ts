/** Names of banks for people, on paper as on the pages. */

import type { Language } from '../../../drivers/lib/languages.ts';
import { isForTest } from '../../banks/index.ts';
import type { PaymentRow } from '../money/payment-row.ts';

/** Follows the name of a bank whose money is play. */
export const TEST_MARK = ' TEST';

/** The bank of a payment in totals and exports; test payments never count under the real bank's name. */
export const reportedBank = ({ bank, merchant }: Pick<PaymentRow, 'bank' | 'merchant'>): string =>
  isForTest(merchant) ? `${bank}${TEST_MARK}` : bank;

/** Loads the words `bank.*` of the pages when a paper is written. */
export type BankWords = (language: Language) => Promise<Readonly<Record<string, string>>>;

/** The heading of a profile's totals. */
export type ProfileNames = (of: { readonly profile: string; readonly bank: string }) => string;

export const profileNames =
  (words: Awaited<ReturnType<BankWords>>): ProfileNames =>
  ({ profile, bank }) => {
    const mark = bank.endsWith(TEST_MARK) ? TEST_MARK : '';
    const plain = bank.slice(0, bank.length - mark.length);
    const name = `${words[`bank.${plain}`] ?? plain}${mark}`;
    return profile === bank ? name : `${profile} · ${name}`;
  };

/** The name of a bank without a profile. */
export const bankNames = (words: Awaited<ReturnType<BankWords>>): ((bank: string) => string) => {
  const named = profileNames(words);
  return (bank) => named({ profile: bank, bank });
};
