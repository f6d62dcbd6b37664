/** `lanectl teach` and `recognise`, on a device that learns from drawn trays with the shipped model. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { startFirmware } from '../process.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { lanectl, leadingTo, start } from './lanectl.ts';
import { answering, scripted } from './stand-in.ts';

const test = suite('lanectl: recognition');

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

/** Of a device in whose place something stands, the port of recognition. */
const recognitionOf = ({ env }: { readonly env: { readonly LANEWARE_URL: string } }) => ({
  env: { LANEWARE_RECOGNITION_URL: env.LANEWARE_URL },
});

const weighed = (more: object) =>
  answering(200, {
    ...{ number: null, at: '2026-11-21T08:00:00.000Z', things: [], by: 'looks', read: null, quality: ['blurred'] },
    ...{ state: 'item', certain: false, reason: 'weight-differs', weight: 30, id: 'made-up' },
    candidates: [{ id: '4011', name: null, plu: '4011', price: null, picture: null, share: 1, similarity: 0.9 }],
    ...more,
  });

test('the weight of a scale is sent along, and the answer printed like any other', async () => {
  await using device = await scripted(weighed({}));
  const shown = await lanectl(['recognise', '--weight', '30'], recognitionOf(device));
  assert.equal([shown.code, shown.stdout], [0, 'uncertain (weight-differs): 4011 (1.00), blurred\n'], shown.stderr);
  assert.equal(
    device.asked.map(({ call: asked }) => asked),
    ['GET /v1/recognition?weight=30'],
  );
  const { stdout } = await lanectl(['recognise', '--weight', '30', '--json'], recognitionOf(device));
  assert.equal(JSON.parse(stdout), {
    items: [{ id: '4011', score: 1, similarity: 0.9 }],
    session: 'made-up',
    verdict: { certain: false, unknown: false, reason: 'weight-differs' },
    quality: ['blurred'],
    weight: 30,
  });
  await using unknown = await scripted(weighed({ state: 'unknown', reason: 'unlike-all' }));
  assert.match(
    (await lanectl(['recognise', '--weight', '30'], recognitionOf(unknown))).stdout,
    /^unknown \(unlike-all\)/,
  );
});

test('an empty tray and a lost camera end a weighed look, too; a wrong weight is reported with its limits', async () => {
  const nothing = { candidates: [], quality: [], id: null };
  await using empty = await scripted(weighed({ ...nothing, state: 'empty', reason: null }));
  const none = await lanectl(['recognise', '--weight', '30'], recognitionOf(empty));
  assert.equal([none.code, none.stderr], [EXIT_CODES.refused, 'lanectl: the tray is empty: put an item on it\n']);
  await using blind = await scripted(weighed({ ...nothing, state: 'lost', reason: 'the camera is gone' }));
  const lost = await lanectl(['recognise', '--weight', '30', '--json'], recognitionOf(blind));
  const { error } = JSON.parse(lost.stdout);
  assert.equal([lost.code, error.message, error.state], [EXIT_CODES.refused, 'the camera is gone', 'lost']);
  for (const weight of ['0', '50001', '1.5', '65g', '']) {
    const wrong = await lanectl(['recognise', '--weight', weight], recognitionOf(empty));
    assert.is(wrong.code, EXIT_CODES.usage, weight);
    assert.match(wrong.stderr, /--weight <grams>[\s\S]*It must be a whole number from 1 to 50000/);
  }
  const watched = await lanectl(['recognise', '--weight', '30', '--watch'], recognitionOf(empty));
  assert.equal([watched.code, /--watch/.test(watched.stderr)], [EXIT_CODES.usage, true], watched.stderr);
});

test.run();
