/** `lanectl teach` and `recognise`, on a device that learns from drawn trays with the shipped model. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pause } from '../../drivers/lib/async.ts';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { startFirmware } from '../process.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { lanectl, leadingTo, start } from './lanectl.ts';
import { answering, hangUp, scripted } from './stand-in.ts';

const test = suite('lanectl: recognition');

/** Of a pause of a minute. */
const SOON_MS = 20_000;

test('what was taught is recognised, once and as it changes', async () => {
  using folder = temporaryFolder();
  const settings = { LANEWARE_CAMERA_DRIVER: 'replay', LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST };
  const { program, urls } = await startFirmware(folder.path, { settings });
  await using _program = program;
  const env = leadingTo(urls);
  await until('the model', async () => (await lanectl(['recognise'], { env })).code === 0);
  const nothing = await lanectl(['recognise', '--json'], { env });
  assert.equal(JSON.parse(nothing.stdout).items, []);
  const taught = await lanectl(['teach', '4011'], { env });
  assert.equal(
    [taught.code, taught.stdout],
    [0, 'item 4011 has learned what lies on the tray (1 of 1 pictures), and has 1 now\n'],
    taught.stderr,
  );
  const list = await call(`${urls.recognition}/api/get_item_list`);
  assert.match(list.text, '4011');
  const seen = await lanectl(['recognise'], { env });
  assert.match(seen.stdout, /^(?:certain|uncertain|unknown)[^\n]*4011 \(1\.00\)/);
  await using watching = start(['recognise', '--watch', '--interval', '100', '--json'], { env });
  await until('a result', () => watching.lines().length > 0);
  watching.signal('SIGINT');
  assert.is((await watching.ended).code, EXIT_CODES.interrupted);
  assert.is(watching.lines()[0]?.items[0]?.id, '4011');
  await call(`${urls.recognition}/v1/items/4011`, { method: 'PUT', json: { pieceWeight: 1000 } });
  const light = await lanectl(['recognise', '--weight', '30', '--json'], { env });
  const { weight, verdict } = JSON.parse(light.stdout);
  assert.equal([weight, verdict.certain], [30, false], light.stderr);
  const refused = await lanectl(['teach', 'x'.repeat(65)], { env });
  assert.is(refused.code, EXIT_CODES.usage);
  const full = await lanectl(['teach', '4011', '--times', '30', '--json'], { env });
  const { error } = JSON.parse(full.stdout);
  assert.equal([full.code, error.code, error.taken], [EXIT_CODES.refused, 'Templates.Full', 29]);
  assert.match(full.stderr, /\(29 of 30 pictures were learned before\)\n$/);
});

test('a watch goes on over an empty tray, which it shows once', async () => {
  const empty = answering(200, { code: -6308, msg: 'the tray is empty: put an item on it', data: null });
  const verdict = { certain: true, unknown: false, reason: null };
  const bananas = answering(200, { code: 0, data: { items: [{ id: '4011', score: 1 }], verdict, quality: [] } });
  await using device = await scripted(empty, empty, bananas, empty);
  const env = { LANEWARE_RECOGNITION_URL: device.env.LANEWARE_URL };
  await using watching = start(['recognise', '--watch', '--interval', '50'], { env });
  await Promise.race([watching.ended, until('looks after the last change', () => device.asked.length > 5)]);
  watching.signal('SIGINT');
  const { code, stdout, stderr } = await watching.ended;
  assert.equal([code, stderr], [EXIT_CODES.interrupted, '']);
  const nothing = 'the tray is empty: put an item on it';
  assert.equal(stdout.split('\n'), [nothing, 'certain: 4011 (1.00)', nothing, '']);
  await using slow = start(['recognise', '--watch', '--interval', '60000'], { env });
  await until('its first look', () => slow.text().includes(nothing));
  slow.signal('SIGINT');
  const over = new AbortController();
  const isOver = await Promise.race([slow.ended.then(() => true), pause(SOON_MS, over.signal)]);
  over.abort();
  assert.ok(isOver, 'it does not wait for its next look');
  await using silent = await scripted(hangUp);
  const lost = await lanectl(['recognise', '--watch'], { env: { LANEWARE_RECOGNITION_URL: silent.env.LANEWARE_URL } });
  assert.is(lost.code, EXIT_CODES.unreachable);
});

test.run();
