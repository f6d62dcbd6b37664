/** What `lanectl doctor` says of each part that is not well: a command that mends it, or says more than doctor has. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeviceClient } from '../../firmware/core/cli/client.ts';
import { faultsOfParts } from '../../firmware/lanectl/commands/doctor.ts';
import { answering, scripted } from './stand-in.ts';

const test = suite('lanectl doctor and the parts of a device');

const PARTS = [
  ...['settings', 'bank', 'payments', 'ledger', 'display', 'camera', 'model', 'templates', 'tray', 'sync', 'chain'],
  ...['webhooks', 'pins', 'clock', 'disk', 'board', 'update', 'tls', 'audit', 'a part that is to come'],
];
/** They say what `lanectl doctor` has said. */
const SAYS_THE_SAME = /lanectl(?:\.sh)? (?:status|doctor)$/;

/** The commands for a device whose every part is ill, and that has these payments. */
async function commands(payments: readonly object[]): Promise<readonly string[]> {
  await using device = await scripted(answering(200, { payments }));
  const url = device.env.LANEWARE_URL;
  const given = { terminal: url, recognition: url };
  const client = new DeviceClient({ given, token: null, onSlow: () => undefined });
  const ill = { state: 'failed', sales: 'sells-look-later', reason: 'made up', reasons: [] } as const;
  const parts = PARTS.map((part) => ({ ...ill, part, reasons: [...ill.reasons] }));
  const faults = await faultsOfParts(client, { parts });
  return faults.map(({ command }) => command);
}

test('none repeats what doctor has said', async () => {
  for (const payments of [[], [{ number: 7, state: 'ACCEPTED', late: true }]]) {
    const all = await commands(payments);
    assert.is(all.length, PARTS.length);
    const same = all.filter((command) => SAYS_THE_SAME.test(command));
    assert.equal(same, []);
  }
});

test('the payment to look into is named: a late one, else the oldest that is open', async () => {
  const open = (number: number) => ({ number, state: 'PENDING', late: false });
  const late = { number: 5, state: 'ACCEPTED', late: true };
  for (const [payments, words] of [
    [[open(9), late, open(2)], / status 5$/],
    [[open(9), open(2)], / status 2$/],
    [[], / call getDayReport$/],
  ] as const)
    assert.match((await commands(payments))[PARTS.indexOf('payments')] ?? '', words);
});

test.run();
