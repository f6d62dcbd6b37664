/** What pools of banks are opened with in tests. */

import type { BankPool } from '../../../firmware/banks/bank-pool.ts';
import { type BankContext, merchantOf } from '../../../firmware/banks/registry.ts';
import { Sealer } from '../../../firmware/core/secrets/sealer.ts';

/** A device that knows of no bank by itself. */
export const NOWHERE: BankContext = { cftBaseUrl: null, sandboxBaseUrl: null };
export const SEALER = new Sealer(Buffer.alloc(32, 7));

type Given = ConstructorParameters<typeof BankPool>;

/** @param find the profiles of a merchant */
export const poolOf = (clock: Given[1], find: Given[2]['find'], context = NOWHERE): Given => [
  context,
  clock,
  { of: (profile) => merchantOf(profile, context), find },
];
