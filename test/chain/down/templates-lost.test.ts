/** Templates for all stores that the hub has lost: the same package put down again brings them back. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, downAtHub } from '../../../firmware/chain/subjects.ts';
import { needing } from '../../needing.ts';
import { until } from '../../support.ts';
import { agree } from '../../sync/rig.ts';
import { type Hub, NO_HUB, sharedHub } from '../hub.ts';
import { dealt, openCentre, said, startStore } from './centre.ts';

const lost = suite('chain: templates that the hub has lost');
const test = needing(NO_HUB, 'chain: templates that the hub has lost', lost);
const emptyHub = sharedHub(lost);

/** Where the parts or the templates lie. */
async function subjectsOf(hub: Hub, kind: 'part' | 'template'): Promise<string[]> {
  await using chain = await hub.asChain();
  const manager = await jetstreamManager(chain);
  const { state } = await manager.streams.info(DOWN, { subjects_filter: downAtHub(null, `templates.${kind}.>`) });
  return Object.keys(state.subjects ?? {}).sort();
}

async function lose(hub: Hub, ...subjects: readonly string[]): Promise<void> {
  await using chain = await hub.asChain();
  const manager = await jetstreamManager(chain);
  for (const filter of subjects) await manager.streams.purge(DOWN, { filter });
}

const numberOf = async (hub: Hub): Promise<string | undefined> =>
  /last change is (\d+)/.exec(await said(hub, 'list'))?.[1];
const failure = (work: Promise<string>): Promise<string> =>
  work.then(
    () => 'done',
    ({ stderr }: { stderr: string }) => stderr,
  );

test('a template that is gone, or another than it was, lies there again, and stores that wait for it have it', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  const file = await centre.packageOf({ 1: 2, 2: 1 });
  await said(hub, 'put', file);
  const number = await numberOf(hub);
  const lay = await subjectsOf(hub, 'template');
  const [gone = '', other = ''] = lay;
  await lose(hub, gone);
  {
    await using chain = await hub.asChain();
    await jetstream(chain).publish(other, 'made-up');
  }
  await using master = await startStore(hub, 'A');
  await until('the problem', () => master.storeTemplates.problem);
  assert.match(await said(hub, 'put', file), /^\d items? .* put there anew/);
  assert.is(await numberOf(hub), number, 'to stores it is the change that it was');
  assert.equal(await subjectsOf(hub, 'template'), lay);
  await dealt(hub, master);
  await agree([master], 3);
  assert.is(master.storeTemplates.problem, null);
  assert.match(await said(hub, 'put', file), 'is new');
});

test('a part of the catalogue that is gone comes back with the package, and what else it named is reported', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  const file = await centre.packageOf({ 1: 1, 2: 1 });
  await said(hub, 'put', file);
  await using master = await startStore(hub, 'A');
  await dealt(hub, master);
  await lose(hub, ...(await subjectsOf(hub, 'part')));
  assert.match(await failure(said(hub, 'list')), 'templates put');
  assert.match(await failure(said(hub, 'drop', '1')), 'templates put');
  await said(hub, 'put', await centre.packageOf({ 3: 1 }));
  assert.match(await said(hub, 'list'), /^1 items/m);
  assert.match(await said(hub, 'put', file), /^2 items are put down/);
  assert.match(await said(hub, 'list'), /^3 items/m);
  await dealt(hub, master);
  await agree([master], 3);
});

test('what was taken back, and what a hub has lost whole, is put down again', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  const file = await centre.packageOf({ 1: 1, 2: 1 });
  await said(hub, 'put', file);
  await said(hub, 'drop', '1');
  assert.match(await said(hub, 'put', file), /^1 items are put down/);
  await lose(hub, 'down.>');
  assert.match(await said(hub, 'put', file), /^2 items are put down/);
});

test('what somebody else has written over the catalogue is reported, and replaced by a package', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  const file = await centre.packageOf({ 1: 1 });
  await said(hub, 'put', file);
  {
    await using chain = await hub.asChain();
    await jetstream(chain).publish(downAtHub(null, 'templates'), 'made-up');
  }
  assert.match(await failure(said(hub, 'list')), 'somebody else has written over it');
  assert.match(await said(hub, 'put', file), /^1 items are put down/);
  assert.match(await said(hub, 'list'), /^1 items; /m);
});

lost.run();
