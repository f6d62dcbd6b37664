/** `scripts/chain.sh config`: what the chain wants configured on its devices. */
import type { Command } from 'commander';
import { type Fields, isFields } from '../../../drivers/lib/fields.ts';
import { configKeys, fromText } from '../../../firmware/config/load.ts';
import { type Common, devicesAt, say, withKeys } from '../command-line.ts';
import { ChainFailure } from '../failures.ts';
import { withConnection } from '../hub.ts';
import { KeyFolder, pairOf } from '../keys.ts';
import { changing } from '../lock.ts';
import { readNamedJson } from '../named-file.ts';
import { namesIn } from '../reader.ts';
import { ConfigDesk, nameOf, type Settings, type Target } from './desk.ts';

const MAX_FILE_BYTES = 1024 * 1024;

const atDesk = <T>({ keys: path }: Common, work: (desk: ConfigDesk) => Promise<T>): Promise<T> =>
  changing(path, (folder) =>
    withConnection(folder.keys, pairOf(folder.keys.account), (connection) =>
      work(new ConfigDesk(connection, folder, Date.now)),
    ),
  );

/** `all`, `M1`, or `M1/LW000042`. */
function targetOf(text: string): Target {
  const slash = text.indexOf('/');
  const [store, serial] = slash < 0 ? [text, null] : [text.slice(0, slash), text.slice(slash + 1)];
  if (serial === '' || (serial !== null && store === 'all'))
    throw new ChainFailure(`${text}: name all, STORE or STORE/SERIAL`);
  return { store: store === 'all' ? null : store, serial };
}

/** Of a tree, as a configuration file is one, its keys with dots; what is a key here already stays whole. */
function flattened(tree: Fields, before: readonly string[] = []): [string, unknown][] {
  const known = new Set(configKeys().map(({ path }) => path.join('.')));
  return Object.entries(tree).flatMap(([name, value]): [string, unknown][] => {
    const path = [...before, name];
    const key = path.join('.');
    return isFields(value) && !known.has(key) ? flattened(value, path) : [[key, value]];
  });
}

function settingsIn(file: string): Settings {
  const said = readNamedJson(file, MAX_FILE_BYTES, 'write it as the configuration of a device');
  if (said === undefined)
    throw new ChainFailure(
      `there is no file ${file}: look at its name, or set keys with their values, as log.level=warn`,
    );
  if (isFields(said)) return Object.fromEntries(flattened(said));
  throw new ChainFailure(`${file}: must hold one JSON object`);
}

function settingOf(text: string): [string, unknown] {
  const at = text.indexOf('=');
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  const key = configKeys().find(({ path }) => path.join('.') === name);
  // what is no key is refused with all else that is wrong
  return [name, key === undefined ? value : fromText(key.schema, value)];
}

async function set(target: string, given: readonly string[], options: Common): Promise<void> {
  const [file = ''] = given;
  const isFile = given.length === 1 && !file.includes('=');
  const wrong = isFile ? undefined : given.find((each) => !each.includes('='));
  if (wrong !== undefined)
    throw new ChainFailure(`${wrong}: name one file, or keys with their values, as log.level=warn`);
  const settings = isFile ? settingsIn(file) : Object.fromEntries(given.map(settingOf));
  const number = await atDesk(options, (desk) => desk.set(targetOf(target), settings));
  say(`${target} is to have it, as document ${number}: scripts/chain.sh config show says what became of it`);
}

async function unset(target: string, keys: readonly string[], options: Common): Promise<void> {
  const number = await atDesk(options, (desk) => desk.unset(targetOf(target), keys));
  say(`${target} is to have what its own file says, as document ${number}`);
}

async function show(options: Common): Promise<void> {
  const listed = await atDesk(options, (desk) => desk.list());
  for (const { target, number, settings } of listed)
    for (const [key, value] of Object.entries(settings))
      say(`${nameOf(target)}  ${number}  ${key}=${JSON.stringify(value)}`);
  if (listed.length === 0) say('nothing is set');
  await showDevices(options);
}

/** What each device says became of it. */
async function showDevices({ keys }: Common): Promise<void> {
  const folder = KeyFolder.open(keys);
  const names = namesIn(folder);
  const lines = (await devicesAt(folder)).flatMap(({ account, serial, inventory }) => {
    const [store, desired] = [names.get(account), inventory?.desired];
    if (store === undefined || desired === undefined) return [];
    const { state, number, reason } = desired;
    return [[`${store}/${serial}`, state, number, ...(reason === '' ? [] : [reason])].join('  ')];
  });
  for (const line of lines.sort()) say(line);
}

export function addConfigCommands(program: Command): void {
  const config = program.command('config').description('what is configured on lanes; the more particular wins');
  const target = ['<target>', 'all, STORE, or STORE/SERIAL'] as const;
  withKeys(config.command('set'))
    .description('set keys of the configuration; others that are set stay as they are')
    .argument(...target)
    .argument('<what...>', 'a JSON file, or key=value')
    .action(set);
  withKeys(config.command('show')).description('what is set, and what became of it on each device').action(show);
  withKeys(config.command('unset'))
    .description('leave keys to the file of each device again; all where none is named')
    .argument(...target)
    .argument('[keys...]')
    .action(unset);
}
