/** `lanectl backup` and `restore`: the data of the device on this machine, as one file sealed by a passphrase. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { isCode } from '../../../drivers/lib/errors.ts';
import manifest from '../../../package.json' with { type: 'json' };
import {
  acting,
  CommandFailure,
  dataFolder,
  Interruption,
  isOwnHost,
  misuse,
  readNamed,
  type Tools,
} from '../../core/cli/index.ts';
import type { Shell } from '../feature.ts';
import type { LastRestore } from './index.ts';

interface Options {
  readonly data?: string;
  readonly passphraseFile?: string;
  readonly overNewerPayments?: boolean;
}

const PASSPHRASE_VARIABLE = 'LANEWARE_PASSPHRASE';

/**
 * Lets root work on a device's folder as the folder's owner: then no link in it is followed with root's rights, and new
 * files belong to the owner.
 * @throws {CommandFailure} where there is no such folder
 */
function asOwnerOf(folder: string): void {
  if (!existsSync(folder)) throw misuse('File', `there is no ${folder}: --data names the folder of the device`);
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/** @param folder whose owner has replaced root @throws {CommandFailure} where that user may not write */
function requireOpenToOwner(place: string, folder: string): void {
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (!isCode(error, 'EACCES')) return; // other errors are reported when the file is written
    const what = `a backup is written as the owner of ${folder}, who may not write into ${place}: name a file elsewhere`;
    throw new CommandFailure('failed', what, {}, error);
  }
}

/** Refuses the folder where a device runs on this machine and uses another folder. @throws {CommandFailure} */
async function refuseOtherFolder(device: Tools['device'], folder: string): Promise<void> {
  const { holderOf } = await import('../../core/files/index.ts');
  const url = device.addresses.guess('terminal');
  if (process.platform !== 'linux' || !isOwnHost(new URL(url).hostname) || holderOf(folder) !== null) return;
  try {
    await device.health('terminal');
  } catch (error) {
    if (error instanceof CommandFailure) return; // no device runs
    throw error;
  }
  const what = `the device on ${url} keeps its data elsewhere than in ${folder}: it has printed its folder when it started`;
  throw misuse('Option', `${what}; name it with --data`);
}

/**
 * Reads the passphrase from a file or the environment: in the command itself other users of the machine would see it.
 * @throws {CommandFailure}
 */
async function passphraseOf(file: string | undefined): Promise<string> {
  const given =
    file === undefined ? (process.env[PASSPHRASE_VARIABLE] ?? '') : Buffer.from(await readNamed(file)).toString();
  // spaces at the ends belong to the passphrase, as in the console; a line break at the end does not
  const passphrase = given.replace(/\r?\n$/, '');
  if (passphrase.trim() !== '') return passphrase;
  const how = `--passphrase-file FILE, or ${PASSPHRASE_VARIABLE} in the environment`;
  throw misuse('Option', `a backup is sealed by a passphrase, and none was given: ${how}`);
}

async function backup({ device, out }: Tools, file: string, options: Options): Promise<undefined> {
  const { data, passphraseFile } = options;
  const folder = resolve(data ?? dataFolder());
  const passphrase = await passphraseOf(passphraseFile);
  if (data === undefined) await refuseOtherFolder(device, folder);
  const { credentialOf, sealerOf, writeBackup } = await import('./backup-file.ts');
  const credential = credentialOf(folder);
  asOwnerOf(folder); // in a clone that belongs to root, the owner may be unable to read the program
  requireOpenToOwner(dirname(resolve(file)), folder);
  const source = { folder, sealer: sealerOf(folder, credential), version: manifest.version, device: hostname() };
  const made = await writeBackup(file, source, passphrase, new Interruption().signal);
  const bytes = statSync(file).size;
  out.result({ ...made, file: resolve(file), bytes }, [
    `${file}: ${made.files.join(', ')} (${Math.ceil(bytes / 1024)} KB)`,
    ...made.damaged.map((name) => `${name} is damaged, and the backup lacks it: /health says what to do`),
    made.unopened === 0
      ? 'It holds the bank’s secrets. Without the passphrase it cannot be opened.'
      : `${made.unopened} secrets of the bank could not be opened with the key of this machine: they are of use to it alone.`,
  ]);
}

/** Words the result of an earlier restore, which the device prepared or whose command was killed. */
const earlierInWords = (folder: string, { device, madeAt, lost }: LastRestore): string =>
  lost === null
    ? `a restore was under way, and is done now: ${folder} is as ${device} was at ${madeAt}`
    : `a restore was under way, and was given up: the backup of ${madeAt} does not know payments that came in since`;

async function restore(
  { out }: Tools,
  file: string,
  options: Options,
  shell: () => Promise<Shell>,
): Promise<undefined> {
  const { data, passphraseFile, overNewerPayments } = options;
  const folder = resolve(data ?? dataFolder());
  const { credentialOf, openBackup, restoreFile } = await import('./backup-file.ts');
  const credential = credentialOf(folder);
  const content = openBackup(file);
  const passphrase = await passphraseOf(passphraseFile);
  asOwnerOf(folder);
  const done = await restoreFile(
    resolve(file),
    { file: content, passphrase, isForced: overNewerPayments === true },
    { folder, sealer: credential, version: manifest.version, databases: async () => (await shell()).databases() },
    (last) => out.printAside(earlierInWords(folder, last)),
  );
  out.result({ ...done, folder }, [
    `${folder} is as ${done.device} was at ${done.madeAt}: ${done.files.join(', ')}`,
    ...(done.isOwn ? [] : ['It was made on another device. Payments that were open there are left to that device.']),
    ...(done.before === null ? [] : [`what was there lies in ${done.before}`]),
  ]);
}

export function addBackupCommands(program: Command, shell: () => Promise<Shell>): void {
  const data = ['--data <folder>', 'the device’s data folder (default: the one of this machine)'] as const;
  const passphrase = [
    '--passphrase-file <file>',
    `holds the passphrase; left out, ${PASSPHRASE_VARIABLE} of the environment`,
  ] as const;
  program
    .command('backup')
    .description('back up the device on this machine to one file; it may be running')
    .argument('<file>', 'e.g. /media/laneware/lane-7.backup')
    .option(...data)
    .option(...passphrase)
    .action(acting(backup));
  program
    .command('restore')
    .description('restore a backup on this machine while the device is stopped; refuses if it has newer payments')
    .argument('<file>', 'file written by backup')
    .option(...data)
    .option(...passphrase)
    .option('--over-newer-payments', 'restore anyway; the current data is kept beside it')
    .action(acting((tools, file: string, options: Options) => restore(tools, file, options, shell)));
}
