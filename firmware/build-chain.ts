/** The way of a store to its chain put together; its routes are on the port of recognition. */
import type { Base } from './base.ts';
import { Chain } from './chain/chain.ts';
import { runtimeFolderOf } from './chain/membership.ts';
import type { Sealer } from './store/sealer.ts';
import { encodePart } from './sync/centre/subjects.ts';

export function buildChain(base: Base, sealer: Sealer): Chain {
  const { config, dataDir, clock, serial, health, log } = base;
  return new Chain({
    path: dataDir.file('chain.json'),
    runtimeFolder: runtimeFolderOf(process.env, dataDir.file('chain')),
    part: encodePart(serial),
    hasOldLeaf: config.sync.leaf.url !== null,
    sealer,
    clock,
    health,
    log,
  });
}
