/** Sber's present gateway over real HTTP: JSON alone, errors told by their words, refunds sent once. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REFUND_DONE, type RefundOrder } from '../../../firmware/banks/bank-refund.ts';
import { Rbs } from '../../../firmware/banks/dialects/rbs.ts';
import { SberPartner } from '../../../firmware/banks/dialects/sber-partner.ts';
import { openBank } from '../../../firmware/banks/registry.ts';
import { each } from '../../support.ts';
import { BankBooks, type BankRig, bankContract, onBank, paidBack } from './contract.ts';
import { bankError, begun, O1, partBack, patient, reportOf, sale } from './support.ts';
import { changed, instead, LONG_NUMBER, lost, withNumbers } from './wire-bank.ts';

const test = suite('sber, present gateway');

const PASSWORD = 'made-up-secret';
const PREFIX = '/ecomm/gw/partner/api/v1';
const POST = `POST ${PREFIX}/`;
const REGISTER = `${POST}register.do`;
const ORDER = `${POST}getOrderStatusExtended.do`;
const REFUND = `${POST}refund.do`;
const DECLINE = `${POST}decline.do`;
const LOGIN = { userName: 'made-up-api', password: PASSWORD };

type Rig = BankRig<SberPartner>;
const withBank = (work: (rig: Rig) => Promise<void>): Promise<void> =>
  onBank(
    BankBooks,
    (path) => `/sber${path}`,
    (url, log) => new SberPartner({ ...LOGIN, baseUrl: url + PREFIX, returnUrl: 'https://bank.example/', log }),
    work,
  );
const it = each<[Rig]>(test, (run) => () => withBank(run));

const saying = (errorCode: string, errorMessage: string) => instead(200, { errorCode, errorMessage });
/** What the gateway says of an order in these moments, beside what it has in its books. */
const MOMENTS: Readonly<Record<string, object>> = {
  open: {},
  paid: {},
  held: { orderStatus: 1 },
  asked: { orderStatus: 5 },
  new: { orderStatus: 9 },
  declined: { orderStatus: 6, actionCode: 100 },
  timedOut: { orderStatus: 6, actionCode: -2007 },
  reversed: { orderStatus: 3 },
  failedOnce: { orderStatus: 0, actionCode: -5031 },
};

bankContract<BankBooks, SberPartner, string>(test, {
  withBank,
  secrets: [PASSWORD],
  register: REGISTER,
  state: ORDER,
  failures: [
    // numbers have no sure meaning here: words tell
    [saying('1', 'Системная ошибка'), 'unreachable'],
    [saying('99', ''), 'unreachable'],
    [saying('7', 'Неверная сумма'), 'refused'],
    [saying('42', 'Неверный логин или пароль'), 'refused'],
    [instead(415, ''), 'refused'],
    [instead(200, { errorCode: '0', formUrl: 'https://x.example/' }), 'contradiction'],
  ],
  put: ({ wire, books }, moment) => {
    if (moment === 'paid') books.payments.pay(books.last.qrcId);
    wire.always(ORDER, changed(MOMENTS[moment] ?? {}));
  },
  verdicts: [
    ['open', 'pending'],
    ['failedOnce', 'pending'],
    ['held', 'processing'],
    ['asked', 'processing'],
    ['new', 'processing'],
    ['declined', 'rejected'],
    ['timedOut', 'canceled'],
    ['reversed', 'canceled'],
  ],
  paid: 'paid',
  accepted: ({ last: { trxId, paidAt } }) => ({
    amounts: [12_345, 12_345],
    currencies: ['643'],
    orderIds: ['o1'],
    trxId,
    paidAt: Date.parse(paidAt ?? ''),
    refunded: 0,
    payer: null,
    paidBy: { method: 'sbp', word: 'SBERPAY_SBP_C2B_DYN' },
  }),
  untrue: [
    [changed({ attributes: [{ name: 'mdOrder', value: 'other' }] }), /another payment/],
    [changed({ orderNumber: 'order-x' }), /another order/],
    [changed({ amount: 12_346 }), /another amount/],
    [changed({ amount: null }), /another amount/],
    [changed({ currency: '840' }), /another currency/],
    [changed({ paymentAmountInfo: { depositedAmount: 1 } }), /another amount/],
    [changed({ orderStatus: 'two' }), /no state of the order/],
  ],
  true: [{ attributes: [] }, { attributes: undefined }, { paymentAmountInfo: undefined }].map(changed),
  long: withNumbers((body) => ({
    ...body,
    transactionAttributes: [{ name: 'extTransactionId', value: `#${LONG_NUMBER}` }],
  })),
  afterLost: null,
  codesOf: ({ count }) => count,
  cancels: [
    ['open', 'withdrawn'],
    ['paid', 'already-paid'],
    ['declined', 'withdrawn'],
  ],
  refund: [REFUND, (ref) => partBack({ ref })],
});

it('an order is registered as JSON with its types, and its code comes in the answer', async ({ wire, books, bank }) => {
  const { ref, payload } = await begun(bank, sale({ orderId: 'o1', ttl: 15, purpose: 'п'.repeat(140) }));
  assert.equal([ref, payload], [{ id: books.last.bankId }, books.last.link]);
  assert.equal(wire.asked[0]?.json, {
    ...{ ...LOGIN, orderNumber: 'o1', amount: 12_345, currency: '643', returnUrl: 'https://bank.example/' },
    ...{ sessionTimeoutSecs: 900, description: 'п'.repeat(99) },
    jsonParams: { qrType: 'DYNAMIC_QR_SBP', 'sbp.scenario': 'C2B' },
  });
  assert.equal(wire.calls, [REGISTER]);
});

it('a login without SBP is told so', async ({ wire, bank }) => {
  for (const externalParams of [null, undefined, {}, { sbpPayload: null }]) {
    wire.once(REGISTER, changed({ externalParams }));
    const error = await bankError('refused', bank.begin(sale(), patient()));
    assert.match(error.message, 'ask it to switch SBP on');
  }
});

it('a number stands for nothing: an order is unknown by the words alone', async ({ wire, bank }) => {
  assert.is(await bank.find(sale(), patient()), null);
  for (const [code, words] of [
    ['6', 'Неверное значение параметра'],
    ['6', 'Доступ запрещён'],
    ['1', 'Системная ошибка'],
  ] as const) {
    wire.once(ORDER, saying(code, words));
    await bankError(words.startsWith('Сис') ? 'unreachable' : 'refused', bank.find(sale(), patient()));
  }
});

it('a taken number is told by its words', async ({ bank }) => {
  await begun(bank);
  const error = await bankError('refused', bank.begin(O1, patient()));
  assert.equal([error.isDuplicate, error.bankCode], [true, '8']);
});

it('a declined order may still be paid until its state says otherwise', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  wire.once(DECLINE, instead(200, { errorCode: '0' }));
  assert.is(await bank.cancel(ref, patient()), 'not-possible');
  wire.once(DECLINE, instead(503, ''));
  await bankError('unreachable', bank.cancel(ref, patient()));
  assert.is(await bank.cancel(ref, patient()), 'withdrawn');
});

it('a refund is sent once, without fields that the gateway lacks', async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  const asked = () => wire.asked.filter(({ call }) => call === REFUND);
  assert.equal(await bank.refund(refundOf(), patient()), REFUND_DONE);
  assert.equal(
    asked().map(({ json }) => json),
    [{ ...LOGIN, orderId: books.last.bankId, amount: 2_345 }],
  );
  assert.is((await reportOf(bank, refundOf().ref)).verdict, 'accepted');
  const next: RefundOrder = refundOf({ refundId: 'refund-2', refundedBefore: 2_345, amount: 1_000 });
  wire.once(REFUND, lost);
  await bankError('unreachable', bank.refund(next, patient()));
  const before = asked().length;
  assert.equal(await bank.refund({ ...next, isRepeated: true }, patient()), REFUND_DONE, 'the sum says so');
  const third = refundOf({ refundId: 'refund-3', refundedBefore: 3_345, amount: 1_000, isRepeated: true });
  await bankError('unreachable', bank.refund(third, patient()));
  assert.is(asked().length, before, 'nothing is sent again');
  assert.is(books.last.refunded, 3_345);
});

it('an answer that does not say that it is done is looked up: only the sum decides', async (rig) => {
  const { wire, bank } = rig;
  const refundOf = await paidBack(rig);
  wire.once(REFUND, changed({ errorCode: undefined }));
  assert.equal(await bank.refund(refundOf(), patient()), REFUND_DONE);
  wire.once(REFUND, instead(200, {}));
  const next = refundOf({ refundId: 'refund-2', refundedBefore: 2_345, amount: 1_000 });
  await bankError('unreachable', bank.refund(next, patient()));
  wire.once(REFUND, saying('25', 'Сумма возврата превышает сумму списания'));
  assert.is((await bank.refund(next, patient())).state, 'refused');
});

it('where more or less has gone back than this device knows, nothing does', async (rig) => {
  const { wire, bank } = rig;
  const refundOf = await paidBack(rig);
  for (const info of [{ refundedAmount: 100 }, {}, undefined]) {
    wire.once(ORDER, changed({ paymentAmountInfo: info }));
    assert.is((await bank.refund(refundOf(), patient())).state, 'refused');
  }
  assert.is((await bank.refund(refundOf({ refundedBefore: 5 }), patient())).state, 'refused');
  assert.not.ok(wire.calls.includes(REFUND));
});

it('the older form at this gateway is a refusal that says what to do, and no broken connection', async ({
  wire,
  bank,
}) => {
  const form = new Rbs({ ...LOGIN, baseUrl: bank.address, returnUrl: 'https://bank.example/' });
  const error = await bankError('refused', form.begin(sale(), patient()));
  assert.equal(
    { status: error.status, isUnauthorized: error.isUnauthorized, isWorded: error.isWorded },
    { status: 415, isUnauthorized: false, isWorded: true },
  );
  assert.match(error.message, /"gateway": "partner".*of other banks only the older one works/);
  await bankError('refused', form.tryOut(patient()));
  assert.equal(wire.calls, [REGISTER, ORDER]);
  await form.close();
});

test('the profile chooses the gateway, and each has its address', async () => {
  const context = { log: () => undefined } as unknown as Parameters<typeof openBank>[1];
  const profile = { bankName: 'Sber', userName: 'made-up-api', password: PASSWORD } as const;
  for (const [gateway, of, address] of [
    [undefined, Rbs, 'https://securepayments.sberbank.ru/payment/rest'],
    ['rbs', Rbs, 'https://securepayments.sberbank.ru/payment/rest'],
    ['partner', SberPartner, 'https://ecommerce.sberbank.ru/ecomm/gw/partner/api/v1'],
  ] as const) {
    const bank = await openBank({ ...profile, ...(gateway && { gateway }) }, context);
    assert.ok(bank instanceof of && bank.address === address, gateway);
    await bank.close();
  }
  for (const field of ['account', 'memberId', 'tspMerchantId']) {
    const refused = await openBank({ ...profile, gateway: 'partner', [field]: '1' }, context).catch((error) => error);
    assert.is(refused.field, field);
  }
});

test.run();
