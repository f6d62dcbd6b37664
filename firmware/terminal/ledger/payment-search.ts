/** By what payments are found in the ledger: each way has an index, so that none reads it as a whole. */

export interface PaymentSearch {
  /** The number of the ledger. */
  readonly id?: number;
  readonly orderId?: string;
  /** The payment system's id of the code, or the bank's id of the payment. */
  readonly qrcId?: string;
  /** The payment system's id of the transaction. */
  readonly trxId?: string;
  /** Kopecks. */
  readonly amount?: number;
  /** When it was asked for: ms since 1970, the second moment excluded. */
  readonly created?: { readonly from: number; readonly to: number };
}

/** What the payment system's links begin with, before the id of the code. */
const LINK = 'https://qr.nspk.ru/';

/** A condition, and the values that it names. */
type Part = readonly [sql: string, values: Readonly<Record<string, string | number>>];

interface SearchSql {
  readonly conditions: readonly string[];
  readonly values: Readonly<Record<string, string | number>>;
}

/** Conditions of SQL, and the values that they name. */
export function searchOf({ id, orderId, qrcId, trxId, amount, created }: PaymentSearch): SearchSql {
  const parts: Part[] = [];
  if (id !== undefined) parts.push(['id = :id', { id }]);
  if (orderId !== undefined) parts.push(['order_id = :orderId', { orderId }]);
  if (qrcId !== undefined) parts.push(codeOf(qrcId));
  if (trxId !== undefined) parts.push(['trx_id = :trxId', { trxId }]);
  if (amount !== undefined) parts.push(['amount = :amount', { amount }]);
  if (created !== undefined) {
    parts.push(['created_at >= :from AND created_at < :to', { from: created.from, to: created.to }]);
  }
  return { conditions: parts.map(([sql]) => sql), values: Object.assign({}, ...parts.map(([, values]) => values)) };
}

/** A link goes on with a question mark behind its id. */
const codeOf = (qrcId: string): Part => [
  '(bank_id = :qrcId OR (payload >= :linkFrom AND payload < :linkTo))',
  { qrcId, linkFrom: `${LINK}${qrcId}?`, linkTo: `${LINK}${qrcId}@` },
];
