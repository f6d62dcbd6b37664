/** The banks that conform, as a till sets them up beside a sandbox bank that speaks their interfaces. */
import type { BankProfile } from '../../../firmware/terminal/banks/registry.ts';
import { profileOf } from '../banks/profiles.ts';

/** Where the sandbox bank is. */
export interface BankAddress {
  readonly url: string;
  /** For the files that its profile names. */
  readonly folder: string;
}

export interface ConformingBank {
  readonly title: string;
  readonly profile: (address: BankAddress) => BankProfile;
  /** Minutes that a code lives. */
  readonly ttl: number;
  /** Whether a lost answer leaves one payment: it is found, or the repeated call is answered with the same. */
  readonly findsLost: boolean;
}

const bank = (title: string, can: Partial<ConformingBank> = {}): ConformingBank => ({
  title,
  profile: ({ url, folder }) => profileOf(title, url, folder),
  ...{ ttl: 5, findsLost: true },
  ...can,
});

const RBS = ['Alfa Bank', 'Sber', 'VTB', 'MTS Bank'];
export const RAIFFEISENBANK = bank('Raiffeisenbank', { findsLost: false });
const ALL_BANKS: readonly ConformingBank[] = [
  bank('CFT'),
  ...RBS.map((name) => bank(name)),
  bank('Alfa Bank Token', { findsLost: false }),
  bank('Tinkoff'),
  RAIFFEISENBANK,
  bank('YooKassa', { ttl: 60 }),
  bank('Gazprombank', { findsLost: false }),
];

/** Banks of a gateway that another one stands for: what differs is their profiles, which `bank-trials.test.ts` tries. */
const TWINS = RBS.slice(1);
/** One of each interface, or the one that is asked for: `BANK=YooKassa`. */
export const CONFORMING = ALL_BANKS.filter(({ title }) =>
  process.env.BANK === undefined ? !TWINS.includes(title) : title === process.env.BANK,
);
