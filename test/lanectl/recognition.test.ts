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
  assert.is(watching.lines()[0].items[0].id, '4011');
  const refused = await lanectl(['teach', 'x'.repeat(65)], { env });
  assert.is(refused.code, EXIT_CODES.usage);
  const full = await lanectl(['teach', '4011', '--times', '30', '--json'], { env });
  const { error } = JSON.parse(full.stdout);
  assert.equal([full.code, error.code, error.taken], [EXIT_CODES.refused, 'Templates.Full', 29]);
  assert.match(full.stderr, /\(29 of 30 pictures were learned before\)\n$/);
});

const PINK = { id: '4130', name: 'Pink Lady', templates: 6 };
const GALA = { id: '4174', name: null, templates: 2 };
const SID = '20261121101112000000001';
const pairOf = (cure: string) => ({ items: [PINK, GALA], similarity: 0.861, cure });
const STRAY = {
  item: PINK,
  template: SID,
  picture: `/v1/items/4130/templates/${SID}/picture`,
  similarity: 0.38,
  looksLike: { id: '4174', name: null, similarity: 0.81 },
};

test('look-alikes are named with what would help, of all pages', async () => {
  await using device = await scripted(
    answering(200, { pairs: [pairOf('more-templates')], strays: [], looked: 500, cursor: 'a b' }),
    answering(200, { pairs: [pairOf('choose'), pairOf('delete-strays')], strays: [STRAY], looked: 7, cursor: null }),
  );
  const env = { LANEWARE_RECOGNITION_URL: device.env.LANEWARE_URL };
  const { code, stdout, stderr } = await lanectl(['look-alikes'], { env });
  assert.is(code, 0, stderr);
  assert.equal(
    device.asked.map((asked) => asked.call),
    ['GET /v1/recognition/look-alikes?limit=99', 'GET /v1/recognition/look-alikes?limit=99&cursor=a%20b'],
  );
  assert.match(stdout, /^Pink Lady \(4130\) and 4174 \(0\.86\)\n {2}learn more[^\n]*: lanectl teach 4174 --times 3\n/);
  assert.match(stdout, /let the customer choose/);
  assert.match(stdout, /stray templates below/);
  assert.match(stdout, `look at ${env.LANEWARE_RECOGNITION_URL}${STRAY.picture}\n`);
  assert.match(stdout, `curl -X DELETE ${env.LANEWARE_RECOGNITION_URL}/v1/items/4130/templates/${SID}\n`);
  assert.match(stdout, /507 items were looked at: 3 pairs look alike, 1 templates may be wrong\n$/);
});

test('for programs look-alikes are one document', async () => {
  await using device = await scripted(answering(200, { pairs: [], strays: [STRAY], looked: 2, cursor: null }));
  const env = { LANEWARE_RECOGNITION_URL: device.env.LANEWARE_URL };
  const { code, stdout } = await lanectl(['look-alikes', '--json'], { env });
  assert.equal([code, JSON.parse(stdout)], [0, { pairs: [], strays: [STRAY], looked: 2 }]);
});

test.run();
