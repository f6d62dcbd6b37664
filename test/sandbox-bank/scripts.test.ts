import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SCRIPTS, scriptedFault, scriptOf } from '../../firmware/sandbox-bank/scripts.ts';
import { call } from '../support.ts';
import { type Body, bodyOf, MINUTE_MS, newest, noAnswer, payer, type Rig, withBank } from './support.ts';
import { TILLS, type Till, WORDS } from './tills.ts';

const test = suite('sandbox bank, scripts by kopecks');

const DOCS = new URL('../../docs/sandbox-bank.md', import.meta.url);
/** 50 roubles and so many kopecks. */
const sum = (kopecks: number): number => 5000 + kopecks;
const HOUR_MS = 60 * MINUTE_MS;

for (const open of TILLS) {
  const { name } = open('');
  const each = (title: string, work: (till: Till, rig: Rig) => Promise<void>): void =>
    test(`${name}: ${title}`, () => withBank((rig) => work(open(rig.url), rig)));
  const expiryMs = name === 'YooKassa' ? HOUR_MS : 5 * MINUTE_MS;
  const isIn = async (till: Till, id: string, state: keyof typeof WORDS): Promise<void> => {
    const word = await till.state(id);
    assert.ok(WORDS[state].includes(word), `${word} is not ${state}`);
  };
  const charges = async ({ url }: Rig): Promise<Body> => (await newest(url)).charges;

  each('an amount without a script is a plain payment', async (till, rig) => {
    for (const kopecks of [0, 10, 50, 99]) {
      const { id, link } = await till.register(sum(kopecks));
      await isIn(till, id, 'open');
      await payer(rig.url, link);
      await isIn(till, id, 'paid');
      assert.is(await charges(rig), 1);
    }
  });

  each('01 is declined at once', async (till, rig) => {
    const { id } = await till.register(sum(1));
    await isIn(till, id, 'declined');
    assert.is(await charges(rig), 0);
  });

  each('02 is accepted after the time of its code', async (till, { clock, ...rig }) => {
    const { id } = await till.register(sum(2));
    clock.go(expiryMs - 1000);
    await isIn(till, id, 'open');
    clock.go(1000);
    await isIn(till, id, 'processing');
    clock.go(3000);
    await isIn(till, id, 'paid');
    assert.is(await charges({ clock, ...rig }), 1);
  });

  each('05 answers with the id of the payment before', async (till) => {
    const earlier = await till.register(sum(0));
    assert.is((await till.register(sum(5))).id, earlier.id);
  });

  each('12 reports another amount', async (till) => {
    const { id, link } = await till.register(sum(12));
    if (till.tellsAmount) assert.not.match((await till.answer(id)).text, /50\.12|5012/);
    else assert.match(link, 'sum=99999999');
  });

  each('13 reports another payment', async (till) => {
    const { id } = await till.register(sum(13));
    assert.match((await till.answer(id)).text, /ANOTHERPAYMENT|another-order/);
  });

  each('14 is paid by itself, and answers overtake each other', async (till, { clock }) => {
    const { id } = await till.register(sum(14));
    clock.go(1999);
    await isIn(till, id, 'open');
    clock.go(1);
    for (const state of ['paid', 'processing', 'paid', 'processing'] as const) await isIn(till, id, state);
  });

  each('16 is paid by itself, once', async (till, rig) => {
    const { id } = await till.register(sum(16));
    rig.clock.go(2999);
    await isIn(till, id, 'open');
    rig.clock.go(1);
    await isIn(till, id, 'paid');
    await isIn(till, id, 'paid');
    assert.is(await charges(rig), 1);
  });

  each('17 expires, and is paid anyway', async (till, { clock }) => {
    const { id } = await till.register(sum(17));
    clock.go(expiryMs);
    await isIn(till, id, 'expired');
    clock.go(5000);
    await isIn(till, id, 'paid');
  });

  each('18 is not refunded, 19 is refunded later', async (till, rig) => {
    for (const [kopecks, first, later] of [
      [18, 'refused', null],
      [19, name === 'CFT' || name === 'AnyWay' ? 'done' : 'pending', 'done'],
    ] as const) {
      const { id, link } = await till.register(sum(kopecks));
      await payer(rig.url, link);
      const refund = await till.refund(id, sum(kopecks));
      assert.is(refund.first, first);
      rig.clock.go(5000);
      if (later !== null) assert.is(await refund.later(), later);
      assert.is((await newest(rig.url)).refunded, later === null ? 0 : sum(kopecks));
    }
  });

  each('28 is refused when it is registered, 29 is out of reach', async (till, rig) => {
    const refused = await till.register(sum(28)).catch(() => null);
    assert.is(refused?.link, undefined);
    await noAnswer(till.register(sum(29)));
    assert.equal(bodyOf(await call(`${rig.url}/sandbox/payments`)), []);
  });

  each('30 is never refunded, and that is never reported', async (till, rig) => {
    const { id, link } = await till.register(sum(30));
    await payer(rig.url, link);
    for (const _ of [1, 2, 3]) await noAnswer(till.refund(id, sum(30)));
    assert.is((await newest(rig.url)).refunded, 0);
  });

  each('21 is paid in the moment in which it is cancelled', async (till, rig) => {
    if (!till.cancels) return;
    const { id } = await till.register(sum(21));
    assert.is(await till.cancel(id), name === 'T-Bank' ? 'refunded' : 'refused');
    assert.is(await charges(rig), 1);
    if (name !== 'T-Bank') await isIn(till, id, 'paid');
  });

  each('22 has expired at once', async (till, rig) => {
    const { id } = await till.register(sum(22));
    await isIn(till, id, 'expired');
    assert.is((await newest(rig.url)).state, 'expired');
  });

  each('23 and 24 are in processing once the payer has paid; 24 ends declined', async (till, rig) => {
    for (const [kopecks, ms, end, taken] of [
      [23, 10_000, 'paid', 1],
      [24, 3000, 'declined', 0],
    ] as const) {
      const { id, link } = await till.register(sum(kopecks));
      await payer(rig.url, link);
      rig.clock.go(ms - 1);
      await isIn(till, id, 'processing');
      rig.clock.go(1);
      await isIn(till, id, end);
      assert.is(await charges(rig), taken);
    }
  });

  each('03 never reports its state, though it is registered', async (till, rig) => {
    const { id } = await till.register(sum(3));
    const asking = noAnswer(till.state(id));
    assert.is((await newest(rig.url)).state, 'open');
    await rig.sandbox.close();
    await asking;
  });

  each('04 is registered, its first answer lost; a repeat is answered', async (till, rig) => {
    await noAnswer(till.register(sum(4), 'order-4'));
    const lost = await newest(rig.url);
    assert.equal([lost.amount, lost.state], [sum(4), 'open']);
    const repeat = await till.register(sum(4), 'order-4').catch(() => null);
    // a bank that knows the order by its number refuses it now; others give the same payment or a new one
    if (name === 'RBS') assert.is(repeat?.link, undefined);
    else assert.ok(repeat?.link);
  });

  each('07 and 08 refuse each call twice, 09 once, before it is done', async (till, rig) => {
    for (const [kopecks, status, refusals, timed] of [
      [7, 429, 2, true],
      [8, 429, 2, false],
      [9, 500, 1, false],
    ] as const) {
      const order = `order-${kopecks}`;
      for (let turn = 0; turn < refusals; turn++) {
        const refusal = await till.register(sum(kopecks), order).catch((error: assert.Assertion) => error.actual);
        assert.is(refusal, status);
        assert.is.not((await newest(rig.url))?.amount, sum(kopecks));
      }
      // where a code is a second call, that is refused, too: the next order would begin anew
      if (till.steps === 2) continue;
      const { id } = await till.register(sum(kopecks), order);
      for (let turn = 0; turn < refusals; turn++) {
        const answer = await till.answer(id);
        assert.is(answer.status, status);
        assert.is(answer.headers.has('retry-after'), timed);
      }
      bodyOf(await till.answer(id));
      assert.is((await newest(rig.url)).amount, sum(kopecks));
    }
  });

  each('25 breaks each answer in its middle, once; 26 and 27 lose that of a cancel and a refund', async (till, rig) => {
    await noAnswer(till.register(sum(25), 'order-25'));
    assert.is((await newest(rig.url)).amount, sum(25), 'the work is done');
    if (till.cancels) {
      const { id } = await till.register(sum(26));
      await noAnswer(till.cancel(id));
      assert.is((await newest(rig.url)).state, 'cancelled');
    }
    const { id, link } = await till.register(sum(27));
    await payer(rig.url, link);
    await noAnswer(till.refund(id, sum(27)));
    assert.is((await newest(rig.url)).refunded, sum(27));
  });
}

test('06 is late with each answer', () => {
  for (const call of ['register', 'state', 'cancel', 'refund'] as const) {
    assert.equal(scriptedFault(sum(6), call, 999, true), { call, kind: 'delay', times: 1_000_000, ms: 3000 });
  }
});

test('sums up to one rouble are plain: a till that is tried with a kopeck meets no script', () => {
  for (let kopecks = 1; kopecks <= 100; kopecks++) assert.is(scriptOf(kopecks), null);
  assert.is(scriptOf(101), 1);
});

test('the table of the documentation is the one of the code', () => {
  const rows = [...readFileSync(DOCS, 'utf8').matchAll(/^\| (\d\d) \| (.+) \|$/gm)].map(([, code, does]) => [
    code,
    does,
  ]);
  const expected = Object.entries(SCRIPTS).map(([code, { does }]) => [code.padStart(2, '0'), does]);
  assert.equal(rows, expected);
});

test.run();
