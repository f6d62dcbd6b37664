/** Conditions by which payments are found in the ledger: no search reads all of it. */
import { METHOD_NAMES, type PaymentMethod } from '../../banks/index.ts';
import type { Values } from '../../core/book/index.ts';
import { folded } from '../../core/schema/index.ts';
import type { DynamicStatus } from '../model/payment.ts';
import { GIVEN_BACK } from '../model/payment-failures.ts';

/** A search: an undefined field sets no condition. */
export interface PaymentSearch {
  /** The payment's number in the ledger. */
  readonly id?: number | undefined;
  readonly orderId?: string | undefined;
  /** The payment system's id of the code, or the bank's id of the payment. */
  readonly qrcId?: string | undefined;
  /** The payment system's id of the transaction. */
  readonly trxId?: string | undefined;
  /** The till's key of a sale, and the credential that sent it. */
  readonly sale?: { readonly key: string; readonly till: string | null } | undefined;
  /** The till's own name of a sale. */
  readonly reference?: string | undefined;
  /** Part of the purpose, the till's reference or the cashier's name; from six characters on also of an id. */
  readonly text?: string | undefined;
  /** Kopecks. */
  readonly amount?: number | undefined;
  /** When the payment was asked for: ms since 1970, the second timestamp excluded. */
  readonly created?: { readonly from: number; readonly to: number } | undefined;
  /** The state that a till reads. */
  readonly state?: DynamicStatus | undefined;
  /** How it was paid. */
  readonly method?: PaymentMethod | undefined;
  /** True: only payments that a person must look into. */
  readonly late?: boolean | undefined;
  /** Only paid payments without a receipt. */
  readonly receipt?: 'missing' | undefined;
  /** Name of a profile. */
  readonly profile?: string | undefined;
  /** Name of the till's credential. */
  readonly till?: string | undefined;
}

/** The start of the payment system's links; the id of the code follows. */
const LINK = 'https://qr.nspk.ru/';

/** A condition, and the values for its names. */
type Condition = readonly [sql: string, values: Values];

interface SearchSql {
  readonly conditions: readonly string[];
  readonly values: Values;
  /** Whether an index finds the matches; else payments are read one after the other. */
  readonly hasIndex: boolean;
  /** The number of a payment as it stands in the statement. The plus keeps SQLite on the index of the few that are late. */
  readonly number: 'id' | '+id';
}

/** The SQL of a search, and the values for its names. */
export function searchOf(wanted: PaymentSearch): SearchSql {
  const indexed = indexedParts(wanted);
  const parts = [...indexed, ...otherParts(wanted)];
  return {
    conditions: parts.map(([sql]) => sql),
    values: Object.assign({}, ...parts.map(([, values]) => values)),
    hasIndex: indexed.length > 0 || parts.length === 0,
    number: wanted.late === true ? '+id' : 'id',
  };
}

function indexedParts({ id, orderId, qrcId, trxId, sale, reference, late }: PaymentSearch): Condition[] {
  const parts: Condition[] = [];
  if (id !== undefined) parts.push(['id = :id', { id }]);
  if (orderId !== undefined) parts.push(['order_id = :orderId', { orderId }]);
  if (qrcId !== undefined) parts.push(codeOf(qrcId));
  if (trxId !== undefined) parts.push(['trx_id = :trxId', { trxId }]);
  if (sale !== undefined) parts.push(['sale_key = :key AND +till IS :keyTill', { key: sale.key, keyTill: sale.till }]);
  if (reference !== undefined) parts.push(['reference = :reference', { reference }]);
  if (late === true) parts.push(['late = 1', {}]);
  return parts;
}

/**
 * Conditions without an index of their own. The plus keeps SQLite from an index that serves another purpose: by that of
 * `created_at` it would sort all rows of the days.
 */
function otherParts({ text, amount, state, method, receipt, profile, till, created }: PaymentSearch): Condition[] {
  const parts: Condition[] = [];
  if (created !== undefined)
    parts.push(['+created_at >= :from AND +created_at < :to', { from: created.from, to: created.to }]);
  if (text !== undefined) parts.push(textOf(text));
  if (amount !== undefined) parts.push(['amount = :amount', { amount }]);
  if (state !== undefined) parts.push(stateOf(state));
  if (method !== undefined) parts.push([`+state = 'ACCEPTED' AND ${METHOD} = :method`, { method }]);
  if (receipt !== undefined) parts.push([PAID_WITHOUT_RECEIPT, {}]);
  if (profile !== undefined) parts.push(['+profile = :profile', { profile }]);
  if (till !== undefined) parts.push(['+till = :till', { till }]);
  return parts;
}

/** Shortest part of an id to search for: fewer digits occur in nearly all ids. */
const LEAST_OF_ID = 6;
const TEXTS = ['purpose', 'reference', 'cashier'];
const IDS = ['order_id', 'bank_id', 'trx_id'];

const textOf = (text: string): Condition => [
  `instr(folded(concat_ws(char(10), ${(text.length < LEAST_OF_ID ? TEXTS : [...TEXTS, ...IDS]).join(', ')})), :text) > 0`,
  { text: folded(text) },
];

/** The payment method in SQL; unknown where the bank does not name it, or a later release wrote its word. */
export const METHOD = `CASE WHEN method IN ('${METHOD_NAMES.join("', '")}') THEN method ELSE 'unknown' END`;

/**
 * Paid payments without a receipt. They count only from the first receipt of their till: a till that never reports one
 * lacks none.
 */
export const PAID_WITHOUT_RECEIPT = `+state = 'ACCEPTED' AND receipt_at IS NULL AND refunded < amount AND EXISTS (
  SELECT 1 FROM payments AS printed
  WHERE printed.receipt_at IS NOT NULL AND printed.till IS payments.till AND printed.id < payments.id)`;

/**
 * Finds a payment by the bank's id, or by the id in the link of its code: the link ends with it, or a question mark
 * follows (`@` is the next character). With OR SQLite would read all payments.
 */
const codeOf = (qrcId: string): Condition => [
  `id IN (SELECT id FROM payments WHERE bank_id = :qrcId
    UNION ALL SELECT id FROM payments WHERE payload = :link
    UNION ALL SELECT id FROM payments WHERE payload >= :linkFrom AND payload < :linkTo)`,
  { qrcId, link: `${LINK}${qrcId}`, linkFrom: `${LINK}${qrcId}?`, linkTo: `${LINK}${qrcId}@` },
];

const IS_GIVEN_BACK = "(+state = 'ACCEPTED' AND error_category IS :backCategory AND error_code IS :backCode)";
const GIVEN_BACK_VALUES = { backCategory: GIVEN_BACK.category, backCode: GIVEN_BACK.code };

/** The condition for a state. Tills see a payment that was paid and given back as ERROR. */
function stateOf(state: DynamicStatus): Condition {
  if (state === 'ACCEPTED') return [`+state = :state AND NOT ${IS_GIVEN_BACK}`, { state, ...GIVEN_BACK_VALUES }];
  if (state === 'ERROR') return [`(+state = :state OR ${IS_GIVEN_BACK})`, { state, ...GIVEN_BACK_VALUES }];
  return ['+state = :state', { state }];
}
