/** What codes on the tray make of an answer. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CodeAnswer, type FoundCode, foundCodes, withCodes } from '../../firmware/recognition/answer/by-code.ts';
import type { Classification } from '../../firmware/recognition/matching/classifier.ts';
import { together } from '../../firmware/recognition/matching/several.ts';
import type { Area } from '../../firmware/recognition/model/area.ts';
import type { CodeSource } from '../../firmware/recognition/vision/barcode-reader.ts';
import type { ReadCode } from '../../firmware/recognition/vision/barcode-worker.ts';
import { each, opening, pick, rowsOf } from '../support.ts';
import { type Label, labelled, patientReader } from './barcodes-support.ts';
import { NO_READER } from './no-reader.ts';
import { picture, type Rig, type RigOptions, scene, startRig } from './support.ts';

const merging = suite('codes and looks');

const looks = (certain: boolean, reason: Classification['verdict']['reason'] = null): Classification => ({
  items: [
    { id: 'pear', score: 0.7, similarity: 0.8 },
    { id: 'plum', score: 0.3, similarity: 0.6 },
  ],
  verdict: { certain, unknown: false, reason },
});
const AREA: Area = { x: 200, y: 100, width: 800, height: 400 };
const said = (item: string | null) => ({ item, weight: null, price: null });
/** A code in the middle of the area, or at other places. */
const code = (
  text: string,
  item: string | null,
  symbology: CodeAnswer['symbology'] = 'ean-13',
  places: FoundCode['places'] = [{ x: 0.5, y: 0.5 }],
): FoundCode => ({ code: { ...said(item), text, symbology }, places });
/** What codes make of one thing. */
const withCode = (byLooks: Classification, codes: readonly FoundCode[], most: number) => {
  const things = [{ box: AREA, size: null, classification: byLooks }];
  const answer = withCodes({ classification: byLooks, things }, codes, AREA, most);
  assert.equal(
    answer.things,
    [{ box: AREA, size: null, classification: answer.classification }],
    'the only thing is reported with the answer for all',
  );
  return { ...answer.classification, by: answer.by };
};

merging('without a code of an item the answer is that of the looks', () => {
  for (const codes of [[], [code('1', null)], [code('1', null, 'qr'), code('2', null)]])
    assert.equal(withCode(looks(true), codes, 5), { ...looks(true), by: 'looks' });
});

merging('a code puts its item first and is certain, for any result of the looks', () => {
  for (const byLooks of [looks(true), looks(false, 'look-alikes')]) {
    const { items, verdict, by } = withCode(byLooks, [code('1', 'plum')], 5);
    assert.equal([verdict, by], [{ certain: true, unknown: false, reason: null }, 'barcode']);
    assert.equal(rowsOf(items, 'id', 'similarity'), [
      ['plum', 0.6],
      ['pear', 0.8],
    ]);
    assert.ok(Math.abs(items.reduce((sum, { score }) => sum + score, 0) - 1) < 1e-9);
    assert.ok((items[0]?.score ?? 0) > 0.98);
  }
});

merging('an advertisement beside it changes nothing, nor does the same item twice', () => {
  assert.ok(withCode(looks(false), [code('1', 'plum'), code('https://x', null, 'qr')], 5).verdict.certain);
  assert.ok(withCode(looks(false), [code('1', 'plum'), code('2', 'plum')], 5).verdict.certain);
});

merging('two items, or one and a stranger of trade, are never certain', () => {
  const uncertain = { certain: false, unknown: false, reason: 'several-items' };
  const two = withCode(looks(true), [code('1', 'plum'), code('2', 'milk')], 5);
  assert.equal(two.verdict, uncertain);
  assert.equal(pick(two.items, 'id'), ['plum', 'milk', 'pear']);
  for (const symbology of ['ean-13', 'ean-8', 'upc-e', 'gs1-databar'] as const)
    assert.equal(
      withCode(looks(true), [code('1', 'pear'), code('2', null, symbology)], 5).verdict,
      uncertain,
      symbology,
    );
});

/** Things whose boxes lie at some places of the area's width, each a tenth wide, with what looks make of them. */
const sightOf = (...all: readonly (readonly [left: number, classification: Classification])[]) => ({
  classification: together(
    all.map(([, classification]) => classification),
    5,
  ),
  things: all.map(([left, classification]) => ({
    box: { x: AREA.x + left * AREA.width, y: 250, width: 80, height: 100 },
    size: null,
    classification,
  })),
});
const NONE: Classification = { items: [], verdict: { certain: false, unknown: true, reason: 'no-templates' } };
const at = (...places: readonly number[]): FoundCode['places'] => places.map((x) => ({ x, y: 0.5 }));

merging('what lies beside a code would be unpaid: the two are never certain, each has its answer', () => {
  for (const other of [looks(false, 'look-alikes'), looks(true), NONE]) {
    const seen = sightOf([0.6, other], [0.2, looks(false)]);
    const { classification, things, by } = withCodes(seen, [code('1', 'milk', 'ean-13', at(0.25))], AREA, 5);
    const judged = [classification.verdict.certain, classification.verdict.reason, by];
    assert.equal(judged, [false, 'several-items', 'barcode']);
    assert.is(classification.items[0]?.id, 'milk');
    assert.equal(things[0], { ...seen.things[0] }, 'a code says nothing of what it does not lie on');
    assert.equal([things[1]?.classification.verdict.certain, things[1]?.classification.items[0]?.id], [true, 'milk']);
  }
});

merging('several of one item are that item, by their codes or by looks that are certain', () => {
  const milk: Classification = { ...looks(true), items: [{ id: 'milk', score: 1, similarity: 0.9 }] };
  const two = sightOf([0.2, NONE], [0.6, NONE]);
  assert.ok(withCodes(two, [code('1', 'milk', 'ean-13', at(0.25, 0.65))], AREA, 5).classification.verdict.certain);
  const one = [code('1', 'milk', 'ean-13', at(0.25))];
  assert.ok(withCodes(sightOf([0.2, NONE], [0.6, milk]), one, AREA, 5).classification.verdict.certain);
  const unsure = { ...milk, verdict: looks(false, 'look-alikes').verdict };
  assert.equal(withCodes(sightOf([0.2, NONE], [0.6, unsure]), one, AREA, 5).classification.verdict, unsure.verdict);
});

merging('the print of a thing is no other thing, unless it is another item for certain', () => {
  const print = (own: Classification, left: number) =>
    withCodes(sightOf([0.2, looks(false)], [left, own]), [code('1', 'milk', 'ean-13', at(0.25))], AREA, 5)
      .classification.verdict;
  assert.ok(print(looks(false), 0.27).certain, 'its middle 16 of 1280 beside the box of the thing');
  assert.not(print(looks(false), 0.3).certain, '40 beside it');
  assert.is(print(looks(true), 0.27).reason, 'several-items');
});

merging('a code beside every box is that of the nearest thing, one in two boxes that of the smaller', () => {
  const codeAt = (x: number) => code('1', 'milk', 'ean-13', at(x));
  const seen = sightOf([0.2, NONE], [0.6, NONE]);
  const certain = (x: number) =>
    withCodes(seen, [codeAt(x)], AREA, 5).things.map((thing) => thing.classification.verdict.certain);
  const judged = [certain(0.35), certain(0.55), certain(0)];
  assert.equal(judged, [
    [true, false],
    [false, true],
    [true, false],
  ]);
  const [small] = sightOf([0.45, NONE]).things;
  const within = {
    classification: NONE,
    things: [{ box: AREA, size: null, classification: NONE }, ...(small ? [small] : [])],
  };
  const { things } = withCodes(within, [codeAt(0.5)], AREA, 5);
  const areCertain = things.map((thing) => thing.classification.verdict.certain);
  assert.equal(areCertain, [false, true]);
});

merging('the list is no longer than was asked for', () => {
  assert.is(withCode(looks(true), [code('1', 'plum'), code('2', 'milk')], 2).items.length, 2);
  assert.is(withCode(looks(true), [code('1', 'plum')], 1).items[0]?.id, 'plum');
});

merging('the reported text of a code is short and cannot be taken for anything but text', () => {
  const textOf = (text: string) =>
    foundCodes([{ symbology: 'qr', text, isGs1: false, places: [] }], () => said(null))[0]?.code.text;
  assert.is(textOf('\u001b[2J\r\n\u202Eabc\u2028\uFEFF'), '�[2J���abc��');
  assert.is(textOf('x'.repeat(4000)), 'x'.repeat(128));
  assert.ok(textOf(`${'x'.repeat(127)}😀`)?.isWellFormed());
});

merging('a GS1 symbol, and a GS1 link, belong to the item of its number, and no other text does', () => {
  const saidBy = (text: string) => said(text === '09506000134352' ? 'milk' : null);
  const symbol: ReadCode = { symbology: 'code-128', text: '010950600013435210AB', isGs1: true, places: [] };
  assert.is(foundCodes([symbol], saidBy)[0]?.code.item, 'milk');
  assert.is(foundCodes([{ ...symbol, isGs1: false }], saidBy)[0]?.code.item, null);
  const link: ReadCode = {
    ...symbol,
    symbology: 'qr',
    text: 'https://id.gs1.org/01/09506000134352/10/AB',
    isGs1: false,
  };
  assert.is(foundCodes([link], saidBy)[0]?.code.item, 'milk');
});

merging.run();

const answers = suite('recognising by a code');
const it = each(answers, opening(readingRig));
const EAN: Label = { kind: 'ean13', text: '4006381333931' };

/** A device that reads codes and takes its time over it. */
async function readingRig(options: RigOptions = {}): Promise<Rig> {
  return await startRig({ ...options, service: { barcodes: patientReader(), ...options.service } });
}
const putItem = (rig: Rig, id: string, json: object) => rig.send('PUT', `/v1/items/${id}`, json);

it('an item that was never learned is certain by its code', async (rig) => {
  await putItem(rig, 'milk', { name: 'Milk', barcodes: ['4006381333931'] });
  await rig.show(await labelled([EAN]));
  const { body } = await rig.get('/v1/recognition');
  assert.equal(
    { state: body.state, certain: body.certain, reason: body.reason, by: body.by },
    { state: 'item', certain: true, reason: null, by: 'barcode' },
  );
  assert.is(body.candidates[0].name, 'Milk');
  assert.equal(body.read, [{ symbology: 'ean-13', text: '4006381333931', ...said('milk') }]);
});

it('the call of the original device returns it first, in the fields that it has', async (rig) => {
  await rig.learn('other', await scene('kiwi'));
  await putItem(rig, 'milk', { barcodes: ['4006381333931'] });
  await rig.show(await labelled([EAN]));
  const { data } = (await rig.get('/api/get_result')).body;
  assert.equal(Object.keys(data).sort(), ['items', 'quality', 'session', 'verdict']);
  assert.equal(Object.keys(data.items[0]).sort(), ['id', 'score', 'similarity']);
  assert.is(data.items[0].id, 'milk');
  assert.equal(data.verdict, { certain: true, unknown: false, reason: null });
});

it('an id that is the number needs no line, nor the same form of it', async (rig) => {
  await rig.learn('036000291452', await scene('kiwi'));
  await rig.show(await labelled([{ kind: 'upca', text: '036000291452' }]));
  const { body } = await rig.get('/v1/recognition');
  assert.equal([body.certain, body.by, body.candidates[0].id], [true, 'barcode', '036000291452']);
});

it('a number that two ids could mean belongs to neither', async (rig) => {
  await rig.learn('036000291452', await scene('kiwi'));
  await rig.learn('0036000291452', await scene('carrot'));
  await rig.show(await labelled([{ kind: 'upca', text: '036000291452' }]));
  const { body } = await rig.get('/v1/recognition');
  assert.equal([body.by, body.read[0].item], ['looks', null]);
});

answers('what was certain by its code alone is learned from a feedback', async () => {
  await using rig = await readingRig();
  await rig.recognition.settings.set({ learningMode: 'automatic' });
  await putItem(rig, 'milk', { barcodes: ['4006381333931'] });
  await rig.show(await labelled([EAN]));
  const { body } = await rig.get('/v1/recognition');
  const fed = await rig.post(`/v1/recognition/${body.id}/feedback`, { item: 'milk' });
  assert.type(fed.body.sid, 'string', JSON.stringify(fed.body));
});

answers('a reader that reads nothing leaves the looks', async () => {
  await using rig = await startRig();
  await rig.learn('item1', await picture(1));
  const { body } = await rig.get('/v1/recognition');
  assert.equal([body.by, body.read, body.candidates[0].id], ['looks', null, 'item1']);
});

answers('a code that was read too late is looked for again, though nothing has moved', async () => {
  let caughtUp = (): void => undefined;
  let looks = 0;
  const read: CodeSource['read'] = async () => {
    looks += 1;
    if (looks === 1) return null;
    return [{ symbology: 'ean-13', text: EAN.text, isGs1: false, places: [{ x: 0.5, y: 0.5 }] }];
  };
  const onCaughtUp = (listener: () => void): void => {
    caughtUp = listener;
  };
  await using rig = await startRig({ service: { barcodes: { ...NO_READER, read, onCaughtUp } } });
  await putItem(rig, 'milk', { barcodes: [EAN.text] });
  await rig.show(await scene('kiwi'));
  const { body: late } = await rig.get('/v1/recognition?wait=20');
  assert.equal([late.state, late.read], ['unknown', null]);
  const next = rig.get(`/v1/recognition?wait=20&after=${late.number}`);
  caughtUp();
  const { body } = await next;
  assert.equal([body.state, body.certain, body.candidates[0]?.id], ['item', true, 'milk']);
});

answers('health says that the reader was lost', async () => {
  const lost = { ...NO_READER, state: { name: 'lost', reason: 'it ended with code 1' } } as const;
  await using broken = await startRig({ service: { barcodes: lost } });
  const part = await broken.part('barcodes');
  assert.is(part.state, 'degraded');
  assert.match(part.reason, /^The barcode reader failed and is restarting\..*\(it ended with code 1\)$/);
});

answers.run();
