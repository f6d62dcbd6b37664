/** What people call a bank, on paper as on the pages. */
import type { PageLanguage } from '../../core/http/index.ts';

/** The words `bank.*` of the pages, loaded when a paper is written. */
export type BankWords = (language: PageLanguage) => Promise<Readonly<Record<string, string>>>;

/** Heading of what a profile has taken. */
export type ProfileNames = (of: { readonly profile: string; readonly bank: string }) => string;

export const profileNames =
  (words: Awaited<ReturnType<BankWords>>): ProfileNames =>
  ({ profile, bank }) => {
    const name = words[`bank.${bank}`] ?? bank;
    return profile === bank ? name : `${profile} · ${name}`;
  };
