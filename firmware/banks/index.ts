/**
 * The banks: one or two files for each, their common parts, and the client that calls them. This module knows orders, and
 * nothing of payments: `firmware/payments/` asks it for their outcomes.
 */
export {
  type Asking,
  askingOf,
  type BankAdapter,
  FILE_KIND,
  type FileKind,
  identityOf,
  MISSING_HERE,
} from './adapter.ts';
export {
  type Bank,
  BankError,
  type BankErrorCode,
  type BankRef,
  type BankReport,
  type BankVerdict,
  bankMessage,
  type CancelOutcome,
  type CashLink,
  isRefused,
  type OnlineBank,
  type Order,
  type PrintedCode,
  type RefundOrder,
  type RefundReport,
  UNREPORTED,
  UnopenedBank,
} from './bank.ts';
export { type CallLimits, isAllBack } from './bank-calls.ts';
export { bankProblems, type NamedBankHealth, otherBankProblems, watchBank } from './bank-health.ts';
export { BankPool } from './bank-pool.ts';
export { BankTestError, BankTrials, type Trial } from './bank-trials.ts';
export { holderOf } from './certificate-watch.ts';
export type { BanksConfig } from './config.ts';
export { KeptCertificates, MAX_KEPT_BYTES, sealedCertificates } from './kept-certificates.ts';
export { Merchants, sealedMerchants } from './merchants.ts';
export {
  METHOD_NAMES,
  METHODS,
  type PaidBy,
  type Payer,
  type PaymentMethod,
  payerOf,
  storedMethod,
} from './method.ts';
export { type BankHealth, countBanks, gaugeReached, type HearBank, OpenBanks } from './open-banks.ts';
export {
  adapterOf,
  BANKS,
  type BankContext,
  type BankProfile,
  bankByFields,
  bankByName,
  bankList,
  fileKindOf,
  fitBank,
  isForTest,
  isPlayMoney,
  requiredFields,
  requireFittingOrderId,
  SECRET_FIELDS,
} from './registry.ts';
export { kopecksOfRoubles } from './roubles.ts';
