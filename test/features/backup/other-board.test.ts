/** A backup on another board: a refund that was open is sent by the first board alone, and counts nowhere until somebody knows what became of it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice, temporaryFolder } from '../../support.ts';
import { dayOf, ENVIRONMENT, keyed, onRig, openShiftOf, paid, reasonsOf } from './money-rig.ts';
import { formOf, made, putBack } from './rig.ts';

const test = suite('backups on another board: refunds that were open');

const ASKED = 20_000;
const REST = 50_000;

for (const outcome of ['done', 'refused'] as const)
  test(
    `it is named until somebody has decided (${outcome}), and counts in day and shift alike`,
    onRig('Gazprombank', async ({ bank, folder, settings }) => {
      using other = temporaryFolder();
      let id = '';
      let file: Buffer;
      {
        await using device = await startTestDevice(ENVIRONMENT, folder);
        await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
        id = await paid(device, bank, 'sale-1');
        bank.faults.set([{ call: 'refund', kind: 'drop', times: 1000 }]);
        const { body } = await call(`${device.terminal}/v1/payments/${id}/refunds`, keyed('r1', { amount: ASKED }));
        assert.is(body.state, 'unknown');
        file = await made(device);
      }
      bank.faults.set([]);
      const atBank = () => bank.payments.list(1)[0]?.refunded;
      const before = atBank();
      {
        await using device = await startTestDevice(ENVIRONMENT, other.path);
        assert.is((await putBack(device, formOf(file))).status, 200);
      }
      await using device = await startTestDevice(ENVIRONMENT, other.path);
      const refunds = `${device.terminal}/v1/payments/${id}/refunds`;
      const ask = (key: string, amount: number) => call(refunds, keyed(key, { amount }));
      const again = await ask('r1', ASKED);
      assert.equal([again.status, again.body.state, again.body.decided], [202, 'unknown', null]);
      assert.is((await ask('r2', REST)).body.code, 'Payments.RefundOpen');
      assert.is(atBank(), before, 'it is never sent from here');
      const counted = async () => [(await dayOf(device)).refunds, (await openShiftOf(device)).refunds];
      assert.equal(await counted(), [0, 0]);
      assert.ok((await reasonsOf(device)).includes('refunds-undecided'));
      const decided = await call(`${refunds}/r1/decide`, { json: { outcome, note: 'looked at the bank' } });
      assert.equal([decided.status, decided.body.state], [200, outcome], decided.text);
      const gone = outcome === 'done' ? ASKED : 0;
      assert.equal(await counted(), [gone, gone]);
      assert.not((await reasonsOf(device)).includes('refunds-undecided'));
      assert.is(atBank(), before);
      const next = await ask('r2', REST);
      assert.ok(['pending', 'done'].includes(next.body.state), next.text);
    }),
  );

test.run();
