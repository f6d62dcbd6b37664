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
export type { Bank, CashLink, OnlineBank, PrintedCode } from './bank.ts';
export { type CallLimits, isAllBack } from './bank-calls.ts';
export { BankError, type BankErrorCode, bankMessage, isRefused, UnopenedBank } from './bank-error.ts';
export { type BankListener, countBanks, gaugeReachability } from './bank-figures.ts';
export { bankProblems, type NamedBankHealth, otherBankProblems, watchBank } from './bank-health.ts';
export {
  type BankRef,
  type BankReport,
  type BankVerdict,
  type CancelOutcome,
  type Order,
  UNREPORTED,
} from './bank-payment.ts';
export { BankPool } from './bank-pool.ts';
export type { RefundOrder, RefundReport } from './bank-refund.ts';
export { BankTestError, BankTrials, type Trial } from './bank-trials.ts';
export { CertificateStore, MAX_CERTIFICATE_BYTES, sealedCertificates } from './certificate-store.ts';
export { holderOf } from './certificate-watch.ts';
export type { BanksConfig } from './config.ts';
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
export { type BankHealth, OpenBanks } from './open-banks.ts';
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
