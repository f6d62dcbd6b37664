/** An answer is of the gallery of now: what lies there unmoved, on a picture that stays the same, is asked again after each way in which the gallery changes. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CodeSource } from '../../firmware/recognition/vision/barcode-reader.ts';
import { NO_READER } from './no-reader.ts';
import { picture, type Rig, startRig } from './support.ts';

const test = suite('recognition: the gallery of now');

const MILK = '4006381333931';
/** 500 g of the item 42, by the layout 21IIIIIWWWWWC. */
const PRINTED = '2100042005006';
const reads = (text: string): CodeSource => ({
  ...NO_READER,
  read: async () => [{ symbology: 'ean-13', text, isGs1: false, places: [{ x: 0.5, y: 0.5 }] }],
});

interface Way {
  readonly what: string;
  readonly code?: string;
  /** Changes the gallery, here or as synchronisation does. */
  readonly change: (rig: Rig, other: Rig) => Promise<unknown>;
  /** What is answered then: the first candidate by its id and name, and whether it is certain; null: nothing is known. */
  readonly expected: readonly [id: string, name: string | null, certain: boolean] | null;
}

const put = (rig: Rig, id: string, json: object) => rig.send('PUT', `/v1/items/${id}`, json);
const look = async (rig: Rig, query = '') => (await rig.get(`/v1/recognition${query}`)).body;

/** What another device has of a template of the first picture, and says of items. */
async function receive(rig: Rig, other: Rig, item: string): Promise<void> {
  await other.learn(item, await picture(1));
  for (const name of other.recognition.exchange.namesOf(item)) {
    const template = other.recognition.exchange.read(name);
    assert.ok(template !== null);
    await rig.recognition.exchange.receive([template]);
  }
}
async function take(rig: Rig, other: Rig): Promise<void> {
  for await (const words of other.recognition.items.records('OTHER'))
    await rig.recognition.items.applyLater(words, 'TEST0001');
}

const ALIKE = ['4011', 'Bananas', false] as const;

const WAYS: readonly Way[] = [
  { what: 'a look-alike is taught', change: (rig) => rig.post('/v1/items/4012/templates'), expected: ALIKE },
  {
    what: 'its only template is deleted',
    change: (rig) =>
      rig.send('DELETE', `/v1/items/4011/templates/${rig.recognition.templates.reader.sidsOf('4011')[0]}`),
    expected: null,
  },
  {
    what: 'it is deleted whole',
    change: (rig) => rig.send('DELETE', '/v1/items/4011?templates=delete'),
    expected: null,
  },
  { what: 'all is cleared', change: (rig) => rig.post('/api/clear_all_template'), expected: null },
  {
    what: 'it is renamed',
    change: (rig) => put(rig, '4011', { name: 'Plantains' }),
    expected: ['4011', 'Plantains', true],
  },
  {
    what: 'its name is deleted',
    change: (rig) => rig.send('DELETE', '/v1/items/4011'),
    expected: ['4011', null, true],
  },
  {
    what: 'a table of names is imported',
    change: (rig) => rig.post('/v1/catalogue', { items: [{ id: '4011', name: 'Plantains' }] }),
    expected: ['4011', 'Plantains', true],
  },
  {
    what: 'a package with a look-alike is imported',
    change: async (rig, other) => {
      await other.learn('4012', await picture(1));
      return await rig.importPackage(await other.exportPackage());
    },
    expected: ALIKE,
  },
  {
    what: 'a look-alike comes by synchronisation',
    change: (rig, other) => receive(rig, other, '4012'),
    expected: ALIKE,
  },
  {
    what: 'it is deleted by another device',
    change: async ({ recognition: { exchange } }) => await exchange.addTombstones(exchange.namesOf('4011')),
    expected: null,
  },
  {
    what: 'it is renamed by another device',
    change: async (rig, other) => {
      await put(other, '4011', { name: 'Plantains' });
      await take(rig, other);
    },
    expected: ['4011', 'Plantains', true],
  },
  {
    what: 'the code on it is given to an item',
    code: MILK,
    change: (rig) => put(rig, 'milk', { name: 'Milk', barcodes: [MILK] }),
    expected: ['milk', 'Milk', true],
  },
  {
    what: 'the code on it is given to an item by another device',
    code: MILK,
    change: async (rig, other) => {
      await put(other, 'milk', { name: 'Milk', barcodes: [MILK] });
      await take(rig, other);
    },
    expected: ['milk', 'Milk', true],
  },
  {
    what: 'the layout of a scale is set',
    code: PRINTED,
    change: async (rig) => {
      await put(rig, 'pears', { name: 'Pears', plu: '42' });
      await rig.recognition.settings.set({ printedLayouts: ['21IIIIIWWWWWC'] });
    },
    expected: ['pears', 'Pears', true],
  },
];

for (const { what, code, change, expected } of WAYS)
  test(what, async () => {
    await using other = await startRig({ serial: 'OTHER' });
    await using rig = await startRig(code === undefined ? {} : { service: { barcodes: reads(code) } });
    await put(rig, '4011', { name: 'Bananas' });
    await rig.learn('4011', await picture(1));
    const first = await look(rig, '?wait=20');
    assert.equal([first.candidates[0].name, first.certain], ['Bananas', true]);
    const waiting = look(rig, `?wait=20&after=${first.number}`);
    await change(rig, other);
    const answerOf = ({ state, certain, candidates: [item] }: Awaited<ReturnType<typeof look>>) =>
      state === 'unknown' ? null : [item.id, item.name, certain];
    assert.equal(answerOf(await look(rig, '?wait=20')), expected, 'who asks now, and waits for any state');
    assert.equal(answerOf(await look(rig)), expected, 'who asks at once');
    let next = await waiting;
    // of several changes each may be another state
    while (JSON.stringify(answerOf(next)) !== JSON.stringify(expected)) {
      const later = await look(rig, `?wait=5&after=${next.number}`);
      assert.ok(later.number > next.number, `who waits for another state gets ${JSON.stringify(answerOf(next))}`);
      next = later;
    }
  });

test.run();
