/** What a release tries by itself before a device changes over to it: each fault of a sale and of a look has its sentence. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WireDisplay } from '../../drivers/display/wire/wire-display.ts';
import { Recognition } from '../../firmware/recognition/recognition.ts';
import { Ledger } from '../../firmware/terminal/ledger/ledger.ts';
import { runTrial } from '../../firmware/trial/trial.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('the trial of a release');
const NO_MODEL = '/nonexistent/no-model.json';
/** A fault that shows in nothing but a wait is waited for so long. */
const SHORT_MS = 3000;

/** The last that a trial said. */
async function lastWordOf(model: string, patienceMs?: number): Promise<string> {
  using folder = temporaryFolder();
  let said = '';
  const say = (step: string): void => {
    said = step;
  };
  const patience = patienceMs === undefined ? {} : { patienceMs };
  try {
    await runTrial({ folder: folder.path, model, say, ...patience });
  } catch (error) {
    return String(error);
  }
  return said;
}

/** Another value in the place of a method, until it is disposed of. */
function replaced(target: object, name: string, value: (...given: never[]) => unknown): Disposable {
  const before = Object.getOwnPropertyDescriptor(target, name);
  if (before === undefined) throw new Error(`there is no ${name} to replace`);
  Object.defineProperty(target, name, { ...before, value });
  return { [Symbol.dispose]: () => void Object.defineProperty(target, name, before) };
}

for (const [kind, model] of [
  ['with its model', SHIPPED_MANIFEST],
  ['without a model, which it says', NO_MODEL],
] as const)
  test(`a release ${kind} sells, and knows of the sale after a restart`, async () => {
    assert.is(await lastWordOf(model), 'reading the payment after a restart');
  });

const { setStatus } = Ledger.prototype;
const { open } = Ledger;
const FAULTS: readonly [what: string, sentence: string, fault: () => Disposable][] = [
  [
    'frames never leave',
    'it sends no code of a payment to the display',
    () => replaced(WireDisplay.prototype, 'show', async () => undefined),
  ],
  [
    'an acceptance is never written',
    'it does not take a payment that the bank has accepted',
    () =>
      replaced(Ledger.prototype, 'setStatus', function (this: Ledger, ...change: Parameters<Ledger['setStatus']>) {
        if (change[1].state !== 'ACCEPTED') setStatus.apply(this, change);
      }),
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
      return replaced(Ledger, 'open', (place: Parameters<typeof open>[0]) =>
        open.call(Ledger, { ...place, path: `${place.path}-${starts++}` }),
      );
    },
  ],
];
for (const [what, sentence, fault] of FAULTS)
  test(`a release in which ${what} is named: ${sentence}`, async () => {
    using _fault = fault();
    assert.match(await lastWordOf(NO_MODEL, SHORT_MS), sentence);
  });

test('a release that sees nothing with its model is named', async () => {
  using _fault = replaced(Recognition.prototype, 'addTemplate', () => {
    throw new TypeError('a fault');
  });
  assert.match(await lastWordOf(SHIPPED_MANIFEST, SHORT_MS), 'it learns no item');
});

test.run();
