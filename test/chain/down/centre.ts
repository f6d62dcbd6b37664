/** What the tests of templates for all stores share: packages of a device at the centre, and stores that take them in. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { pairOf } from '../../../scripts/chain/keys.ts';
import { TemplateDesk } from '../../../scripts/chain/templates/desk.ts';
import { readLying } from '../../../scripts/chain/templates/lying.ts';
import { FakeModel } from '../../recognition/support.ts';
import { call, temporaryFolder, until } from '../../support.ts';
import { startLane, startMaster } from '../../sync/real-rig.ts';
import type { Lane, LaneOptions } from '../../sync/rig.ts';
import { chainCommand, type Hub, joinChain } from '../hub.ts';

export interface Centre extends Disposable {
  /** A package of what a device at the centre has learned: each item so many templates. */
  packageOf(items: Readonly<Record<string, number>>, model?: FakeModel): Promise<string>;
}

export function openCentre(): Centre {
  const folder = temporaryFolder();
  let packages = 0;
  return {
    packageOf: async (items, model = new FakeModel()) => {
      await using lane = await startLane('CENTRE', { model });
      for (const [item, count] of Object.entries(items))
        for (let each = 0; each < count; each++) await lane.learn(item, each + 1);
      await lane.must('export_template');
      const { filename } = await until('the package', async () => {
        const { body } = await call(`${lane.url}/api/export_template_status`);
        return body.status === 3 ? body : null;
      });
      const path = join(folder.path, `${++packages}.zip`);
      writeFileSync(path, Buffer.from(await (await fetch(`${lane.url}/download/${filename}`)).arrayBuffer()));
      return path;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

export const said = (hub: Hub, ...words: readonly string[]) => chainCommand('templates', ...words, '--keys', hub.keys);

export async function startStore(hub: Hub, name: string, options: LaneOptions = {}): Promise<Lane> {
  const master = await startMaster(name, options);
  await joinChain(master, await hub.admit(name));
  return master;
}

/** Waits until a master has dealt with the last change. @returns its number */
export async function dealt(hub: Hub, master: Lane): Promise<number> {
  await using chain = await hub.asChain();
  const { number } = (await readLying(chain, hub.folder().keys)).head;
  return await until(`${master.serial} has dealt with ${number}`, () =>
    master.storeTemplates.state?.number === number ? number : null,
  );
}

export const ALL_STORES = { percent: 100, accounts: [] };

export const only = (hub: Hub, ...names: readonly string[]) => ({
  percent: 0,
  accounts: names.map((name) => pairOf(hub.folder().store(name).seed).getPublicKey()),
});

/** At which no master is heard. */
export const deskAt = (hub: Hub, chain: NatsConnection): TemplateDesk =>
  new TemplateDesk(chain, hub.folder().keys, Date.now, async () => []);

export const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String(error),
  );

export const pricesAt = ({ recognition: { items } }: Lane) =>
  ['4011', '4012'].map((id) => (items.find(id) === null ? 'none' : items.get(id).price));
