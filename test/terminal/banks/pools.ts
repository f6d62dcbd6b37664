/** What pools of banks are opened with in tests. */

import type { Bank } from '../../../firmware/banks/bank.ts';
import type { BankPool } from '../../../firmware/banks/bank-pool.ts';
import { OpenBanks } from '../../../firmware/banks/open-banks.ts';
import { type BankContext, type BankProfile, merchantOf } from '../../../firmware/banks/registry.ts';
import { Sealer } from '../../../firmware/core/secrets/sealer.ts';

/** A device that knows of no bank by itself. */
export const NOWHERE: BankContext = { cftBaseUrl: null, sandboxBaseUrl: null };
export const SEALER = new Sealer(Buffer.alloc(32, 7));

type Given = ConstructorParameters<typeof BankPool>;

/** @param find the profiles of a merchant */
export const poolOf = (
  clock: Given[1],
  find: Given[2]['find'],
  opened = new OpenBanks(NOWHERE),
  log?: Given[3],
): Given => [opened, clock, { of: (profile) => merchantOf(profile, NOWHERE), find }, log];

/** The banks that a test opens in its own way. */
export class TestBanks extends OpenBanks {
  override readonly open: (profile: BankProfile) => Promise<Bank>;

  constructor(open: (profile: BankProfile) => Promise<Bank>) {
    super(NOWHERE);
    this.open = open;
  }
}
