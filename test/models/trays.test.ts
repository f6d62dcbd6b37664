/** Looks at drawn trays: through the product, of each row the same pictures, kept for the next time. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadModel } from '../../firmware/recognition/embedding/manifest.ts';
import { vectorKey } from '../../models/evaluation/embeddings.ts';
import type { Row } from '../../models/evaluation/protocol.ts';
import { sightingsOf } from '../../models/gallery/sightings.ts';
import { queriesOf, TRAY_ROWS, trayVectors } from '../../models/gallery/trays.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { picture } from '../recognition/support.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('looks at drawn trays');

test('templates lie undisturbed, queries in each way, and galleries are made of them', async () => {
  using folder = temporaryFolder();
  const rows: Row[] = [];
  for (const [kind, item] of ['a', 'b'].entries()) {
    mkdirSync(join(folder.path, item));
    for (const [at, split] of (['train', 'test'] as const).entries()) {
      const path = `${item}/${split}.jpg`;
      writeFileSync(join(folder.path, path), await picture(kind + 1, at));
      rows.push({ path, item, group: item, split });
    }
  }
  const { manifest } = await loadModel(SHIPPED_MANIFEST);
  const looking = { path: SHIPPED_MANIFEST, key: vectorKey(manifest), dimension: manifest.output.dimension };
  const cache = join(folder.path, 'cache');
  const look = () => trayVectors(folder.path, rows, ['a'], looking, { say: () => undefined, trays: ['steel'], cache });
  const [tray, ...others] = await look();
  if (tray === undefined) throw new Error('no tray');
  assert.equal(others, []);
  assert.equal(
    tray.rows.map(({ item, split, shot }) => [item, split, shot]),
    [['a', 'train', 'undisturbed'], ['b', 'train', 'undisturbed'], ...TRAY_ROWS.map((shot) => ['a', 'test', shot])],
  );
  const { fast, normal } = tray.vectors;
  assert.equal([fast.length, normal.length], [tray.rows.length, tray.rows.length]);
  assert.equal([normal[0], fast[0]?.length], [fast[0], looking.dimension], 'a template is the same at both speeds');
  assert.not.equal(normal[2], fast[2]);
  assert.equal(await look(), [tray], 'kept');
  assert.equal(
    queriesOf([tray], 'in a bag').map(({ rows: left, vectors }) => [left.map(({ shot }) => shot), vectors.normal[2]]),
    [[['undisturbed', 'undisturbed', 'in a bag'], normal[tray.rows.findIndex(({ shot }) => shot === 'in a bag')]]],
  );
  const seen = sightingsOf(queriesOf([tray], 'undisturbed'), { size: 2, kind: 'photographs', templates: 1 }, 'normal');
  assert.ok(seen.length > 0 && seen.every(({ item, right, enrolled }) => item === 'a' && right === enrolled));
});

test.run();
