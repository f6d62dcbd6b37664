/**
 * The list of features: without a line here and the feature's folder, all else works. Also what all features add
 * together.
 */
import type { ErrorRecords, ReasonRecords } from '../drivers/lib/records.ts';
import type { Migration } from './core/files/index.ts';
import type { PageRanks } from './core/http/index.ts';
import { backup } from './features/backup/feature.ts';
import { callLog } from './features/call-log/feature.ts';
import { chain } from './features/chain/feature.ts';
import type { Feature } from './features/feature.ts';
import { printedCodes } from './features/printed-codes/feature.ts';
import { receiptCode } from './features/receipt-code/feature.ts';
import { reconciliation } from './features/reconciliation/feature.ts';
import { remote } from './features/remote/feature.ts';
import { scale } from './features/scale/feature.ts';
import { selfTest } from './features/self-test/feature.ts';
import { support } from './features/support/feature.ts';
import { teach } from './features/teach/feature.ts';
import { voice } from './features/voice/feature.ts';
import { webhooks } from './features/webhooks/feature.ts';

export const FEATURES: readonly Feature[] = [
  backup, // seals the device's data in one file
  callLog, // shows programmers of a till the calls that it makes
  chain, // sends payments and metrics to a chain of stores
  printedCodes, // reads the codes that a shop's scales print
  receiptCode, // shows the customer the code of a fiscal receipt
  reconciliation, // compares a bank's file with the ledger
  remote, // opens the chain's remote access for a time
  scale, // shows the recognised items on a screen at the scale
  selfTest, // walks a technician through a new lane
  support, // makes one zip for whoever supports the device
  voice, // says what was paid
  webhooks, // sends events to addresses of the configuration
  teach, // teaches recognition an item
];

/** Migrations of the databases of features and of the sandbox bank, by file name. */
export async function featureDatabases(): Promise<Readonly<Record<string, readonly Migration[]>>> {
  const { SANDBOX_MIGRATIONS } = await import('./tools/sandbox-bank/payments.ts');
  const all = FEATURES.flatMap(({ databases }) => Object.entries(databases ?? {}));
  const loaded = await Promise.all(all.map(async ([name, load]) => [name, await load()] as const));
  return { ...Object.fromEntries(loaded), 'sandbox.db': SANDBOX_MIGRATIONS };
}

/** The lowest rank that may see each page, of all features. */
export const FEATURE_PAGES: PageRanks = Object.assign({}, ...FEATURES.map(({ pages }) => pages));
/** Error codes of the calls of all features. */
export const FEATURE_ERRORS: ErrorRecords = Object.assign({}, ...FEATURES.map(({ errors }) => errors));
/** Reasons of all features in `/health`. */
export const FEATURE_REASONS: ReasonRecords = Object.assign({}, ...FEATURES.map(({ reasons }) => reasons));
