/** An item of the chain that somebody in the store deletes while it is being taken in, and a database of items that does not open then. */

import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Items } from '../../../firmware/recognition/items/items.ts';
import type { TemplateName, WholeTemplate } from '../../../firmware/recognition/templates/template-name.ts';
import {
  type CatalogueItem,
  chainOrigin,
  checksumOf,
  keyOfPart,
  keyOfTemplate,
  PARTS,
  partOf,
} from '../../../firmware/sync/centre/catalogue.ts';
import { StoreTemplates, type StoreTemplatesOptions } from '../../../firmware/sync/centre/store-templates.ts';
import { encodeTemplate } from '../../../firmware/sync/template-codec.ts';
import { JPEG_START } from '../../jpeg-start.ts';
import { temporaryFolder, until } from '../../support.ts';

const test = suite('chain: templates, deleted meanwhile');

const MODEL = 'made-up@1';
const ITEM = '7';
const CHANGE = 10;
/** Three of them make a batch. */
const CROP_BYTES = 500_000;

/** What lies at the chain, by its keys: one item of so many templates. */
function chainOf(count: number): Map<string, Buffer> {
  const lies = new Map<string, Buffer>();
  const templates: CatalogueItem['templates'] = [];
  for (let at = 0; at < count; at++) {
    const crop = Buffer.alloc(CROP_BYTES, at);
    crop.set(JPEG_START);
    const vector = Buffer.alloc(16);
    vector.writeFloatLE(1);
    const named = { origin: chainOrigin(CHANGE, 'CENTRE'), sid: String(at).padStart(23, '0') };
    const cropSha256 = Buffer.from(checksumOf(crop), 'hex');
    const bytes = encodeTemplate({ item: ITEM, ...named, createdAt: 1, model: MODEL, vector, crop, cropSha256 });
    const sha256 = checksumOf(bytes);
    lies.set(keyOfTemplate(sha256), bytes);
    templates.push({ ...named, sha256 });
  }
  const details = { number: CHANGE, item: { name: 'Pears' } };
  const item: CatalogueItem = { item: ITEM, number: CHANGE, model: MODEL, source: checksumOf(''), templates, details };
  // a release passes over what it does not know
  const part = Buffer.from(JSON.stringify({ items: [{ ...item, later: 1 }] }));
  lies.set(keyOfPart(checksumOf(part)), part);
  const parts = Array<string | null>(PARTS).fill(null).with(partOf(ITEM), checksumOf(part));
  lies.set('head', Buffer.from(JSON.stringify({ format: 1, number: CHANGE, parts })));
  return lies;
}

/** A second batch that is full, and one that is not. */
for (const count of [6, 5])
  test(`what was not taken of ${count} by then stays out; what it is sold as comes when there is a database`, async () => {
    using folder = temporaryFolder();
    const lies = chainOf(count);
    let held: TemplateName[] = [];
    const deleted: TemplateName[] = [];
    let received = 0;
    const named: unknown[] = [];
    const takeOfChain: Items['takeOfChain'] = async (...taken) => named.push(taken) > 0;
    const items = {
      ...{ takeOfChain, countOfChain: () => ({ items: 0, short: 0 }), isOfChain: true },
      ...{ wantsChainPicture: async () => null, takeChainPictures: async () => undefined },
    };
    const options: Omit<StoreTemplatesOptions, 'items'> = {
      path: join(folder.path, 'chain-templates.json'),
      reader: { read: async () => lies.get('head')?.toString() ?? null },
      link: {
        read: async (_scope, key) => {
          const data = lies.get(key);
          return data === undefined ? null : { data, sequence: 1 };
        },
        onNews: () => () => undefined,
        onLine: () => () => undefined,
      },
      trust: () => ({ account: 'A', signingKey: 'made-up' }),
      isMaster: () => true,
      exchange: {
        namesOf: () => held,
        tombstonesOf: () => deleted.map((ref) => ({ ref, own: true })),
        receive: async (some: readonly WholeTemplate[]) => {
          received += some.length;
          held.push(...some);
          // somebody deletes the item as soon as there is something of it
          deleted.push(...held);
          held = [];
        },
        keepTombstones: async (names) => void deleted.push(...names),
      },
      max: 30,
      model: MODEL,
      onTaken: () => undefined,
      log: () => undefined,
    };
    const follower = new StoreTemplates({ ...options, items: { ...items, problem: 'damaged' } });
    follower.start();
    await until('it is dealt with', () => follower.state?.number === CHANGE || null);
    await follower.close();
    assert.equal([held.length, received, named], [0, 3, []]);
    const restarted = new StoreTemplates({ ...options, items: { ...items, problem: null } });
    restarted.start();
    await until('it is named', () => named.length > 0 || null);
    await restarted.close();
    assert.equal([held.length, received, named], [0, 3, [[[{ id: ITEM, number: CHANGE, item: { name: 'Pears' } }]]]]);
  });

test.run();
