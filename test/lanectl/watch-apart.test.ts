/** `lanectl watch` as it is typed: across a restart of the device. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { startFirmware } from '../process.ts';
import { call, pick, QUICK, setUp, temporaryFolder, until } from '../support.ts';
import { ends, leadingTo, start } from './lanectl.ts';
import { paid, SALE } from './watched-sale.ts';

const test = suite('lanectl watch, as it is typed');

test('across a restart of the device the watch loses no event and prints none twice', async () => {
  using folder = temporaryFolder();
  const settings = {
    LANEWARE_TERMINAL_PORT: String(await freePort()),
    LANEWARE_RECOGNITION_PORT: String(await freePort()),
    LANEWARE_SANDBOXBANK_PORT: String(await freePort()),
  };
  const first = await startFirmware(folder.path, { settings, tuning: QUICK });
  await setUp(first.urls);
  await using running = start(['watch', '--json', '--after', '0'], { env: leadingTo(first.urls) });
  await paid(first.urls, 100);
  await until('the first sale', () => running.lines().length === SALE.length);
  await first.program.kill('SIGKILL');
  const second = await startFirmware(folder.path, { settings, tuning: QUICK });
  await using _second = second.program;
  // killed between its answer and the note that a till has read it, the device reports the payment before again
  await call(`${second.urls.terminal}/getDynamicQRStatus`);
  // the watch is not connected yet: it gets these events when the connection is back
  await paid(second.urls, 200);
  await until('the second sale', () => running.lines().length >= 2 * SALE.length);
  running.signal('SIGINT');
  await ends('interrupted', running.ended);
  const printed = running.lines();
  assert.equal(pick(printed, 'type'), [...SALE, ...SALE]);
  const numbers = printed.map(({ number }) => number);
  const inOrder = [...new Set(numbers)].sort((one, other) => one - other);
  assert.equal(numbers, inOrder);
});

test.run();
