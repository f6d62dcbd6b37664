/** What a store makes of an item of its chain: its own goes first, and what it has deleted stays deleted. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TemplateName } from '../../../firmware/recognition/templates/template-name.ts';
import {
  type CatalogueItem,
  chainOrigin,
  checksumOf,
  namesIn,
  PARTS,
  partOf,
} from '../../../firmware/sync/centre/catalogue.ts';
import { decideFromChain, type StoreSide } from '../../../firmware/sync/centre/decide-catalogue.ts';

const test = suite('chain: templates, decided');

const MODEL = 'made-up@1';
const sidOf = (number: number): string => String(number).padStart(23, '0');
const NONE: StoreSide = { templates: [], tombstones: [], max: 5, model: MODEL };
const OWN: TemplateName = { item: '7', origin: 'LW1', sid: sidOf(1) };

function offered(change: number, count: number, changes: Partial<CatalogueItem> = {}): CatalogueItem {
  const templates = Array.from({ length: count }, (_, at) => ({
    ...{ origin: chainOrigin(change, 'CENTRE'), sid: sidOf(at), sha256: checksumOf(String(at)) },
  }));
  return { item: '7', number: change, model: MODEL, source: checksumOf(''), templates, ...changes };
}
const buried = (names: readonly TemplateName[]) => names.map((ref) => ({ ref, own: false }));
const NOTHING = { take: [], bury: [], isForeign: false };

test('what is missing is taken, as much of it as an item may have; what is there is not taken again', () => {
  const two = offered(10, 2);
  const [first, second] = namesIn(two);
  assert.equal(decideFromChain(two, NONE), { ...NOTHING, take: namesIn(two) });
  assert.equal(decideFromChain(two, { ...NONE, templates: namesIn(two) }), NOTHING);
  assert.equal(decideFromChain(two, { ...NONE, templates: first ? [first] : [] }).take, [second]);
  assert.is(decideFromChain(offered(10, 9), NONE).take.length, 5);
  // of an item that has as many as it may, nothing of the same change goes
  const nine = offered(10, 9);
  assert.equal(decideFromChain(nine, { ...NONE, templates: namesIn(nine), max: 3 }), NOTHING);
});

test('an item with a template of the store is left alone, and what was not taken then is declined for good', () => {
  const before = offered(10, 2);
  const next = offered(20, 2);
  const side = { ...NONE, templates: [OWN, ...namesIn(before)] };
  assert.equal(decideFromChain(next, side), { ...NOTHING, bury: namesIn(next) });
  const declined = { ...side, tombstones: buried(namesIn(next)) };
  assert.equal(decideFromChain(next, declined), NOTHING);
  // its own was deleted since: the chain's do not come for it, and what was there before makes room for nothing
  assert.equal(decideFromChain(next, { ...NONE, tombstones: buried(namesIn(next)) }), NOTHING);
  assert.equal(decideFromChain(offered(30, 0), side), NOTHING);
});

test('what the store has deleted stays away until there is another change of it', () => {
  const before = offered(10, 2);
  const tombstones = buried(namesIn(before));
  assert.equal(decideFromChain(before, { ...NONE, tombstones }), NOTHING);
  assert.equal(decideFromChain(offered(20, 2), { ...NONE, tombstones }).take.length, 2);
});

test('of an item that was deleted nothing more comes: neither the rest of it, nor what it has room for by now', () => {
  const ten = offered(10, 10);
  const tombstones = buried(namesIn(ten).slice(0, 5));
  assert.equal(decideFromChain(ten, { ...NONE, tombstones }), NOTHING);
  assert.equal(decideFromChain(ten, { ...NONE, tombstones, max: 20 }), NOTHING);
  // one of those that it has was deleted: the others still have room
  const [gone, ...left] = namesIn(ten).slice(0, 5);
  const side = { ...NONE, templates: left, tombstones: buried(gone ? [gone] : []) };
  assert.equal(decideFromChain(ten, side), NOTHING);
  assert.is(decideFromChain(ten, { ...side, max: 20 }).take.length, 5);
});

test('another change takes the place of the one before, and an item that is taken back goes', () => {
  const before = offered(10, 2);
  const next = offered(20, 3);
  const side = { ...NONE, templates: namesIn(before) };
  assert.equal(decideFromChain(next, side), { take: namesIn(next), bury: namesIn(before), isForeign: false });
  assert.equal(decideFromChain(offered(30, 0), side), { ...NOTHING, bury: namesIn(before) });
  // broken off between the two
  assert.equal(decideFromChain(next, { ...NONE, templates: [...namesIn(before), ...namesIn(next)] }), {
    ...NOTHING,
    bury: namesIn(before),
  });
});

test('what another model has made is not taken, and puts nothing out; what was made anew here is no other', () => {
  const foreign = offered(20, 2, { model: 'another@2' });
  const before = namesIn(offered(10, 2));
  assert.equal(decideFromChain(foreign, NONE), { ...NOTHING, isForeign: true });
  assert.equal(decideFromChain(foreign, { ...NONE, templates: before }), { ...NOTHING, isForeign: true });
  assert.equal(decideFromChain(foreign, { ...NONE, templates: namesIn(foreign) }), NOTHING);
  assert.equal(decideFromChain(foreign, { ...NONE, model: null }), { ...NOTHING, isForeign: true });
  assert.equal(decideFromChain(offered(30, 0, { model: 'another@2' }), { ...NONE, templates: before }).bury, before);
});

test('every item is in one part, and all parts are used', () => {
  const used = new Set(Array.from({ length: 5000 }, (_, at) => partOf(String(at))));
  assert.equal([used.size, Math.min(...used), Math.max(...used)], [PARTS, 0, PARTS - 1]);
});

test.run();
