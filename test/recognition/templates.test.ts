/** Templates through HTTP: what was added is there, what was deleted is gone, what was refused changed nothing. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { after } from '../../drivers/lib/async.ts';
import { temporaryFolder } from '../support.ts';
import { picture, startRig } from './support.ts';

const templates = suite('templates');

templates('keeps ids as they were sent: 001 is not 1, and nothing is normalised', async () => {
  await using rig = await startRig();
  const ids = ['001', '1', 'é', 'e\u0301', '__proto__', 'constructor', ' a ', '>', 'a/b', '😀'.repeat(64)];
  for (const [index, id] of ids.entries()) await rig.learn(id, await picture(index));
  const { body } = await rig.get('/api/get_item_list');
  const listed = new Map<string, number>(body.data.map(({ id, count }: { id: string; count: number }) => [id, count]));
  assert.equal([...listed.keys()].toSorted(), ids.toSorted());
  assert.ok([...listed.values()].every((count) => count === 1));
  for (const id of ids) assert.is((await rig.post('/api/delete_item', { id })).body.code, 0, id);
  assert.equal((await rig.get('/api/get_item_list')).body.data, []);
});

templates('many adding at once never pass the limit', async () => {
  await using rig = await startRig({ service: { maxTemplatesPerItem: 3 } });
  await rig.show(await picture(1));
  const answers = await Promise.all(Array.from({ length: 8 }, () => rig.post('/api/add_item_template', { id: '7' })));
  const codes = answers.map(({ body }) => body.code).toSorted();
  assert.equal(codes, [-6304, -6304, -6304, -6304, -6304, 0, 0, 0]);
  assert.is((await rig.post('/api/get_item_template_list', { id: '7' })).body.data.length, 3);
});

templates('more templates than are read at once are all compared with after a restart', async () => {
  using folder = temporaryFolder();
  const last = 205;
  const pictures = await Promise.all([picture(1), picture(2)]);
  {
    await using rig = await startRig({ folder: folder.path, service: { maxTemplatesPerItem: 1000 } });
    await rig.learn('first', pictures[0]);
    for (let n = 1; n < last; n += 1)
      assert.is((await rig.post('/api/add_item_template', { id: 'first' })).body.code, 0);
    await rig.learn('last', pictures[1]);
  }
  await using rig = await startRig({ folder: folder.path });
  await rig.show(pictures[1]);
  assert.is((await rig.get('/api/get_result')).body.data.items[0].id, 'last');
  assert.is((await rig.post('/api/get_item_template_list', { id: 'first' })).body.data.length, last);
});

templates('an identifier is never given again, even if the clock was set back over a restart', async () => {
  using folder = temporaryFolder();
  const at = (wall: number) => ({
    clock: {
      ...{ wall: () => wall, monotonic: () => performance.now(), bootId: 'test' },
      ...{ setFloor: () => undefined, after },
    },
  });
  const given: string[] = [];
  for (const wall of [Date.UTC(2030, 0), Date.UTC(2027, 0)]) {
    await using rig = await startRig({ folder: folder.path, service: at(wall) });
    given.push(await rig.learn('7', await picture(1)));
    await rig.post('/api/clear_all_template');
  }
  assert.ok((given[1] ?? '') > (given[0] ?? ''), given.join(' '));
});

templates('lists what a simple model of the calls would list, for any calls', async () => {
  const jpeg = await picture(1);
  const item = fc.constantFrom('a', 'b', 'c');
  const action = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), item }),
    fc.record({ kind: fc.constant('delete' as const), item, place: fc.nat(3) }),
    fc.record({ kind: fc.constant('delete-item' as const), item }),
    fc.record({ kind: fc.constant('clear' as const), item }),
  );
  await using rig = await startRig({ service: { maxTemplatesPerItem: 3 } });
  await rig.show(jpeg);
  const run = async (actions: readonly { kind: string; item: string; place?: number }[]): Promise<void> => {
    await rig.post('/api/clear_all_template');
    const expected = new Map<string, string[]>();
    for (const { kind, item: id, place = 0 } of actions) {
      const present = expected.get(id) ?? [];
      if (kind === 'add') {
        const { body } = await rig.post('/api/add_item_template', { id });
        assert.is(body.code, present.length < 3 ? 0 : -6304);
        if (body.code === 0) expected.set(id, [...present, body.data.sid]);
      } else if (kind === 'delete') {
        const sid = present[place] ?? 'none';
        const { body } = await rig.post('/api/delete_item_template', { id, sid });
        assert.is(body.code, present.length === 0 ? -6302 : present[place] === undefined ? -6303 : 0);
        expected.set(
          id,
          present.filter((other) => other !== sid),
        );
      } else if (kind === 'delete-item') {
        const { body } = await rig.post('/api/delete_item', { id });
        assert.is(body.code, present.length === 0 ? -6302 : 0);
        expected.delete(id);
      } else {
        await rig.post('/api/clear_all_template');
        expected.clear();
      }
    }
    const listed = (await rig.get('/api/get_item_list')).body.data;
    const wanted = [...expected]
      .filter(([, sids]) => sids.length > 0)
      .map(([id, sids]) => ({ id, count: sids.length }));
    const sorted = wanted.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    assert.equal(listed, sorted);
    for (const [id, sids] of expected) assert.equal(rig.recognition.templates.reader.sidsOf(id), sids);
  };
  await fc.assert(fc.asyncProperty(fc.array(action, { maxLength: 15 }), run), { numRuns: 15 });
});

templates.run();
