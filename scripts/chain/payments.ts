/**
 * Payments of all stores as they lie at the hub, for reconciliation: the newest state of each, by its order id. Stores send
 * at least once, and hardly in order where the line was cut; a device's events are distinguished, and put in order, by their numbers.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import Type, { type Static } from 'typebox';
import { PAYMENT } from '../../firmware/chain/payment-stream.ts';
import { EVENTS, upAtHub } from '../../firmware/chain/subjects.ts';
import { type Cell, CSV_BOM, csvRow } from '../../firmware/store/csv.ts';
import { fits } from '../../firmware/store/schema.ts';
import { decodePart } from '../../firmware/sync/centre/subjects.ts';
import { PaymentAnswer } from '../../firmware/terminal/http/payment-schemas.ts';
import { readAll } from './stored.ts';

const ACCOUNT_AT = 1;
const DEVICE_AT = 3;

const EventSchema = Type.Object({ number: Type.Integer(), payment: PaymentAnswer });
const GapSchema = Type.Object({ number: Type.Integer(), type: Type.Literal('gap'), after: Type.Integer() });

/** A payment, as its device reported it last. */
interface ReportedPayment {
  readonly account: string;
  readonly serial: string;
  /** Of the event that reported it. */
  readonly number: number;
  readonly payment: Static<typeof PaymentAnswer>;
}

/** Events that a device let go before the chain had them: what they reported is only in its ledger. */
interface Gap {
  readonly account: string;
  readonly serial: string;
  readonly after: number;
  readonly upTo: number;
}

export class PaymentFold {
  readonly gaps: Gap[] = [];
  /** Messages that are no word of a device of this release or one before. */
  unread = 0;
  readonly #payments = new Map<string, ReportedPayment>();

  get payments(): readonly ReportedPayment[] {
    return [...this.#payments.values()];
  }

  take(subject: string, data: Uint8Array): void {
    const words = subject.split('.');
    const [account, part] = [words[ACCOUNT_AT], words[DEVICE_AT]];
    const serial = part === undefined ? null : decodePart(part);
    const said = jsonOf(data);
    if (account === undefined || serial === null) this.unread += 1;
    else if (fits(GapSchema, said)) this.gaps.push({ account, serial, after: said.after, upTo: said.number });
    else if (fits(EventSchema, said)) this.#keep({ account, serial, number: said.number, payment: said.payment });
    else this.unread += 1;
  }

  #keep(reported: ReportedPayment): void {
    // an order id is the device's own: a device of another store could have made up the same
    const key = `${reported.account} ${reported.serial} ${reported.payment.id}`;
    const known = this.#payments.get(key);
    if (known === undefined || known.number < reported.number) this.#payments.set(key, reported);
  }
}

function jsonOf(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString());
  } catch {
    return null; // counted by the caller
  }
}

interface Wanted {
  /** Public key of the account of a store; null: of all. */
  readonly account: string | null;
  /** ms since 1970, by the clock of the hub; null: all that it keeps. */
  readonly since: number | null;
  /** Where a reader asks. */
  readonly api?: string | undefined;
}

/** Reads what lies at the hub at this moment. @throws the library's error */
export async function readPayments(connection: NatsConnection, { account, since, api }: Wanted): Promise<PaymentFold> {
  const fold = new PaymentFold();
  const filter = upAtHub(account ?? '*', `event.*.${PAYMENT}`);
  await readAll(connection, { stream: EVENTS, filter, since, api }, ({ subject, data }) => fold.take(subject, data));
  return fold;
}

const COLUMNS = [
  ['order_id', ({ payment }) => payment.id],
  ['number', ({ payment }) => payment.number],
  ['state', ({ payment }) => payment.state],
  ['amount_kopecks', ({ payment }) => payment.amount],
  ['refunded_kopecks', ({ payment }) => payment.refunded],
  ['created_at', ({ payment }) => payment.createdAt],
  ['ended_at', ({ payment }) => payment.endedAt],
  ['paid_at', ({ payment }) => payment.paidAt],
  ['bank', ({ payment }) => payment.bank],
  ['profile', ({ payment }) => payment.profile],
  ['bank_id', ({ payment }) => payment.qrcId],
  ['trx_id', ({ payment }) => payment.trxId],
  ['late', ({ payment }) => (payment.late ? 'yes' : 'no')],
  ['till', ({ payment }) => payment.till],
  ['reference', ({ payment }) => payment.reference],
  ['purpose', ({ payment }) => payment.purpose],
] as const satisfies readonly (readonly [name: string, value: (reported: ReportedPayment) => Cell])[];

export const PAYMENTS_HEAD = CSV_BOM + csvRow(['store', 'device', ...COLUMNS.map(([name]) => name)]);

export const paymentLine = (reported: ReportedPayment, store: string): string =>
  csvRow([store, reported.serial, ...COLUMNS.map(([, value]) => value(reported))]);
