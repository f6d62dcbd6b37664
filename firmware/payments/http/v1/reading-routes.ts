/** Calls that find payments, read one, and wait for its change. */

import type { FastifyInstance } from 'fastify';
import { beforeOf, mayReach, type Requester, requesterOf } from '../../../core/http/index.ts';
import { absenceInWords } from '../../../core/schema/index.ts';
import { localDay } from '../../model/local-day.ts';
import { notFound, ofOtherLane, reportedState } from '../../model/payment-failures.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { PaymentSearch } from '../../money/payment-search.ts';
import { paymentIn } from '../../service/outcome/payment-waits.ts';
import type { Terminal } from '../../terminal.ts';
import { isReadByPerson } from '../caller.ts';
import { PAGES, PaymentPath } from './fields.ts';
import { presentAnswer } from './payment-answer.ts';
import { PaymentsPage, PaymentsQuery, PaymentWithRefunds, WaitQuery } from './payment-schemas.ts';
import { refusals } from './problem.ts';
import { refundAnswer } from './refund-schemas.ts';

const NUMBER = /^[1-9]\d{0,14}$/;

/**
 * @param id `id` or `number` of a payment
 * @throws {TerminalError} where no payment has this id, where it is another till's that the caller must not see, and, at a
 * master, where another lane has taken it
 */
export function paymentOf({ ledger, accounts }: Terminal, id: string, requester: Requester): PaymentRow {
  const payment = ledger.find(id) ?? (NUMBER.test(id) ? ledger.byId(Number(id)) : null);
  const lane = payment === null ? accounts.laneOf(id) : null;
  if (lane !== null) throw ofOtherLane(id, lane.serial, lane.address);
  if (payment === null || !mayReach(requester, payment.till)) throw notFound(id);
  return payment;
}

/** The longest period of a search: a search reads the numbers of all payments in its period. */
const LONGEST_RANGE_MS = 32 * 86_400_000;

/** @throws {TerminalError} for a range that is too long, or ends before it begins, or a day beside it */
function createdOf({ day, from, to }: PaymentsQuery): PaymentSearch['created'] | undefined {
  if (day !== undefined && (from !== undefined || to !== undefined)) {
    throw TerminalError.invalid('day', 'must not stand beside from or to: name one day, or the first and the last');
  }
  if (day !== undefined) return localDay(day);
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) throw TerminalError.invalid('from', absenceInWords(PaymentsQuery, 'from', ' beside to'));
  if (to === undefined) throw TerminalError.invalid('to', absenceInWords(PaymentsQuery, 'to', ' beside from'));
  const range = { from: localDay(from).from, to: localDay(to).to };
  if (range.to <= range.from) throw TerminalError.invalid('to', 'must not be before from');
  if (range.to - range.from > LONGEST_RANGE_MS) throw TerminalError.invalid('to', 'must be at most 31 days after from');
  return range;
}

/** The search of the caller. A till that sees only its own payments gets null where it asks for another's. */
function searchOf(query: PaymentsQuery, { till, ownOnly }: Requester): PaymentSearch | null {
  const { number: id, key, day: _day, from: _from, to: _to, limit: _limit, cursor: _cursor, ...named } = query;
  const sale = key === undefined ? undefined : { key, till };
  const search: PaymentSearch = { ...named, id, sale, created: createdOf(query) };
  if (!ownOnly || till === null) return search;
  return (query.till ?? till) === till ? { ...search, till } : null;
}

export function addReadingRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.get(
    '/v1/payments',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'findPayments',
        tags: ['payments'],
        summary: 'Find payments',
        description:
          'Those that fit all that is asked for, newest first, a page at a time: `cursor` of an answer asks for the next one. A till that reaches only its own payments finds those alone.',
        querystring: PaymentsQuery,
        response: { 200: PaymentsPage },
      },
    },
    async (request, reply) => {
      const { query, method } = request;
      const caller = requesterOf(reply);
      const search = searchOf(query, caller);
      if (search === null) return { payments: [], cursor: null };
      const limit = PAGES.sizeOf(query.limit);
      const before = beforeOf(query.cursor);
      const found = await terminal.whenRestored(() => terminal.ledger.queries.search(search, before, limit));
      if (method === 'GET' && !isReadByPerson(request))
        caller.whenAnswered(() => {
          for (const payment of found.payments) terminal.payments.markReadBy(caller.till, payment);
        });
      return {
        payments: found.payments.map((payment) => presentAnswer(terminal, payment)),
        cursor: found.before === null ? null : String(found.before),
      };
    },
  );

  app.get(
    '/v1/payments/:id',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getPayment',
        tags: ['payments'],
        summary: 'A payment and its refunds',
        description:
          'As the ledger has it now; the bank is not asked. With `wait` it is answered when the state of the payment has changed (or is another one than `state`), at the latest when so many seconds are over: then ask again. What has ended is answered at once. A payment of a till that the caller does not reach is not found.',
        params: PaymentPath,
        querystring: WaitQuery,
        response: {
          200: PaymentWithRefunds,
          ...refusals('Payments.NotFound', 'Payments.OfOtherLane', 'RequestParams.TooMany'),
        },
      },
    },
    async (request, reply) => {
      const { params, query, method } = request;
      const caller = requesterOf(reply);
      const found = await terminal.whenRestored(() => paymentOf(terminal, params.id, caller));
      const known = query.state ?? reportedState(found.status);
      const isNews = ({ status }: PaymentRow): boolean =>
        reportedState(status) !== known || reportedState(status) !== 'PENDING';
      const waitMs = method === 'GET' ? (query.wait ?? 0) * 1000 : 0;
      const payment = await terminal.waits.until(paymentIn(terminal.ledger, found), isNews, waitMs, caller.gone);
      if (method === 'GET')
        caller.whenAnswered(() => {
          // a caller that waits for the outcome acts on it, also at a page
          if (query.wait !== undefined) terminal.payments.markHandledBy(caller.till, payment);
          else if (!isReadByPerson(request)) terminal.payments.markReadBy(caller.till, payment);
        });
      return { ...presentAnswer(terminal, payment), refunds: terminal.refunds.of(payment.orderId).map(refundAnswer) };
    },
  );
}
