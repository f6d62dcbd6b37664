/** The RBS gateway over real HTTP, against a few lines that behave as public descriptions of it say. */
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BankRef } from '../../../firmware/banks/bank-payment.ts';
import { REFUND_DONE, type RefundOrder } from '../../../firmware/banks/bank-refund.ts';
import { Rbs, type RbsOptions } from '../../../firmware/banks/dialects/rbs.ts';
import { registerWithRetries } from '../../../firmware/banks/registration.ts';
import { each } from '../../support.ts';
import { BankBooks, bankContract, onBank, type WireRig } from './contract.ts';
import { bankError, LIMITS, partBack, patient, reportOf, sale } from './support.ts';
import {
  type Asked,
  changed,
  done,
  first,
  instead,
  LONG_NUMBER,
  linkTo,
  lost,
  type Reply,
  withNumbers,
} from './wire-bank.ts';

const test = suite('rbs gateway');

/** What a bank says in place of its honest answer. */
const answering = (body: unknown, status = 200, headers: Record<string, string> = {}) => instead(status, body, headers);

const PASSWORD = 'made-up-secret';
const HOUR_MS = 3_600_000;
const PREFIX = '/payment/rest/';
const POST = `POST ${PREFIX}`;
const QR = 'sbp/c2b/qr/';
const ORDER = `${POST}getOrderStatusExtended.do`;
const STATES: readonly string[] = [`${QR}status.do`, `${QR}dynamic/status.do`, 'getOrderStatusExtended.do'];
const TAKING_BACK: readonly string[] = [`${QR}dynamic/reject.do`, 'decline.do'];
const ANOTHER_AMOUNT = /another amount than 12345 kopecks \(123\.45 roubles\): 12346 kopecks \(123\.46 roubles\)/;

/** What the gateway says of a code and its order in each of these moments. */
const MOMENTS = {
  open: { qrStatus: 'STARTED', transactionState: 'CREATED', orderStatus: 0 },
  confirming: { qrStatus: 'CONFIRMED', transactionState: 'CREATED', orderStatus: 0 },
  paid: { qrStatus: 'ACCEPTED', transactionState: 'DEPOSITED', orderStatus: 2 },
  declined: { qrStatus: 'REJECTED', transactionState: 'DECLINED', orderStatus: 6, actionCode: 100 },
  timedOut: { qrStatus: 'REJECTED', transactionState: 'DECLINED', orderStatus: 6, actionCode: -2007 },
  rejected: { qrStatus: 'REJECTED_BY_USER', transactionState: 'CREATED', orderStatus: 0 },
  reversed: { qrStatus: 'REJECTED', transactionState: 'DECLINED', orderStatus: 3 },
} as const;

/** A character as JSON of ASCII writes it. */
const unit = (text: string, at: number): string =>
  `\\u${text.charCodeAt(at).toString(16).padStart(4, '0').toUpperCase()}`;
const formOf = (text = ''): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

/** What the gateway says of a code and its order in place of what it has in its books. */
type Said = Partial<(typeof MOMENTS)[keyof typeof MOMENTS]> | Readonly<Record<string, unknown>>;

class Book extends BankBooks {
  /** Calls that this gateway does not know. */
  readonly absent = new Set<string>();
  /** Error codes as numbers, as some gateways write them. */
  codesAreNumbers = false;
  knowsRefundIds = true;
  /** Whether it compares what is left with what the call expects. */
  readsExpected = true;
  /** Whether it lists what has gone back of an order. */
  listsRefunds = false;
  readonly #said = new Map<string, Said>();

  override async answer(asked: Asked): Promise<Reply> {
    const call = asked.call.slice(POST.length);
    if (this.absent.has(call)) return { status: 404, body: 'no' };
    const form = formOf(asked.text);
    if (!this.knowsRefundIds) delete form.externalRefundId;
    if (!this.readsExpected) delete form.expectedDepositedAmount;
    const order = this.payments
      .list(9)
      .find(({ bankId, orderId }) => bankId === (form.mdOrder ?? form.orderId) || orderId === form.orderNumber);
    const said = this.#said.get(order?.bankId ?? '') ?? {};
    if (TAKING_BACK.includes(call) && 'qrStatus' in said && said.qrStatus !== 'STARTED') return this.#no(asked);
    const { body } = await super.answer({ ...asked, text: new URLSearchParams(form).toString() });
    const { errorCode, refunds, ...fields } = body as Readonly<Record<string, unknown>>;
    const code = errorCode !== undefined && { errorCode: this.codesAreNumbers ? Number(errorCode) : errorCode };
    const list = this.listsRefunds && refunds !== undefined && { refunds };
    return { body: { ...fields, ...code, ...list, ...(STATES.includes(call) && said) } };
  }

  /** Of the last order. */
  say(said: Said): void {
    this.#said.set(this.last.bankId, said);
  }

  book(
    moment: keyof typeof MOMENTS,
    { orderNumber = `order-${this.count + 1}`, amount = 12_345, isCoded = true } = {},
  ): BankRef {
    const { bankId: id, qrcId } = this.payments.register(
      {
        ...{ dialect: 'rbs', merchant: 'shop-api', bankId: randomUUID(), orderId: orderNumber, amount, purpose: null },
        ...{ ttlMs: HOUR_MS, coded: isCoded },
      },
      (qrId) => linkTo(qrId, amount),
    );
    this.put(moment);
    return { id, ...(isCoded && { qrId: qrcId }) };
  }

  /** Has the last order come into a moment, or the gateway say so of it. */
  put(moment: keyof typeof MOMENTS | Said): void {
    if (moment === 'paid') this.payments.pay(this.last.qrcId);
    const isHonest = moment === 'paid' || moment === 'open';
    const said = typeof moment === 'string' ? MOMENTS[moment] : { actionCode: 0, ...moment };
    const depositedAmount = 'orderStatus' in said && said.orderStatus === 2 ? this.last.amount : 0;
    this.say(isHonest ? {} : { ...said, paymentAmountInfo: { depositedAmount, refundedAmount: 0 } });
  }

  #no = ({ call }: Asked): Reply => ({ body: { errorCode: '5', errorMessage: `Неверное состояние: ${call}` } });
}

interface Rig extends WireRig<Book, Rbs> {
  /** What the gateway was asked, in its order. */
  calls(): string[];
}

const withBank = (work: (rig: Rig) => Promise<void>, options: Partial<RbsOptions> = {}): Promise<void> => {
  const login = { userName: 'shop-api', password: PASSWORD, returnUrl: 'https://bank.example/' };
  return onBank(
    Book,
    (path) => `/rbs${path}`,
    (url, log) => new Rbs({ ...login, baseUrl: `${url}${PREFIX}`, log, ...options }),
    async (rig) => {
      rig.wire.isKeeping = true;
      await work({ ...rig, calls: () => rig.wire.calls.map((call) => call.slice(POST.length)) });
    },
  );
};
const it = each<[Rig]>(test, (run) => () => withBank(run));

/** What the bank is believed about the last order. */
const believe = ({ bank, books }: Rig, ref: BankRef) =>
  reportOf(bank, ref, { orderId: books.last.orderId ?? '', amount: 12_345 });

test('an order is registered, and its code asked for, by the fields of the gateway', () =>
  withBank(
    async (rig) => {
      const { bank, books, wire, calls } = rig;
      const order = sale({ ttl: 15 });
      const kept: BankRef[] = [];
      const { ref, payload } = await registerWithRetries(bank, order, (step) => kept.push(step), LIMITS);
      const { bankId: mdOrder, qrcId: qrId, link } = books.last;
      assert.equal(kept, [{ id: mdOrder }, { id: mdOrder, qrId }]);
      assert.equal([ref, payload], [{ id: mdOrder, qrId }, link]);
      assert.equal(calls(), ['register.do', `${QR}dynamic/get.do`]);
      const login = { userName: 'shop-api', password: PASSWORD };
      assert.equal(formOf(wire.asked[0]?.text), {
        ...{ ...login, orderNumber: order.orderId, amount: '12345', currency: '643', sessionTimeoutSecs: '900' },
        ...{ returnUrl: 'https://bank.example/', description: order.purpose, merchantLogin: 'shop' },
      });
      assert.equal(formOf(wire.asked[1]?.text), {
        ...login,
        mdOrder,
        paymentPurpose: order.purpose,
        account: '40702',
      });
    },
    { merchantLogin: 'shop', payee: { account: '40702' } },
  ));

it('error codes as numbers are the same error codes', async (rig) => {
  const { bank, books } = rig;
  books.codesAreNumbers = true;
  const { ref } = await registerWithRetries(bank, sale(), () => undefined, LIMITS);
  books.payments.pay(books.last.qrcId);
  assert.is((await believe(rig, ref)).verdict, 'accepted');
  const error = await bankError('refused', bank.begin(sale({ orderId: books.last.orderId ?? '' }), patient()));
  assert.equal([error.bankCode, error.isDuplicate], ['1', true]);
});

bankContract<Book, Rbs, keyof typeof MOMENTS | Said>(test, {
  withBank,
  secrets: [PASSWORD],
  register: `${POST}register.do`,
  state: ORDER,
  failures: [
    [answering({ errorCode: '1', errorMessage: 'slow' }, 429), 'unreachable'],
    [answering({ errorCode: 7, errorMessage: 'Ошибка системы' }), 'unreachable'],
    [answering({ errorCode: '7' }), 'unreachable'],
    // nothing went wrong, and what was asked for is not there
    [answering({ errorCode: '0', errorMessage: 'Успешно' }), 'contradiction'],
  ],
  put: ({ books }, at) => books.put(at),
  verdicts: [
    ['open', 'pending'],
    ['confirming', 'processing'],
    ['declined', 'rejected'],
    ['timedOut', 'canceled'],
    ['rejected', 'canceled'],
    ['reversed', 'canceled'],
    // code and order that do not agree: money that moved wins
    [{ qrStatus: 'ACCEPTED', transactionState: 'CREATED', orderStatus: 2 }, 'accepted'],
    [{ qrStatus: 'STARTED', transactionState: 'DEPOSITED', orderStatus: 2 }, 'accepted'],
    [{ qrStatus: 'CONFIRMED', transactionState: 'DEPOSITED', orderStatus: 2 }, 'accepted'],
    [{ qrStatus: 'ACCEPTED', transactionState: 'DEPOSITED', orderStatus: 0 }, 'processing'],
    [{ qrStatus: 'ACCEPTED', transactionState: 'DEPOSITED', orderStatus: 5 }, 'processing'],
    [{ qrStatus: 'REJECTED', transactionState: 'DECLINED', orderStatus: 2 }, 'accepted'],
    [{ qrStatus: 'REJECTED', transactionState: 'CREATED', orderStatus: 0 }, 'rejected'],
    [{ qrStatus: 'STARTED', transactionState: 'DECLINED', orderStatus: 6 }, 'rejected'],
    [{ qrStatus: 'ACCEPTED', transactionState: 'DEPOSITED', orderStatus: 4 }, 'accepted'],
    // the answer about the code is behind
    [{ qrStatus: 'STARTED', transactionState: 'CREATED', orderStatus: 2 }, 'accepted'],
    [{ qrStatus: 'STARTED', transactionState: null, orderStatus: 2 }, 'accepted'],
    [{ qrStatus: 'CONFIRMED', transactionState: 'CREATED', orderStatus: 2 }, 'accepted'],
    [{ qrStatus: 'STARTED', transactionState: 'CREATED', orderStatus: 5 }, 'processing'],
    [{ qrStatus: 'STARTED', transactionState: 'CREATED', orderStatus: 6 }, 'rejected'],
    [{ qrStatus: 'STARTED', transactionState: 'CREATED', orderStatus: 3 }, 'canceled'],
    [{ qrStatus: 'CONFIRMED', transactionState: 'CREATED', orderStatus: 3 }, 'processing'],
    [{ qrStatus: 'REJECTED', transactionState: 'DECLINED', orderStatus: 1 }, 'processing'],
    // an unknown state is not unpaid
    [{ qrStatus: 'SOMETHING_NEW', transactionState: 'CREATED', orderStatus: 0 }, 'processing'],
    [{ qrStatus: 'SOMETHING_NEW', transactionState: 'CREATED', orderStatus: 2 }, 'accepted'],
    [{ qrStatus: 'SOMETHING_NEW', transactionState: 'CREATED', orderStatus: 6 }, 'rejected'],
    [{ qrStatus: 'SOMETHING_NEW', transactionState: 'DECLINED', orderStatus: 0 }, 'rejected'],
    [{ qrStatus: 'STARTED', transactionState: 'SOMETHING_NEW', orderStatus: 0 }, 'processing'],
    [{ qrStatus: 'STARTED', transactionState: 'CREATED', orderStatus: 9 }, 'processing'],
    [{ qrStatus: 'STARTED', transactionState: null, orderStatus: 0 }, 'pending'],
  ],
  paid: 'paid',
  accepted: ({ last: { trxId, paidAt } }) => ({
    amounts: [12_345, 12_345],
    currencies: ['643'],
    orderIds: ['o1'],
    trxId,
    paidAt: Date.parse(paidAt ?? ''),
    refunded: 0,
    payer: { bank: 'Тестовый банк', phone: null },
    paidBy: { method: 'sbp', word: 'SBP_C2B' },
  }),
  untrue: [
    [changed({ attributes: [{ name: 'mdOrder', value: 'other' }] }), /another payment/],
    [changed({ orderNumber: 'order-x' }), /another order/],
    [changed({ amount: 12_346 }), ANOTHER_AMOUNT],
    [changed({ amount: null }), /another amount/],
    [changed({ amount: undefined }), /no state of the order/],
    [changed({ currency: '840' }), /another currency/],
    [changed({ paymentAmountInfo: { depositedAmount: 1 } }), /another amount than .*: 1 kopeck \(0\.01 roubles\)/],
    [changed({ paymentAmountInfo: { depositedAmount: 0, refundedAmount: 0 } }), /another amount/],
    [changed({ paymentAmountInfo: { depositedAmount: 'x' } }), /another amount/],
    [changed({ attributes: undefined, orderNumber: 'order-x' }), /another order/],
    [changed({ attributes: undefined, orderNumber: null }), /another order/],
    [changed({ attributes: undefined, orderNumber: undefined }), /no state of the order/],
    [changed({ orderStatus: 'two' }), /no state of the order/],
    [changed({ orderStatus: 3 }), /the code paid and its order not/],
    [changed({ orderStatus: 6 }), /the code paid and its order not/],
  ],
  true: [
    { currency: '810' },
    ...[
      { depositedAmount: 12_345 },
      { depositedAmount: 10_000, refundedAmount: 2_345 },
      { depositedAmount: 12_345, refundedAmount: 2_345 },
      { refundedAmount: 0 },
      undefined,
    ].map((paymentAmountInfo) => ({ paymentAmountInfo })),
    // a gateway that does not repeat its id
    { attributes: [] },
    { attributes: undefined },
  ].map(changed),
  long: withNumbers((body) => ({ ...body, authRefNum: `#${LONG_NUMBER}` })),
  afterLost: 1,
  codesOf: ({ count }) => count,
  cancels: [
    ['open', 'withdrawn'],
    ['confirming', 'already-paid'],
    ['paid', 'already-paid'],
    ['declined', 'withdrawn'],
    ['rejected', 'withdrawn'],
  ],
  refund: [`${POST}refund.do`, (ref) => refundOrder(ref)],
  lookedUp: {
    asked: [`${POST}refund.do`, changed({ errorCode: undefined })],
    look: `${POST}getOrderStatusExtended.do`,
    order: (ref) => refundOrder(ref),
  },
});

it('a state of a code that says nothing of it is no state', async (rig) => {
  const ref = rig.books.book('paid');
  for (const body of ['', '[]', '{}', { errorCode: '0' }]) {
    rig.wire.once(`${POST}${QR}status.do`, answering(body));
    await bankError('contradiction', believe(rig, ref));
  }
  rig.wire.once(ORDER, answering({ errorCode: '6', errorMessage: 'no' }));
  await bankError('refused', believe(rig, ref));
});

it('an order without a code is asked about by itself', async (rig) => {
  assert.is((await believe(rig, rig.books.book('open', { isCoded: false }))).verdict, 'pending');
  assert.equal(rig.calls(), ['getOrderStatusExtended.do']);
});

it('a taken order number is looked up: ours goes on, another amount is a contradiction', async (rig) => {
  const { bank, books } = rig;
  books.book('open', { orderNumber: 'mine', isCoded: false });
  const { ref } = await registerWithRetries(bank, sale({ orderId: 'mine' }), () => undefined, LIMITS);
  assert.equal([ref.id, books.count], [books.last.bankId, 1]);
  books.book('open', { orderNumber: 'other', amount: 1 });
  const other = registerWithRetries(bank, sale({ orderId: 'other' }), () => undefined, LIMITS);
  assert.match((await bankError('contradiction', other)).message, /another amount/);
  books.book('declined', { orderNumber: 'ended' });
  const ended = registerWithRetries(bank, sale({ orderId: 'ended' }), () => undefined, LIMITS);
  assert.match((await bankError('refused', ended)).message, /has ended the payment before its code was shown/);
  assert.is(await bank.find(sale(), patient()), null);
});

it('a code that is given in another state than open is not shown', async ({ bank, wire }) => {
  const { ref } = await bank.begin(sale(), patient());
  const given = { errorCode: '0', qrId: 'qr-1', payload: linkTo('AD1', 12_345) };
  for (const qrStatus of ['REJECTED', 'ACCEPTED', 'SOMETHING_NEW', 7]) {
    wire.once(`${POST}${QR}dynamic/get.do`, answering({ ...given, qrStatus }));
    await bankError('contradiction', bank.code(ref, sale(), patient()));
  }
  for (const qrStatus of ['STARTED', null, undefined]) {
    wire.once(`${POST}${QR}dynamic/get.do`, answering({ ...given, qrStatus }));
    assert.is((await bank.code(ref, sale(), patient())).code?.payload, given.payload);
  }
});

const ODD_PASSWORD = 'p@ss w&rd/"Ж😀\\.*';
for (const [way, write] of [
  ['as it is', (text: string) => text],
  ['as a form', (text: string) => new URLSearchParams({ text }).toString().slice('text='.length)],
  ['as a form in small letters', (text: string) => new URLSearchParams({ text }).toString().slice(5).toLowerCase()],
  ['as in an address', encodeURIComponent],
  ['as JSON', (text: string) => JSON.stringify(text).slice(1, -1)],
  ['as JSON of ASCII', (text: string) => [...Array(text.length).keys()].map((at) => unit(text, at)).join('')],
  ['as JSON with escaped slashes', (text: string) => JSON.stringify(text).slice(1, -1).replace('/', '\\/')],
] as const) {
  test(`a password that the gateway repeats ${way} is in no message`, () =>
    withBank(
      async ({ bank, wire }) => {
        const text = `denied: userName=shop&password=${write(ODD_PASSWORD)}&x=1`;
        for (const answer of [
          answering({ errorCode: '5', errorMessage: text }),
          answering({ errorMessage: text }, 400),
        ]) {
          wire.once(`${POST}register.do`, answer);
          const { message } = await bankError('refused', bank.begin(sale(), patient()));
          assert.match(message, 'userName=shop&password=<PASSWORD>&x=1');
        }
      },
      { password: ODD_PASSWORD },
    ));
}

it('a number that the gateway calls taken and does not know is reported in its own words', async ({ bank, wire }) => {
  wire.once(`${POST}register.do`, answering({ errorCode: 1, errorMessage: 'Неверный номер заказа' }));
  const error = await bankError(
    'refused',
    registerWithRetries(bank, sale(), () => undefined, LIMITS),
  );
  assert.match(error.message, 'Неверный номер заказа');
});

it('a gateway of the older paths is asked by those from its first answer on, logged once', async (rig) => {
  const { bank, books, logged, calls } = rig;
  books.absent.add(`${QR}status.do`).add(`${QR}dynamic/reject.do`);
  const ref = books.book('open');
  assert.is((await believe(rig, ref)).verdict, 'pending');
  assert.is((await believe(rig, ref)).verdict, 'pending');
  assert.is(await bank.cancel(ref, patient()), 'withdrawn');
  const order = 'getOrderStatusExtended.do';
  assert.equal(calls(), [
    ...[`${QR}status.do`, `${QR}dynamic/status.do`, order, `${QR}dynamic/status.do`, order],
    ...[`${QR}dynamic/reject.do`, 'decline.do'],
  ]);
  assert.equal(logged, [
    `the bank has nothing at POST /${QR}status.do: POST /${QR}dynamic/status.do is called in its place`,
    `the bank has nothing at POST /${QR}dynamic/reject.do: POST /decline.do is called in its place`,
  ]);
  assert.is((await believe(rig, ref)).verdict, 'canceled');
});

it('what has become of a code decides what its cancellation has done', async (rig) => {
  const { bank, books, wire } = rig;
  const reject = `${POST}${QR}dynamic/reject.do`;
  assert.is(await bank.cancel(books.book('open', { isCoded: false }), patient()), 'withdrawn');
  assert.is(rig.calls().at(-1), 'decline.do');
  wire.once(reject, answering({ errorCode: '5', errorMessage: 'no' }));
  assert.is(await bank.cancel(books.book('open'), patient()), 'not-possible');
  wire.once(reject, answering({ errorCode: '0', rejected: false }));
  assert.is(await bank.cancel(books.book('open'), patient()), 'not-possible');
  // not heard, and still open: it may be taken back yet
  for (const answer of [answering('', 500), answering({ errorCode: '7', errorMessage: 'Системная ошибка' })]) {
    wire.once(reject, answer);
    await bankError('unreachable', bank.cancel(books.book('open'), patient()));
  }
  // done, and its answer lost: the second call is refused, and the state decides
  wire.once(reject, lost);
  assert.is(await bank.cancel(books.book('open'), patient()), 'withdrawn');
  // of another order nothing is believed
  wire.once(ORDER, changed({ attributes: [{ name: 'mdOrder', value: 'other' }] }));
  await bankError('contradiction', bank.cancel(books.book('declined'), patient()));
  // paid between the two
  wire.once(
    reject,
    first(() => void books.payments.pay(books.last.qrcId)),
  );
  assert.is(await bank.cancel(books.book('open'), patient()), 'already-paid');
  assert.is(books.last.refunded, 0);
});

/** Answers that do not say that anything has been done. */
const SAYING_NOTHING = [
  {},
  { status: 'ok' },
  { success: true },
  { message: 'accepted' },
  { errorMessage: 'Успешно' },
  { errorCode: null },
  { errorCode: true },
];

it('a code is not taken back by an answer that does not say so: the order is read', async (rig) => {
  const { bank, books, wire, calls } = rig;
  for (const isCoded of [true, false]) {
    const reject = `${POST}${isCoded ? `${QR}dynamic/reject.do` : 'decline.do'}`;
    for (const body of SAYING_NOTHING) {
      wire.once(reject, answering(body));
      const cancelled = bank.cancel(books.book('open', { isCoded }), patient()).catch(({ code }) => code);
      assert.ok(['not-possible', 'contradiction'].includes(await cancelled), JSON.stringify(body));
      assert.is(calls().at(-1), 'getOrderStatusExtended.do');
      wire.once(reject, done({ body }));
      assert.is(await bank.cancel(books.book('open', { isCoded }), patient()), 'withdrawn', JSON.stringify(body));
    }
    for (const body of [
      { rejected: true },
      { rejected: 'true' },
      { errorCode: 0 },
      { errorCode: '0', rejected: null },
    ]) {
      wire.once(reject, answering(body));
      assert.is(await bank.cancel(books.book('open', { isCoded }), patient()), 'withdrawn', JSON.stringify(body));
    }
  }
});

const refundOrder = (ref: BankRef, changes: Partial<RefundOrder> = {}): RefundOrder =>
  partBack({ ref, orderId: 'order-1', ...changes });

it('a part goes back, then the rest; what is more than that is refused in words', async (rig) => {
  const { bank, books, wire } = rig;
  const ref = books.book('paid');
  assert.is((await bank.refund(refundOrder(ref), patient())).state, 'done');
  assert.equal((await believe(rig, ref)).refunded, 2_345);
  const rest = { refundId: 'refund-2', refundedBefore: 2_345, amount: 10_000 };
  assert.is((await bank.refund(refundOrder(ref, rest), patient())).state, 'done');
  const { password: _, userName: __, ...sent } = formOf(wire.asked.at(-1)?.text);
  assert.equal(sent, {
    ...{ orderId: ref.id, amount: '10000', externalRefundId: 'refund-2', expectedDepositedAmount: '10000' },
  });
  const report = await believe(rig, ref);
  assert.equal([report.verdict, report.refunded], ['accepted', 12_345]);
  const more = { refundId: 'refund-3', refundedBefore: 12_345, amount: 1 };
  const { state, reason } = await bank.refund(refundOrder(ref, more), patient());
  assert.is(state, 'refused');
  assert.match(reason ?? '', 'Сумма возврата превышает сумму списания');
  const wrong = answering({ errorCode: 5, errorMessage: 'Неверная сумма' });
  wire.once(`${POST}refund.do`, wrong);
  assert.is(
    (await bank.refund(refundOrder(ref, more), patient())).reason,
    'the bank refused (HTTP 200: Неверная сумма) (bank code 5)',
  );
});

it('a success that lacks what was asked for is no refusal: what was done is unknown', async (rig) => {
  const { bank, wire, books } = rig;
  const ref = books.book('paid');
  wire.once(`${POST}refund.do`, done({ body: '{"errorCode":"0"' }));
  await bankError('contradiction', bank.refund(refundOrder(ref), patient()));
});

test('a refund whose answer was lost is made once, whatever the gateway knows or reads of it', async () => {
  for (const [knowsRefundIds, readsExpected] of [
    [true, true],
    [false, true],
    [false, false],
  ] as const) {
    await withBank(async ({ bank, books, wire }) => {
      Object.assign(books, { knowsRefundIds, readsExpected });
      const ref = books.book('paid');
      for (const refundedBefore of [0, 2_345]) {
        wire.once(`${POST}refund.do`, done({ status: 500, body: '' }));
        const order = refundOrder(ref, { refundId: `refund-${refundedBefore}`, refundedBefore });
        await bankError('unreachable', bank.refund(order, patient()));
        assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'done');
        assert.is(books.last.refunded, refundedBefore + 2_345);
      }
    });
  }
});

const isRefund = (call: string): boolean => call.endsWith('refund.do');

it('a refused repeated refund is looked up: what the order leaves uncertain stays unknown', async (rig) => {
  const { bank, books } = rig;
  const order = refundOrder(books.book('open'), { isRepeated: true });
  const error = await bankError('unreachable', bank.refund(order, patient())); // the first call may be queued
  assert.match(error.message, /look it up in the account at the bank \(.*корректном состоянии/);
});

it('a repeated refund is sent only where the order shows that nothing of it has gone back', async (rig) => {
  const { bank, books, wire } = rig;
  const order = refundOrder(books.book('paid'), { isRepeated: true });
  const state = `${POST}getOrderStatusExtended.do`;
  // another sum includes other refunds, too: nothing says how much is ours
  for (const back of [1_000, 2_346]) {
    wire.once(state, changed({ paymentAmountInfo: { depositedAmount: 12_345, refundedAmount: back } }));
    const error = await bankError('unreachable', bank.refund(order, patient()));
    assert.match(error.message, /look it up in the account at the bank/);
  }
  for (const fields of [
    { paymentAmountInfo: undefined },
    { paymentAmountInfo: { refundedAmount: 'none' } },
    { refunds: [{ externalRefundId: order.refundId, amount: 2_345 }] },
  ]) {
    wire.once(state, changed(fields));
    await bankError('unreachable', bank.refund(order, patient()));
  }
  for (const fault of [answering({ errorCode: '6', errorMessage: 'Заказ не найден' }), answering({}, 500)]) {
    wire.once(state, fault);
    assert.ok(['unreachable', 'refused'].includes((await bank.refund(order, patient()).catch((error) => error)).code));
  }
  assert.is(wire.calls.filter(isRefund).length, 0);
  wire.once(state, changed({ refunds: [{ externalRefundId: 'another' }, {}] }));
  assert.is((await bank.refund(order, patient())).state, 'done');
  assert.is((await bank.refund(order, patient())).state, 'done');
  assert.equal([wire.calls.filter(isRefund).length, books.last.refunded], [1, 2_345]);
});

it('a refused first call is looked up: a ledger that was put back may have lost an earlier one', async (rig) => {
  const { bank, books, wire } = rig;
  const order = refundOrder(books.book('paid'));
  const state = `${POST}getOrderStatusExtended.do`;
  const back = (refundedAmount: number, ...ids: string[]) => ({
    paymentAmountInfo: { depositedAmount: 12_345, refundedAmount },
    ...(ids.length > 0 && { refunds: ids.map((externalRefundId) => ({ externalRefundId })) }),
  });
  const after = (fields: object) => {
    wire.once(`${POST}refund.do`, answering({ errorCode: '5', errorMessage: 'Дубль возврата' }));
    wire.once(state, changed(fields));
    return bank.refund(order, patient());
  };
  for (const made of [back(2_345, order.refundId), back(5_000, 'another', order.refundId)])
    assert.is((await after(made)).state, 'done', JSON.stringify(made));
  const nameless = { ...back(2_345), refunds: [{ amount: 2_345 }] };
  for (const other of [
    back(0),
    back(2_345),
    nameless,
    back(2_345, 'another'),
    back(1_000),
    { paymentAmountInfo: undefined },
  ])
    assert.is((await after(other)).state, 'refused', JSON.stringify(other));
  await bankError('unreachable', after(back(0, order.refundId))); // on its way, or not made
  wire.once(`${POST}refund.do`, answering({ errorCode: '5', errorMessage: 'Дубль возврата' }));
  wire.once(state, answering({}, 500));
  await bankError('unreachable', bank.refund(order, patient()));
  wire.once(`${POST}refund.do`, answering({ errorCode: '6', errorMessage: 'Заказ не найден' }));
  wire.once(state, answering({ errorCode: '6', errorMessage: 'Заказ не найден' }));
  assert.is((await bank.refund(order, patient())).state, 'refused');
});

it('an equal refund that was made in the account at the bank is never taken for ours', async (rig) => {
  const { bank, books, wire } = rig;
  for (const listsRefunds of [true, false]) {
    books.listsRefunds = listsRefunds;
    const order = refundOrder(books.book('paid'));
    books.refunds.refund(books.last, order.amount, null);
    assert.is((await bank.refund(order, patient())).state, 'refused', `${listsRefunds}`);
    assert.is(books.last.refunded, order.amount);
    assert.is(await bank.findRefund(order, patient()), listsRefunds ? null : 'unreported');
  }
  books.listsRefunds = true;
  const order = refundOrder(books.book('paid'));
  wire.once(`${POST}refund.do`, answering('', 500)); // it was lost on its way there
  await bankError('unreachable', bank.refund(order, patient()));
  books.refunds.refund(books.last, order.amount, null);
  await bankError('unreachable', bank.refund({ ...order, isRepeated: true }, patient()));
  assert.is(await bank.findRefund(order, patient()), null);
  assert.is(books.last.refunded, order.amount);
});

it('a refund that the gateway lists is ours by its id, whatever else has gone back', async ({ bank, books }) => {
  books.listsRefunds = true;
  const order = refundOrder(books.book('paid'));
  assert.is(await bank.findRefund(order, patient()), 'unreported');
  await bank.refund(order, patient());
  books.refunds.refund(books.last, 1_000, null);
  assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'done');
  assert.is((await bank.refund(order, patient())).state, 'done');
  assert.is(await bank.findRefund(order, patient()), REFUND_DONE);
  assert.is(books.last.refunded, order.amount + 1_000);
});

it('an answer without a word of the refund: the order is read, and until then it is unknown', async (rig) => {
  const { bank, books, wire } = rig;
  for (const body of [...SAYING_NOTHING, { rejected: true }]) {
    for (const isRepeated of [false, true]) {
      const order = refundOrder(books.book('paid'), { isRepeated });
      wire.once(`${POST}refund.do`, answering(body));
      const { code } = await bank.refund(order, patient()).catch((error) => error);
      assert.ok(['unreachable', 'contradiction'].includes(code), JSON.stringify(body));
      assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'done');
      assert.is(books.last.refunded, 2_345);
    }
  }
  wire.once(`${POST}refund.do`, done({ body: {} }));
  assert.is((await bank.refund(refundOrder(books.book('paid')), patient())).state, 'done');
});

test('a wrong login is reported with the fields to check, and without the password', () =>
  withBank(
    async ({ bank, wire }) => {
      const error = await bankError('refused', bank.begin(sale(), patient()));
      assert.is(error.bankCode, '5');
      assert.match(error.message, 'Доступ запрещён: look at userName and password of the bank profile');
      assert.ok(error.isUnauthorized);
      wire.once(`${POST}register.do`, answering({ errorCode: 'wrong', errorMessage: 'not wrong' }));
      const refusal = await bankError('refused', bank.begin(sale(), patient()));
      assert.not.match(`${refusal.message} ${refusal.bankCode}`, 'wrong');
    },
    { password: 'wrong' },
  ));

test.run();
