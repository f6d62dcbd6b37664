/** `scripts/chain.sh templates`: templates for all stores. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { HttpFailure } from '../../../firmware/http/failure.ts';
import { type Entries, readItemFile } from '../../../firmware/recognition/http/item-file.ts';
import { ItemError } from '../../../firmware/recognition/items/item.ts';
import { type DescribedField, FIELDS } from '../../../firmware/sync/centre/catalogue.ts';
import { type Common, say, withKeys } from '../command-line.ts';
import { ChainFailure, troubleWith } from '../failures.ts';
import { withConnection } from '../hub.ts';
import { type KeyFolder, pairOf } from '../keys.ts';
import { changing, warn } from '../lock.ts';
import { judgeNamed } from '../named-file.ts';
import { namesIn } from '../reader.ts';
import { percent } from '../rollout/commands.ts';
import { isHeard } from '../rollout/decide.ts';
import { readDevices, type WatchedDevice } from '../watch.ts';
import { type Aim, TemplateDesk } from './desk.ts';
import { withPackage } from './package.ts';
import { picturesIn } from './pictures.ts';
import { reportOf, storeLine } from './status.ts';

const ALL = 100;

interface DescribeOptions extends AimOptions {
  /** A folder. */
  readonly pictures?: string;
  readonly wins?: readonly DescribedField[];
}

interface AimOptions extends Common {
  readonly ring?: number;
  readonly to?: readonly string[];
}

/** What an administrator works with. */
interface Room {
  readonly folder: KeyFolder;
  /** What devices of the chain's stores report. */
  readonly devices: () => Promise<readonly WatchedDevice[]>;
}

const atDesk = <T>({ keys: path }: Common, work: (desk: TemplateDesk, room: Room) => Promise<T>): Promise<T> =>
  changing(path, (folder) =>
    withConnection(folder.keys, pairOf(folder.keys.account), (connection) => {
      const devices = () => readDevices(connection, namesIn(folder), warn);
      const desk = new TemplateDesk(connection, folder.keys, Date.now, async () => heardIn(await devices()));
      return work(desk, { folder, devices });
    }),
  );

/** Accounts of the stores whose master takes a description by rings. */
function heardIn(devices: readonly WatchedDevice[]): string[] {
  const stores = [...Map.groupBy(devices, ({ account }) => account).values()];
  const masters = stores.flatMap((each) => reportOf(each) ?? []);
  return masters.filter(({ device }) => isHeard(device, Date.now())).map(({ device }) => device.account);
}

/** @throws {ChainFailure} where it names a store that the chain has not */
function aimOf({ ring, to = [] }: AimOptions, { folder }: Room): Aim {
  const accounts = to.map((name) => pairOf(folder.store(name).seed).getPublicKey());
  return { percent: ring ?? (accounts.length > 0 ? 0 : ALL), accounts };
}

async function put(file: string, options: Common): Promise<void> {
  const done = await withPackage(file, (packaged) => atDesk(options, (desk) => desk.put(packaged)));
  const { number, items, restored, lostParts } = done;
  if (items > 0) say(`${items} items are put down for all stores, as change ${number}`);
  if (restored > 0) say(`${restored} items that the hub had lost something of are put there anew`);
  if (items + restored === 0) say(`nothing in ${file} is new`);
  if (lostParts > 0)
    warn(
      'the hub had lost a part of the catalogue: what it named, but for this package, is offered to stores no more, and stays where it is. Put down again what else was put down; templates list names what is there',
    );
}

async function describe(file: string, options: DescribeOptions): Promise<void> {
  const entries = tableIn(file);
  const pictures = options.pictures === undefined ? undefined : await picturesIn(options.pictures, entries);
  const { number, items, stored } = await atDesk(options, (desk, room) =>
    desk.describe(entries, aimOf(options, room), options.wins, pictures),
  );
  say(items === 0 ? `nothing in ${file} is new` : `${items} items are described, as change ${number}`);
  if (stored > 0) say(`${stored} pictures are put down that the hub did not have`);
}

/** @throws {ChainFailure} where it is no table of items */
function tableIn(file: string): Entries {
  judgeNamed(file);
  try {
    return readItemFile({ kind: 'csv', bytes: readFileSync(file) }).entries;
  } catch (error) {
    if (error instanceof ItemError || error instanceof HttpFailure)
      throw new ChainFailure(`${file}: ${error.message}`, { cause: error });
    throw new ChainFailure(troubleWith(file, error), { cause: error });
  }
}

async function widen(options: AimOptions): Promise<void> {
  if (options.ring === undefined && options.to === undefined) throw new ChainFailure('say --ring, or --to');
  const isForAll = await atDesk(options, (desk, room) => desk.widen(aimOf(options, room)));
  say(isForAll ? 'the description is for all stores' : 'the description goes to more stores: templates status');
}

async function stop(options: Common): Promise<void> {
  const { number, items } = await atDesk(options, (desk) => desk.stop());
  say(`${items} items are what they were before, as change ${number}`);
}

async function status(options: Common): Promise<void> {
  await atDesk(options, async (desk, { folder, devices }) => {
    const [{ head }, all] = [await desk.list(), await devices()];
    const byStore = Map.groupBy(all, ({ account }) => account);
    for (const [account, name] of namesIn(folder))
      say(storeLine({ name, account }, byStore.get(account) ?? [], head, Date.now()));
  });
}

async function list(options: Common): Promise<void> {
  const { head, items } = await atDesk(options, (desk) => desk.list());
  for (const { item, number: own, model, templates } of items)
    say([item, templates.length, own, model ?? 'no templates'].join('  '));
  say(
    items.length === 0
      ? 'nothing is put down for all stores'
      : `${items.length} items; the last change is ${head.number}`,
  );
}

async function drop(item: string | undefined, options: Common & { readonly all: boolean }): Promise<void> {
  if ((item === undefined) !== options.all) throw new ChainFailure('name one item, or say --all');
  const { number, items } = await atDesk(options, (desk) => desk.drop(item === undefined ? null : [item]));
  say(`${items} items are taken back, as change ${number}`);
}

/** As `named`. */
function fields(text: string, before: readonly DescribedField[] = []): readonly DescribedField[] {
  if (text === 'all') return FIELDS;
  const wanted = text === 'none' ? [] : text.split(',');
  const known = FIELDS.filter((field) => wanted.includes(field));
  if (known.length === wanted.length) return FIELDS.filter((field) => [...before, ...known].includes(field));
  throw new InvalidArgumentError(`They must be all, none, or some of ${FIELDS.join(', ')}.`);
}

/** Said more than once, they add up. */
const named = (text: string, before: readonly string[] = []): readonly string[] => [...before, ...text.split(',')];

const withAim = (command: Command): Command =>
  command
    .option('--ring <percent>', 'a share of the stores that are heard; 100: all', percent)
    .addOption(new Option('--to <stores>', 'named ones, as M1,M2').argParser(named));

export function addTemplateCommands(program: Command): void {
  const templates = program.command('templates').description('what all stores learn of items; their own goes first');
  withKeys(templates.command('put'))
    .description('put down the items of a package that a device has exported, in place of what the chain has of them')
    .argument('<file>')
    .action(put);
  withAim(withKeys(templates.command('describe')))
    .description('say what items are sold as, with templates or without; what a store says itself goes first')
    .argument('<table>', 'CSV, as a device exports its items')
    .option('--wins <fields>', 'of which stores may say nothing else, as name,price; all or none', fields)
    .option('--pictures <folder>', 'their pictures, 4011.jpg by the id or PLU; without a file an item has none')
    .action(describe);
  withAim(withKeys(templates.command('widen')))
    .description('take a description that is with some stores to more of them')
    .action(widen);
  withKeys(templates.command('stop'))
    .description('take a description that is with some stores back from them')
    .action(stop);
  withKeys(templates.command('status'))
    .description('the description that each store has, and what has become of its items')
    .action(status);
  withKeys(templates.command('list'))
    .description('items that are put down: templates, the change they came with, and the model that made them')
    .action(list);
  withKeys(templates.command('drop'))
    .description('take an item back from the stores that have left it as it came')
    .argument('[item]')
    .option('--all', 'all of them', false)
    .action(drop);
}
