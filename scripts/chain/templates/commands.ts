/** `scripts/chain.sh templates`: templates for all stores. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { HttpFailure } from '../../../firmware/http/failure.ts';
import { type Entries, readItemFile } from '../../../firmware/recognition/http/v1/item-file.ts';
import { ItemError } from '../../../firmware/recognition/items/item.ts';
import { ChainFailure, troubleWith } from '../failures.ts';
import { withConnection } from '../hub.ts';
import { pairOf } from '../keys.ts';
import { changing, warn } from '../lock.ts';
import { judgeNamed } from '../named-file.ts';
import { TemplateDesk } from './desk.ts';
import { withPackage } from './package.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Common {
  readonly keys: string;
}

const atDesk = <T>({ keys: path }: Common, work: (desk: TemplateDesk) => Promise<T>): Promise<T> =>
  changing(path, ({ keys }) =>
    withConnection(keys, pairOf(keys.account), (connection) => work(new TemplateDesk(connection, keys, Date.now))),
  );

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

async function describe(file: string, options: Common): Promise<void> {
  const entries = tableIn(file);
  const { number, items, unknown } = await atDesk(options, (desk) => desk.describe(entries));
  say(items === 0 ? `nothing in ${file} is new` : `${items} items are described, as change ${number}`);
  if (unknown > 0) warn(`${unknown} items of ${file} have no templates at the chain: they are left out`);
}

/** @throws {ChainFailure} where it is no table of items */
function tableIn(file: string): Entries {
  judgeNamed(file);
  try {
    return readItemFile({ kind: 'csv', bytes: readFileSync(file) });
  } catch (error) {
    if (error instanceof ItemError || error instanceof HttpFailure)
      throw new ChainFailure(`${file}: ${error.message}`, { cause: error });
    throw new ChainFailure(troubleWith(file, error), { cause: error });
  }
}

async function list(options: Common): Promise<void> {
  const { number, items } = await atDesk(options, (desk) => desk.list());
  for (const { item, number: own, model, templates } of items) say([item, templates.length, own, model].join('  '));
  say(
    items.length === 0 ? 'nothing is put down for all stores' : `${items.length} items; the last change is ${number}`,
  );
}

async function drop(item: string | undefined, options: Common & { readonly all: boolean }): Promise<void> {
  if ((item === undefined) !== options.all) throw new ChainFailure('name one item, or say --all');
  const { number, items } = await atDesk(options, (desk) => desk.drop(item === undefined ? null : [item]));
  say(`${items} items are taken back, as change ${number}`);
}

/** @param withKeys adds the option that every command has */
export function addTemplateCommands(program: Command, withKeys: (command: Command) => Command): void {
  const templates = program.command('templates').description('what all stores learn of items; their own goes first');
  withKeys(templates.command('put'))
    .description('put down the items of a package that a device has exported, in place of what the chain has of them')
    .argument('<file>')
    .action(put);
  withKeys(templates.command('describe'))
    .description('say what items that are put down are sold as; what a store says itself goes first')
    .argument('<table>', 'CSV, as a device exports its items')
    .action(describe);
  withKeys(templates.command('list'))
    .description('items that are put down: templates, the change they came with, and the model that made them')
    .action(list);
  withKeys(templates.command('drop'))
    .description('take an item back from the stores that have left it as it came')
    .argument('[item]')
    .option('--all', 'all of them', false)
    .action(drop);
}
