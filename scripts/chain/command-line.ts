/** What the commands of `scripts/chain.sh` have in common. */
import type { Command } from 'commander';
import { withConnection } from './hub.ts';
import { type KeyFolder, pairOf } from './keys.ts';
import { warn } from './lock.ts';
import { namesIn } from './reader.ts';
import { readDevices, type WatchedDevice } from './watch.ts';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export interface Common {
  readonly keys: string;
}

/** With the option that all of them have. */
export const withKeys = (command: Command): Command =>
  command.requiredOption('--keys <folder>', 'of the chain’s keys', process.env.LANEWARE_CHAIN);

/** What lies at the hub at this moment. */
export const devicesAt = (folder: KeyFolder): Promise<readonly WatchedDevice[]> =>
  withConnection(folder.keys, pairOf(folder.keys.account), (connection) =>
    readDevices(connection, namesIn(folder), warn),
  );
