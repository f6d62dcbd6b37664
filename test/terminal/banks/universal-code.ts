/** Each bank that is asked over HTTP, opened from its whole profile, at the end of a wire with its book behind: for tables of all banks. */
import type { OnlineBank } from '../../../firmware/banks/bank.ts';
import { BANKS, openBank } from '../../../firmware/banks/registry.ts';
import { BankBooks, onBank, type WireRig } from './contract.ts';
import { gatewaysOf, introduce, profileOf } from './profiles.ts';
import { withFolder } from './support.ts';

/** Without an address of their own. */
const NOT_ASKED: readonly string[] = ['Static', 'Sandbox'];
export const ASKED_BANKS: readonly string[] = BANKS.map(({ name }) => name)
  .filter((name) => !NOT_ASKED.includes(name))
  .flatMap(gatewaysOf);

export type TableRig = WireRig<BankBooks, OnlineBank>;

/** @param fields of the profile, beside those that it must have */
export const withBank = (
  name: string,
  work: (rig: TableRig) => Promise<void>,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> =>
  withFolder((folder) =>
    onBank(
      BankBooks,
      (path) => path,
      async (url, log, books) => {
        introduce(books);
        const profile = { ...profileOf(name, url, folder), ...fields };
        const bank = await openBank(profile, { cftBaseUrl: null, sandboxBaseUrl: null, log });
        if (bank.kind !== 'online') throw new Error(`${name} is asked nothing`);
        return bank;
      },
      work,
    ),
  );
