/** What a release tries by itself before a device changes over to it: each fault of a sale and of a look has its sentence. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WireDisplay } from '../drivers/display/wire/wire-display.ts';
import { Ledger } from '../firmware/payments/money/ledger.ts';
import { Money } from '../firmware/payments/money/money.ts';
import { Learning } from '../firmware/recognition/service/learning.ts';
import { runTrial, TrialFailure } from '../firmware/tools/trial/trial.ts';
import { SHIPPED_MANIFEST } from './recognition/fixtures/models.ts';
import { replaced } from './replaced.ts';
import { failed, temporaryFolder } from './support.ts';

const test = suite('the trial of a release');
const NO_MODEL = '/nonexistent/no-model.json';
/** A fault that shows in nothing but a wait is waited for so long. */
const SHORT = { patienceMs: 3000 };

/** What a trial says before each step, to its end. @throws as the trial does */
async function wordsOf(model: string, patience: { readonly patienceMs?: number } = {}): Promise<string[]> {
  using folder = temporaryFolder();
  const said: string[] = [];
  await runTrial({ folder: folder.path, model, say: (step) => void said.push(step), ...patience });
  return said;
}

const SALE = [
  ...['starting', 'setting up a bank and a display', 'asking for a payment', 'paying at the bank'],
  ...['waiting for the payment to be accepted', 'waiting for the symbol on the display', 'learning an item'],
];

for (const [kind, model, looks] of [
  ['with its model', SHIPPED_MANIFEST, ['looking at the tray']],
  ['without a model, which it says', NO_MODEL, []],
] as const)
  test(`a release ${kind} sells, restarts with the sale, names each step`, async () => {
    assert.equal(await wordsOf(model), [...SALE, ...looks, 'reading the payment after a restart']);
  });

const { setStatus } = Ledger.prototype;
const { open } = Money;
const FAULTS: readonly [what: string, sentence: string, fault: () => Disposable, patience?: typeof SHORT][] = [
  [
    'frames never leave',
    'it sends no code of a payment to the display',
    () => replaced(WireDisplay.prototype, 'draw', async () => undefined),
  ],
  [
    'an acceptance is never written',
    'it does not take a payment that the bank has accepted',
    () =>
      replaced(Ledger.prototype, 'setStatus', function (this: Ledger, ...change: Parameters<Ledger['setStatus']>) {
        if (change[1].state !== 'ACCEPTED') setStatus.apply(this, change);
      }),
    SHORT,
  ],
  [
    'no payment can be entered',
    'it cannot ask for a payment: HTTP 500',
    () =>
      replaced(Ledger.prototype, 'insert', () => {
        throw new TypeError('a fault');
      }),
  ],
  [
    'the ledger begins anew with each start',
    'it cannot read a payment: HTTP 404',
    () => {
      let starts = 0;
      return replaced(Money, 'open', (...[file, described]: Parameters<typeof open>) =>
        open.call(Money, { ...file, path: file.path.replace('money', `money-${starts++}`) }, described),
      );
    },
  ],
];
for (const [what, sentence, fault, patience] of FAULTS)
  test(`a release in which ${what} is named, with what it fails at`, async () => {
    using _fault = fault();
    assert.match(String(await failed(TrialFailure, wordsOf(NO_MODEL, patience))), sentence);
  });

test('a release that sees nothing with its model is named', async () => {
  using _fault = replaced(Learning.prototype, 'add', () => {
    throw new TypeError('a fault');
  });
  assert.match(String(await failed(TrialFailure, wordsOf(SHIPPED_MANIFEST, SHORT))), 'it learns no item');
});

test.run();
