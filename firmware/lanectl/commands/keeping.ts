/** `lanectl backup`, `restore`: what the device on this machine keeps, as one file. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { holderOf } from '../../store/data-dir.ts';
import { acting, type Tools } from '../context.ts';
import { isOwnHost } from '../doctor/connection-faults.ts';
import { CommandFailure } from '../exit-codes.ts';
import { dataFolder } from '../own-machine.ts';

interface Options {
  readonly data?: string;
  readonly overNewerPayments?: boolean;
}

/**
 * Root works on a device's folder as the user that it belongs to: nothing in it, and no link, is then followed with the rights
 * of root, and what is written belongs to that user.
 * @throws {CommandFailure} where there is no such folder
 */
function asOwnerOf(folder: string): void {
  if (!existsSync(folder))
    throw new CommandFailure('usage', `there is no ${folder}: --data names the folder of the device`);
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/** A device that runs here and does not hold the folder keeps its data elsewhere. @throws {CommandFailure} */
async function refuseOtherFolder(device: Tools['device'], folder: string): Promise<void> {
  const url = device.addresses.guess('terminal');
  if (process.platform !== 'linux' || !isOwnHost(new URL(url).hostname) || holderOf(folder) !== null) return;
  try {
    await device.health('terminal');
  } catch (error) {
    if (error instanceof CommandFailure) return; // none runs
    throw error;
  }
  const what = `the device on ${url} keeps its data elsewhere than in ${folder}: it has printed its folder when it started`;
  throw new CommandFailure('usage', `${what}; name it with --data`);
}

async function backup({ device, out }: Tools, file: string, { data }: Options): Promise<undefined> {
  const folder = resolve(data ?? dataFolder());
  if (data === undefined) await refuseOtherFolder(device, folder);
  const { makeBackup } = await import('../backup/make.ts');
  asOwnerOf(folder); // who may then no longer read this file, in a clone of root's
  const made = await makeBackup(folder, file, { version: manifest.version });
  const bytes = statSync(file).size;
  out.result({ ...made, file: resolve(file), bytes }, [
    `${file}: ${made.files.map(({ name }) => name).join(', ')} (${Math.ceil(bytes / 1024)} KB)`,
    'It holds what was sold: keep it where only you can read it. The key of the bank’s secrets is not in it.',
  ]);
}

async function restore({ out }: Tools, file: string, { data, overNewerPayments }: Options): Promise<undefined> {
  const folder = resolve(data ?? dataFolder());
  const { restoreBackup } = await import('../backup/restore.ts');
  asOwnerOf(folder);
  if (!existsSync(file)) throw new CommandFailure('usage', `there is no ${file}`);
  const { manifest: of, before } = await restoreBackup(folder, resolve(file), overNewerPayments === true);
  out.result({ ...of, folder, before }, [
    `${folder} is as it was at ${of.madeAt}: ${of.files.map(({ name }) => name).join(', ')}`,
    ...(before === null ? [] : [`what was there lies in ${before}`]),
  ]);
}

export function addKeeping(program: Command): void {
  const data = ['--data <folder>', 'of the device; left out, that of this machine'] as const;
  program
    .command('backup')
    .description('write what the device on this machine keeps into one file, while it runs or not')
    .argument('<file>', 'as /media/laneware/lane-7.zip')
    .option(...data)
    .action(acting(backup));
  program
    .command('restore')
    .description('put a backup back on this machine, while the device is stopped; refuses where it has newer payments')
    .argument('<file>', 'that backup has written')
    .option(...data)
    .option('--over-newer-payments', 'put it back all the same; what is there is kept beside it')
    .action(acting(restore));
}
