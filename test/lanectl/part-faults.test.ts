/** What `lanectl doctor` says of each part that is not well: a command that mends it, or says more than doctor has. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeviceClient } from '../../firmware/core/cli/client.ts';
import { faultsOfParts, speakerOffer } from '../../firmware/lanectl/commands/doctor.ts';
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

for (const [what, voice, ill, offer] of [
  ['no speaker', { mode: 'sum', device: null, speakers: [] }, / call readVoice$/, null],
  ['the one in use', { mode: 'sum', device: 'plughw:CARD=A', speakers: ['A'] }, / call readVoice$/, null],
  [
    'another one',
    { mode: 'chime', device: 'plughw:CARD=A', speakers: ['A', 'B'] },
    /--device plughw:CARD=B,DEV=0$/,
    null,
  ],
  [
    'one, and no voice',
    { mode: 'off', device: null, speakers: ['A'] },
    /A,DEV=0$/,
    /--mode sum --device plughw:CARD=A,DEV=0$/,
  ],
  ['no answer to understand', null, / call readVoice$/, null],
] as const)
  test(`speakers: with ${what}, the commands are those that help`, async () => {
    const speakers = voice?.speakers.map((card) => ({ name: `plughw:CARD=${card},DEV=0`, title: card }));
    const answer = voice === null ? answering(404, {}) : answering(200, { ...voice, speakers });
    await using device = await scripted(answer);
    const url = device.env.LANEWARE_URL;
    const client = new DeviceClient({
      given: { terminal: url, recognition: url },
      token: null,
      onSlow: () => undefined,
    });
    const part = {
      part: 'voice',
      state: 'degraded',
      sales: 'sells-look-later',
      reason: 'made up',
      reasons: [],
    } as const;
    const [fault] = await faultsOfParts(client, { parts: [{ ...part, reasons: [] }] });
    assert.match(fault?.command ?? '', ill);
    assert.match((await speakerOffer(client)) ?? '', offer ?? /^$/);
  });

test.run();
