/** `lanectl pay` as it is typed: a sale from a shell, with connections lost, keys pressed and processes killed on the way. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import jsQR from 'jsqr';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingPrograms, needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { startFirmware } from '../process.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { newestAtBank, payNewest } from '../terminal/device-calls.ts';
import { ends, lanectl, leadingTo, type Running, start } from './lanectl.ts';
import { answering, hangUp, PAYMENT, scripted } from './stand-in.ts';

const test = suite('lanectl pay, as it is typed');
const onTerminal = needing(missingPrograms('script'), 'a terminal', test);

interface Lane extends Pick<TestDevice, 'terminal' | 'recognition' | 'sandbox'> {
  readonly env: Record<string, string>;
}

const onLane = (judge: (lane: Lane) => Promise<void>) => async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await judge({ ...device, env: leadingTo(device) });
};

const payments = async ({ terminal }: Pick<Lane, 'terminal'>) => (await call(`${terminal}/v1/payments`)).body.payments;

/** The customer pays what the bank was asked for last. */
async function payLast(lane: Pick<Lane, 'sandbox'>): Promise<void> {
  await until('a payment at the bank', async () => (await newestAtBank(lane))?.coded === true);
  await payNewest(lane);
}

/** All that it has printed, as soon as that is part of it. */
async function printed(running: Running, what: RegExp): Promise<string> {
  await until(String(what), () => what.test(running.text()));
  return running.text();
}

const shown = (running: Running) => until('the code', () => running.lines()[0]);

test(
  'a payment that is paid ends with 0; programs get it when it is shown and when it has ended',
  onLane(async (lane) => {
    await using running = start(['pay', '123,45', '--purpose', 'Apples', '--json', '--key', 'sale-1'], {
      env: lane.env,
    });
    const first = await shown(running);
    assert.equal([first.state, first.amount, first.purpose, first.key], ['PENDING', 12_345, 'Apples', 'sale-1']);
    assert.match(first.link, /^http/);
    await payLast(lane);
    const { code, stderr } = await running.ended;
    assert.equal([code, stderr], [0, '']);
    const [, last, ...more] = running.lines();
    assert.equal([last?.state, last?.id, more.length], ['ACCEPTED', first.id, 0]);
    // the till has read it, so it is not reported as late
    assert.is((await payments(lane))[0].late, false);
  }),
);

onTerminal(
  'on a terminal the code scans, the time counts down, and Ctrl-C cancels the payment aloud',
  onLane(async (lane) => {
    await using running = start(['pay', '12.34', '--ttl', '3'], { env: lane.env, terminal: true });
    const text = await printed(running, /waiting for 12\.34 roubles, 2:5\d left/);
    const [payment] = await payments(lane);
    assert.is(scanned(text), payment.payload);
    assert.match(text, payment.link);
    running.signal('SIGINT');
    const { stdout } = await ends('cancelled', running.ended);
    assert.match(stdout, /payment 1 of 12\.34 roubles: cancelled: it can no longer be paid\r\n$/);
    assert.is((await payments(lane))[0].state, 'CANCELED');
  }),
);

onTerminal(
  'without colours the code is drawn in light on dark, and with --no-qr not at all',
  onLane(async (lane) => {
    const env = { ...lane.env, NO_COLOR: '1' };
    await using running = start(['pay', '10', '--key', 'k'], { env, terminal: true });
    const text = await printed(running, /Ctrl-C cancels it/);
    assert.is(scanned(text), (await payments(lane))[0].payload);
    await using plain = start(['pay', '10', '--key', 'k', '--no-qr'], { env, terminal: true });
    assert.not.match(await printed(plain, /Ctrl-C/), '▀');
  }),
);

/** What the drawn code says, read as a camera reads it. */
function scanned(text: string): string | undefined {
  const isDarkDrawn = text.includes('\u001b[30m');
  const lines = text
    .split('\r\n')
    .map((line) => stripVTControlCharacters(line).replaceAll('\r', ''))
    .filter((line) => /^[█▀▄ ]{20,}$/.test(line));
  const width = lines[0]?.length ?? 0;
  const rows = lines.flatMap((line) => [
    [...line].map((half) => '█▀'.includes(half) === isDarkDrawn),
    [...line].map((half) => '█▄'.includes(half) === isDarkDrawn),
  ]);
  const scale = 6;
  const side = width * scale;
  const pixels = new Uint8ClampedArray(side * rows.length * scale * 4).fill(255);
  for (let y = 0; y < rows.length * scale; y++)
    for (let x = 0; x < side; x++)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
  return jsQR.default(pixels, side, rows.length * scale)?.data;
}

test('with the device killed while the customer looks, the same payment goes on, is paid once', async () => {
  using folder = temporaryFolder();
  const settings = {
    LANEWARE_TERMINAL_PORT: String(await freePort()),
    LANEWARE_RECOGNITION_PORT: String(await freePort()),
    LANEWARE_SANDBOXBANK_PORT: String(await freePort()),
  };
  const first = await startFirmware(folder.path, { settings });
  await setUp(first.urls);
  await using running = start(['pay', '10', '--json'], { env: leadingTo(first.urls) });
  const { id } = await shown(running);
  await first.program.kill('SIGKILL');
  const second = await startFirmware(folder.path, { settings });
  await using _second = second.program;
  await payLast({ sandbox: second.urls.sandbox ?? '' });
  await ends('ok', running.ended);
  const all = await payments(second.urls);
  const states = all.map((payment: { id: string; state: string }) => [payment.id, payment.state]);
  assert.equal(states, [[id, 'ACCEPTED']]);
});

test('a command that takes long says what it waits for, and one that waits on purpose does not', async () => {
  const late = (response: ServerResponse): void => void setTimeout(() => answering(201, PAYMENT)(response), 2500);
  const paid = (response: ServerResponse): void =>
    void setTimeout(() => answering(200, { ...PAYMENT, state: 'ACCEPTED' })(response), 2500);
  await using device = await scripted(late, paid);
  const { stderr } = await ends('ok', lanectl(['pay', '10'], { env: device.env }));
  assert.match(stderr, /^waiting for 127\.0\.0\.1:\d+ to answer, up to a minute\n$/);
});

test('ended before any answer: 3 where no call has reached the device, 8 where one may have', async () => {
  await using device = await scripted(hangUp);
  const closed = `http://127.0.0.1:${await freePort()}`;
  for (const [env, signal, exit, words] of [
    [{ LANEWARE_URL: closed }, 'SIGINT', 'unreachable', /nothing is listening there\n$/],
    [device.env, 'SIGTERM', 'undecided', /the same command with --key k says what became of it\n$/],
  ] as const) {
    await using running = start(['pay', '10', '--key', 'k'], { env });
    await until('another attempt', () => running.text().includes('retrying'));
    running.signal(signal);
    await ends(exit, running.ended, words);
  }
});

test('with the device gone for good, Ctrl-C twice ends it and says how to find the payment', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path);
  await setUp(urls);
  await using running = start(['pay', '10', '--json', '--key', 'sale-3'], { env: leadingTo(urls) });
  await shown(running);
  await program.kill('SIGKILL');
  running.signal('SIGINT');
  await pause(300);
  running.signal('SIGINT');
  const { stderr } = await ends('undecided', running.ended);
  assert.match(stderr, /it may be paid, or not: the same command with --key sale-3 says what became of it/);
});

test.run();
