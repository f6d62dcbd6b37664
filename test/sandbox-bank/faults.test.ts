import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fault } from '../../firmware/sandbox-bank/faults.ts';
import { call } from '../support.ts';
import { bodyOf, newest, noAnswer, payer, type Rig, sendJson, withBank } from './support.ts';
import { TILLS, type Till } from './tills.ts';

const test = suite('sandbox bank, faults from a list');

const AMOUNT = 5000;

for (const open of TILLS) {
  const { name } = open('');
  const each = (title: string, work: (till: Till, rig: Rig) => Promise<void>): void =>
    test(`${name}: ${title}`, () => withBank((rig) => work(open(rig.url), rig)));
  const spoil = ({ sandbox }: Rig, ...faults: Fault[]): void => sandbox.faults.set(faults);

  each('refusals come with their HTTP status, do nothing, and carry no code of success', async (till, rig) => {
    const { id, link } = await till.register(AMOUNT);
    await payer(rig.url, link);
    const honest = await till.answer(id);
    const unauthorized = ['CFT', 'Raiffeisenbank', 'YooKassa', 'Gazprombank'].includes(name) ? 401 : 200;
    for (const [kind, status] of [
      ['error', 500],
      ['too-many', 429],
      ['too-many-untimed', 429],
      ['gone', 404],
      ['not-allowed', 405],
      ['denied', unauthorized],
    ] as const) {
      spoil(rig, { call: 'state', kind });
      const answer = await till.answer(id);
      assert.is(answer.status, status, kind);
      assert.is(answer.headers.get('retry-after'), kind === 'too-many' ? '1' : null);
      assert.is.not(answer.text, honest.text);
      assert.not.match(answer.text, /ACWP|CONFIRMED|SUCCESS|succeeded|ACCEPTED|"orderStatus"/, kind);
    }
    spoil(rig, { call: 'register', kind: 'refuse' });
    const refused = await till.register(AMOUNT).catch(() => null);
    assert.is(refused?.link, undefined);
    const all = bodyOf(await call(`${rig.url}/sandbox/payments`));
    assert.is(all.length, 1, 'nothing else is booked');
  });

  each('lost, broken and missing answers, before the work and after it', async (till, rig) => {
    const booked = async (): Promise<number> => bodyOf(await call(`${rig.url}/sandbox/payments`)).length;
    for (const [kind, count] of [
      ['drop-before', 0],
      ['drop', 1],
      ['half', 2],
    ] as const) {
      spoil(rig, { call: 'register', kind });
      await noAnswer(till.register(AMOUNT));
      assert.is(await booked(), count, kind);
    }
  });

  each('answers with something wrong in them differ from the honest one', async (till, rig) => {
    const { id } = await till.register(AMOUNT);
    const honest = await till.answer(id);
    for (const kind of ['nonsense', 'oversize', 'other-payment'] as const) {
      spoil(rig, { call: 'state', kind });
      assert.is.not((await till.answer(id)).text, honest.text, kind);
    }
    assert.is((await till.answer(id)).text.length, honest.text.length, 'spent');
  });

  each(
    'a registration answers with the ids of the payment before, or with a code that has run out',
    async (till, rig) => {
      const first = await till.register(AMOUNT);
      spoil(rig, { call: 'register', kind: 'duplicate' });
      assert.is((await till.register(AMOUNT)).id, first.id);
      spoil(rig, { call: 'register', kind: 'expire' });
      await till.register(AMOUNT).catch(() => null); // where a code is a second call, it comes too late
      assert.is((await newest(rig.url)).state, 'expired');
    },
  );

  if (open('').cancels) {
    each('cancel and refund are spoiled by their own names', async (till, rig) => {
      const { id } = await till.register(AMOUNT);
      spoil(rig, { call: 'cancel', kind: 'drop' }, { call: 'refund', kind: 'error' });
      await noAnswer(till.cancel(id));
      assert.is((await newest(rig.url)).state, 'cancelled');
      const paid = await till.register(AMOUNT);
      await payer(rig.url, paid.link);
      await till.refund(paid.id, AMOUNT).catch(() => null);
      assert.is((await newest(rig.url)).refunded, 0);
      assert.equal(rig.sandbox.faults.list(), []);
    });
  }
}

test('a fault that names a part of the line spoils only such calls, and waits', () =>
  withBank(async (rig) => {
    const only = 'PUT /gpb/payment/v1/qrc-status';
    const answer = await sendJson(`${rig.url}/sandbox/faults`, { faults: [{ call: 'state', kind: 'gone', only }] });
    assert.equal(bodyOf(answer).faults, [{ call: 'state', kind: 'gone', only, times: 1 }]);
    for (const open of TILLS) {
      const till = open(rig.url);
      const { id } = await till.register(AMOUNT);
      bodyOf(await till.answer(id));
    }
    assert.is(rig.sandbox.faults.list().length, 1);
  }));

test.run();
