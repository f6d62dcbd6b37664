/** The banks that conform, each that is asked over HTTP, as a till sets them up beside a sandbox bank that speaks their interfaces. */
import type { BankAdapter } from '../../../firmware/banks/adapter.ts';
import { adapterOf, BANKS, type BankProfile } from '../../../firmware/banks/registry.ts';
import { gatewaysOf, profileOf } from '../banks/profiles.ts';

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

/** Minutes, where a till may ask for any. */
const TTL = 5;
/** They repeat the answer to the same idempotency key. CFT's adapter does not count on it. */
const REPEATING = ['CFT', 'YooKassa'];

const conforming = ({ name, capabilities: { ttl, findsOrders } }: BankAdapter, title = name): ConformingBank => ({
  title,
  profile: ({ url, folder }) => profileOf(title, url, folder),
  ttl: 'fixed' in ttl ? ttl.fixed : TTL,
  findsLost: findsOrders || REPEATING.includes(name),
});

export const RAIFFEISENBANK = conforming(adapterOf('Raiffeisenbank'));
const NOT_ASKED = ['Static', 'Sandbox'];
const ALL_BANKS = BANKS.filter(({ name }) => !NOT_ASKED.includes(name)).flatMap((bank) =>
  gatewaysOf(bank.name).map((title) => conforming(bank, title)),
);

/** Banks of a gateway that Alfa Bank stands for: what differs is their profiles, which `bank-trials.test.ts` tries. */
const TWINS = ['Sber', 'VTB', 'MTS Bank'];
const { BANK } = process.env;
/** One of each interface, or the one that is asked for: `BANK=YooKassa`. */
export const CONFORMING = ALL_BANKS.filter(({ title }) =>
  BANK === undefined ? !TWINS.includes(title) : title === BANK,
);
if (CONFORMING.length === 0)
  throw new Error(`no bank is called ${BANK}: ${ALL_BANKS.map(({ title }) => title).join(', ')}`);
