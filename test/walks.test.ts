/** The walks that `test/tools/measure-house.ts --walks` counts are those of whole operations. */
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from './needing.ts';
import { ROOT } from './root.ts';
import { ownRooms, type Walk, walks } from './tools/house/walks.ts';

const test = suiteNeeding(missingPrograms('socat', 'nats-server'), 'the walks of the house');

/** Rooms, or beginnings of names in them: what a file is called there may change. */
function passes({ wide, narrow }: Walk, through: readonly string[], notThrough: readonly string[]): void {
  const isIn = (paths: readonly string[], room: string) => paths.some((path) => path.startsWith(room));
  for (const room of through) assert.ok(isIn(narrow, room), `${room} is of ${narrow.join(' ')}`);
  for (const room of notThrough) assert.not.ok(isIn(wide, room), `${room} is of ${wide.join(' ')}`);
  assert.ok(isIn(wide, 'firmware/http/'), 'the server is passed, too');
  assert.not.ok(isIn(narrow, 'firmware/http/'), 'it is of no own room');
}

test('an amount goes to the wire, a frame to its answer and a template to the other device', async () => {
  const { amount, frame, template } = await walks(ROOT);
  passes(
    amount,
    ['firmware/terminal/http/', 'firmware/terminal/payments/', 'drivers/display/wire/serial'],
    ['firmware/recognition/matching/', 'firmware/terminal/reports/'],
  );
  // the model runs in another thread
  passes(
    frame,
    ['drivers/camera/push', 'firmware/recognition/http/', 'firmware/recognition/embedding/litert'],
    ['firmware/terminal/payments/', 'firmware/sync/centre/'],
  );
  // the centre is the master's, to whom it goes
  passes(
    template,
    ['drivers/camera/push', 'firmware/recognition/templates/', 'firmware/sync/member/', 'firmware/sync/centre/'],
    ['firmware/terminal/payments/'],
  );
});

test('what runs meanwhile in another room is no part of a walk, nor what serves every room', () => {
  const own = {
    terminal: ['firmware/terminal/terminal.ts', 'drivers/display/screen.ts'],
    recognition: ['firmware/recognition/recogniser.ts', 'drivers/camera/push.ts'],
    sync: ['firmware/sync/sync.ts'],
  };
  const generic = ['firmware/device.ts', 'firmware/http/body.ts', 'firmware/store/database.ts', 'drivers/lib/async.ts'];
  const others = ['firmware/sandbox-bank/server.ts', 'firmware/terminal/health.ts', 'firmware/recognition/errors.ts'];
  const all = [...Object.values(own).flat(), ...generic, ...others];
  assert.equal(ownRooms('terminal', all), own.terminal);
  assert.equal(ownRooms('recognition', all), own.recognition);
  // what is learned is what travels
  assert.equal(ownRooms('sync', all), [...own.recognition, ...own.sync]);
});

test.run();
