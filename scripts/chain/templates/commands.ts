/** `scripts/chain.sh templates`: templates for all stores. */
import type { Command } from 'commander';
import { withConnection } from '../hub.ts';
import { ChainFailure, pairOf } from '../keys.ts';
import { changing } from '../lock.ts';
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
  const { number, items } = await withPackage(file, (packaged) => atDesk(options, (desk) => desk.put(packaged)));
  say(items === 0 ? `nothing in ${file} is new` : `${items} items are put down for all stores, as change ${number}`);
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
  withKeys(templates.command('list'))
    .description('items that are put down: templates, the change they came with, and the model that made them')
    .action(list);
  withKeys(templates.command('drop'))
    .description('take an item back from the stores that have left it as it came')
    .argument('[item]')
    .option('--all', 'all of them', false)
    .action(drop);
}
