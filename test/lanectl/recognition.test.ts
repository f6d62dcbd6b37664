/** `lanectl recognise` with the weight of a scale. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { lanectl } from './lanectl.ts';
import { answering, scripted } from './stand-in.ts';

const test = suite('lanectl: recognition');

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
