import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fault } from '../../firmware/tools/sandbox-bank/faults.ts';
import { call, each } from '../support.ts';
import {
  answerAbout,
  bodyOf,
  booked,
  givenBack,
  newest,
  noAnswer,
  payer,
  type Rig,
  sendJson,
  sold,
  takenBack,
  withBank,
} from './support.ts';

const test = suite('sandbox bank, faults from a list');
const it = each<[Rig]>(test, (run) => () => withBank(run));

const spoil = ({ sandbox }: Rig, ...faults: Fault[]): void => sandbox.faults.set(faults);

it('refusals come with their HTTP status, do nothing, and carry no code of success', async (rig) => {
  const sale = await sold(rig);
  await payer(rig, sale);
  const honest = await answerAbout(rig, sale);
  for (const [kind, status] of [
    ['error', 500],
    ['too-many', 429],
    ['too-many-untimed', 429],
    ['gone', 404],
    ['not-allowed', 405],
    ['denied', 200],
  ] as const) {
    spoil(rig, { call: 'state', kind });
    const answer = await answerAbout(rig, sale);
    assert.is(answer.status, status, kind);
    assert.is(answer.headers.get('retry-after'), kind === 'too-many' ? '1' : null);
    assert.is.not(answer.text, honest.text);
    assert.not.match(answer.text, /ACCEPTED|DEPOSITED|"orderStatus"|"errorCode":"0"/, kind);
  }
  spoil(rig, { call: 'register', kind: 'refuse' });
  const refused = await sold(rig).catch(() => null);
  assert.is(refused?.payload, undefined);
  assert.is((await booked(rig)).length, 1, 'nothing else is booked');
});

it('lost, broken and missing answers, before the work and after it', async (rig) => {
  for (const [kind, count] of [
    ['drop-before', 0],
    ['drop', 1],
    ['half', 2],
  ] as const) {
    spoil(rig, { call: 'register', kind });
    await noAnswer(sold(rig));
    assert.is((await booked(rig)).length, count, kind);
  }
});

it('answers with something wrong in them differ from the honest one', async (rig) => {
  const sale = await sold(rig);
  const honest = await answerAbout(rig, sale);
  for (const kind of ['nonsense', 'oversize', 'other-payment', 'other-order', 'other-amount', 'no-id'] as const) {
    spoil(rig, { call: 'state', kind });
    assert.is.not((await answerAbout(rig, sale)).text, honest.text, kind);
  }
  spoil(rig, { call: 'state', kind: 'accepted' });
  const { type, retry_after } = bodyOf(await answerAbout(rig, sale), 202);
  assert.equal([type, retry_after], ['processing', 1800]);
  assert.is((await answerAbout(rig, sale)).text, honest.text, 'spent');
});

it('a registration answers with the ids of the payment before, or with a code that has run out', async (rig) => {
  const first = await sold(rig);
  spoil(rig, { call: 'register', kind: 'duplicate' });
  assert.is((await sold(rig)).mdOrder, first.mdOrder);
  spoil(rig, { call: 'register', kind: 'expire' });
  assert.is((await sold(rig)).payload, undefined, 'the call for the code comes too late');
  assert.is((await newest(rig)).state, 'expired');
});

it('cancel and refund are spoiled by their own names', async (rig) => {
  spoil(rig, { call: 'cancel', kind: 'drop' }, { call: 'refund', kind: 'error' });
  await noAnswer(takenBack(rig, await sold(rig)));
  assert.is((await newest(rig)).state, 'cancelled');
  const paid = await sold(rig);
  await payer(rig, paid);
  await noAnswer(givenBack(rig, paid));
  assert.is((await newest(rig)).refunded, 0);
  assert.equal(rig.sandbox.faults.list(), []);
});

it('faults over HTTP spoil as many calls as they say, and wait for a held part of the line', async (rig) => {
  const address = `${rig.url}/sandbox/faults`;
  const set = (...faults: object[]) => sendJson(address, { faults });
  const only = 'POST /rbs/payment/rest/sbp/c2b/qr/status.do';
  const waiting = { call: 'state', kind: 'gone', only, times: 1 };
  const twice = { call: 'register', kind: 'error', times: 2 };
  assert.equal(bodyOf(await set({ ...waiting, times: undefined }, twice)).faults, [waiting, twice]);
  await noAnswer(sold(rig));
  assert.equal(bodyOf(await call(address)).faults, [waiting, { ...twice, times: 1 }]);
  await noAnswer(sold(rig));
  bodyOf(await answerAbout(rig, await sold(rig)));
  assert.equal(bodyOf(await call(address)).faults, [waiting]);
  assert.is((await set({ call: 'register', kind: 'sabotage' })).status, 400);
  assert.equal(bodyOf(await set()).faults, []);
});

test.run();
