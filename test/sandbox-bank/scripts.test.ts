import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unusualForm } from '../../firmware/banks/payment-link.ts';
import { SCRIPTS, scriptedFault, scriptOf } from '../../firmware/tools/sandbox-bank/scripts.ts';
import { each } from '../support.ts';
import {
  answerAbout,
  ask,
  bodyOf,
  booked,
  givenBack,
  MINUTE_MS,
  newest,
  noAnswer,
  payer,
  type Rig,
  type Shown,
  sendJson,
  sold,
  takenBack,
  withBank,
} from './support.ts';

const test = suite('sandbox bank, scripts by kopecks');
const it = each<[Rig]>(test, (run) => () => withBank(run));

const EXPIRY_MS = 5 * MINUTE_MS;
const WORDS = {
  open: 'STARTED',
  processing: 'CONFIRMED',
  paid: 'ACCEPTED',
  declined: 'REJECTED',
  expired: 'REJECTED',
} as const;

async function isIn(rig: Rig, { mdOrder }: Shown, state: keyof typeof WORDS): Promise<void> {
  assert.is((await ask(rig, 'sbp/c2b/qr/status.do', { mdOrder })).qrStatus, WORDS[state]);
}

it('an amount without a script is a plain payment', async (rig) => {
  for (const kopecks of [0, 10, 50, 99]) {
    const sale = await sold(rig, kopecks);
    await isIn(rig, sale, 'open');
    await payer(rig, sale);
    await isIn(rig, sale, 'paid');
    assert.is((await newest(rig)).charges, 1);
  }
});

/** Whether the payer pays, what comes of it in the books, and what the bank says meanwhile: after how many ms more. */
for (const [kopecks, isPaid, end, steps] of [
  [1, false, 'declined', [[0, 'declined']]],
  [
    2,
    false,
    'paid',
    [
      [EXPIRY_MS - 1000, 'open'],
      [1000, 'processing'],
      [3000, 'paid'],
    ],
  ],
  [
    14,
    false,
    'paid',
    [
      [1999, 'open'],
      [1, 'paid'],
      [0, 'processing'],
      [0, 'paid'],
      [0, 'processing'],
    ],
  ],
  [
    16,
    false,
    'paid',
    [
      [2999, 'open'],
      [1, 'paid'],
      [0, 'paid'],
    ],
  ],
  [
    17,
    false,
    'paid',
    [
      [EXPIRY_MS, 'expired'],
      [29_999, 'expired'],
      [1, 'paid'],
    ],
  ],
  [22, false, 'expired', [[0, 'expired']]],
  [
    23,
    true,
    'paid',
    [
      [9999, 'processing'],
      [1, 'paid'],
    ],
  ],
  [
    24,
    true,
    'declined',
    [
      [2999, 'processing'],
      [1, 'declined'],
    ],
  ],
] as const)
  it(`${kopecks}: ${SCRIPTS[kopecks].does}`, async (rig) => {
    const sale = await sold(rig, kopecks);
    if (isPaid) await payer(rig, sale);
    for (const [ms, state] of steps) {
      rig.clock.go(ms);
      await isIn(rig, sale, state);
    }
    const { state, charges } = await newest(rig);
    assert.equal([state, charges], [end, end === 'paid' ? 1 : 0]);
  });

it('03 never reports its state, though it is registered', async (rig) => {
  const asking = noAnswer(answerAbout(rig, await sold(rig, 3)));
  assert.is((await newest(rig)).state, 'open');
  await rig.sandbox.close();
  await asking;
});

it('04 is registered, its first answer lost; a repeat is answered: the order is known', async (rig) => {
  await noAnswer(sold(rig, 4, 'order-4'));
  const lost = await newest(rig);
  assert.equal([lost.amount, lost.state], [5004, 'open']);
  assert.is((await sold(rig, 4, 'order-4')).payload, undefined);
});

it('05 answers with the id of the payment before', async (rig) => {
  const earlier = await sold(rig);
  assert.is((await sold(rig, 5)).mdOrder, earlier.mdOrder);
});

it('07 and 08 refuse each call twice, 09 once, before it is done', async (rig) => {
  for (const [kopecks, status, refusals, timed] of [
    [7, 429, 2, true],
    [8, 429, 2, false],
    [9, 500, 1, false],
  ] as const) {
    const orderNumber = `order-${kopecks}`;
    const refused = async (): Promise<void> => {
      const refusal = await sold(rig, kopecks, orderNumber).catch((error: assert.Assertion) => error.actual);
      assert.is(refusal, status);
    };
    const before = (await booked(rig)).length;
    for (let turn = 0; turn < refusals; turn++) {
      await refused();
      assert.is((await booked(rig)).length, before);
    }
    // of the second call of a registration, 09 is one, too
    if (kopecks === 9) await refused();
    else await sold(rig, kopecks, orderNumber);
    const { amount, bankId: mdOrder } = await newest(rig);
    assert.is(amount, 5000 + kopecks);
    for (let turn = 0; turn < refusals; turn++) {
      const answer = await answerAbout(rig, { mdOrder });
      assert.is(answer.status, status);
      assert.is(answer.headers.has('retry-after'), timed);
    }
    bodyOf(await answerAbout(rig, { mdOrder }));
  }
});

it('12 reports another amount, 13 another payment', async (rig) => {
  assert.not.match((await answerAbout(rig, await sold(rig, 12))).text, '5012');
  assert.match((await answerAbout(rig, await sold(rig, 13))).text, 'ANOTHERPAYMENT');
});

it('37 has a link of nothing but its id, 38 one with a field that is new, and each can be paid', async (rig) => {
  for (const [kopecks, form] of [
    [37, 'the link carries no amount'],
    [38, 'a new field: way'],
  ] as const) {
    const sale = await sold(rig, kopecks);
    const { link } = await newest(rig);
    assert.equal([sale.payload, unusualForm(link, 'this-machine')], [link, form]);
    await payer(rig, sale);
    await isIn(rig, sale, 'paid');
  }
});

it('33 is not refunded for want of a consent', async (rig) => {
  const sale = await sold(rig, 33);
  await payer(rig, sale);
  assert.is(await givenBack(rig, sale, 33), '7');
  assert.is((await newest(rig)).refunded, 0);
});

it('18 is not refunded, 19 is refunded later', async (rig) => {
  for (const [kopecks, first, refunded] of [
    [18, '7', 0],
    [19, undefined, 5019],
  ] as const) {
    const sale = await sold(rig, kopecks);
    await payer(rig, sale);
    assert.is(await givenBack(rig, sale, kopecks), first);
    for (const [ms, back] of [
      [4999, 0],
      [1, refunded],
    ] as const) {
      rig.clock.go(ms);
      assert.is(bodyOf(await answerAbout(rig, sale)).paymentAmountInfo.refundedAmount, back);
    }
    assert.is((await newest(rig)).refunded, refunded);
  }
});

it('21 is paid in the moment in which it is cancelled', async (rig) => {
  const sale = await sold(rig, 21);
  assert.is(await takenBack(rig, sale), '7');
  assert.is((await newest(rig)).charges, 1);
  await isIn(rig, sale, 'paid');
});

it('39 is not cancelled and does not say so, 41 is refused to be; either is paid afterwards', async (rig) => {
  const silent = await sold(rig, 39);
  await noAnswer(takenBack(rig, silent));
  await noAnswer(takenBack(rig, silent));
  await payer(rig, silent);
  await isIn(rig, silent, 'paid');
  const refused = await sold(rig, 41);
  assert.is(await takenBack(rig, refused), '5');
  await payer(rig, refused);
  await isIn(rig, refused, 'paid');
});

it('25 breaks each answer in its middle, once; 26 and 27 lose that of a cancel and a refund', async (rig) => {
  await noAnswer(sold(rig, 25));
  assert.is((await newest(rig)).amount, 5025, 'the work is done');
  await noAnswer(takenBack(rig, await sold(rig, 26)));
  assert.is((await newest(rig)).state, 'cancelled');
  const paid = await sold(rig, 27);
  await payer(rig, paid);
  await noAnswer(givenBack(rig, paid, 27));
  assert.is((await newest(rig)).refunded, 5027);
});

it('28 is refused when it is registered, 29 is out of reach', async (rig) => {
  assert.is((await sold(rig, 28)).payload, undefined);
  await noAnswer(sold(rig, 29));
  assert.equal(await booked(rig), []);
});

it('30 is never refunded, and that is never reported', async (rig) => {
  const sale = await sold(rig, 30);
  await payer(rig, sale);
  for (const _ of [1, 2, 3]) await noAnswer(givenBack(rig, sale, 30));
  assert.is((await newest(rig)).refunded, 0);
});

it('where nothing names an order, a script begins anew with each payment', async ({ url }) => {
  const ids = { extEntityId: 'E1', merchantId: 'M1', accAlias: 'A1' };
  const pay = () => sendJson(`${url}/qr`, { ...ids, amount: 5004, qrcType: '02', expDt: 5 });
  for (const _ of [1, 2]) {
    await noAnswer(pay());
    bodyOf(await pay());
  }
});

test('06 is late with each answer', () => {
  for (const call of ['register', 'state', 'cancel', 'refund'] as const) {
    assert.equal(scriptedFault(5006, call, 999), { call, kind: 'delay', times: 1_000_000, ms: 3000 });
  }
});

test('sums up to one rouble are plain: a till that is tried with a kopeck meets no script', () => {
  for (let kopecks = 1; kopecks <= 100; kopecks++) assert.is(scriptOf(kopecks), null);
  assert.is(scriptOf(101), SCRIPTS[1]);
});

test.run();
