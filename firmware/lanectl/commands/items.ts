/** `lanectl items`: what items are called and sold as, as a file of a spreadsheet or of a program. */
import { createWriteStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { bodyOf, canBeFile, writeAnswer } from '../answer-file.ts';
import { acting, type Tools } from '../context.ts';
import { CommandFailure, misuse } from '../exit-codes.ts';
import { readNamed } from '../values.ts';

const FORMATS = ['csv', 'json', '1c'] as const;
type Format = (typeof FORMATS)[number];
const TYPES: Readonly<Record<Format, string>> = { csv: 'text/csv', json: 'application/json', '1c': 'text/csv' };

interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly unread?: readonly string[];
}

interface Options {
  readonly format?: Format;
}

/** From the option, else from the name of the file, else `usual`. @throws {CommandFailure} where none of them says */
function formatOf(file: string, { format }: Options, usual?: Format): Format {
  const found = format ?? FORMATS.find((each) => extname(file).toLowerCase() === `.${each}`) ?? usual;
  if (found !== undefined) return found;
  throw misuse('Option', `the name of the file must end in .csv or .json, or --format name one of them`);
}

async function exportItems({ device, out }: Tools, file: string, options: Options): Promise<undefined> {
  const usual = out.isJson ? 'json' : 'csv';
  const format = formatOf(file, options, file === '-' ? usual : undefined);
  if (file === '-' && out.isJson && format !== 'json')
    throw misuse('Option', '--json prints only JSON: leave it out, or use --format json');
  const answer = await device.opened('recognition', `/v1/catalogue?format=${format}`);
  if (file === '-') {
    out.endWithReader();
    return void (await pipeline(bodyOf(answer), process.stdout, { end: false }));
  }
  // a pipe that has a name is written as it is
  if (!canBeFile(file)) await pipeline(bodyOf(answer), createWriteStream(file));
  else await writeAnswer(answer, file, { mode: 0o666, judge: async () => undefined });
  out.result({ file }, [`the items are in ${file}`]);
}

async function importItems({ device, out }: Tools, file: string, options: Options): Promise<undefined> {
  const raw = await readNamed(file);
  const headers = { 'content-type': TYPES[formatOf(file, options)] };
  const done = await device.call('recognition', '/v1/catalogue', { raw, headers }).catch((error: unknown) => {
    if (!(error instanceof CommandFailure) || error.exit !== 'usage') throw error;
    throw new CommandFailure('usage', `${file}: ${error.message}`, error.details, error);
  });
  const { created, updated, unread = [] } = done as Imported;
  const ignored = unread.length === 0 ? [] : [`not read: the columns ${unread.join(', ')}`];
  out.result({ created, updated, ...(unread.length > 0 && { unread }) }, [
    `${created} new items, ${updated} that were there`,
    ...ignored,
  ]);
}

export function addItems(program: Command): void {
  const items = program.command('items').description('names, prices and codes of items: import and export a file');
  const format = () => new Option('--format <format>', 'format, if the file name does not show it').choices(FORMATS);
  items
    .command('import')
    .description('import names, codes and prices, all or nothing; items not in the file stay')
    .argument(
      '<file>',
      '.csv with the columns id, name, plu, price (kopecks), barcodes (separated by |), pieceWeight (grams), or those of 1C (Код, Наименование, Цена in roubles, Штрихкод), or .json; - reads the standard input',
    )
    .addOption(format())
    .action(acting(importItems));
  items
    .command('export')
    .description('export all items to one file, without pictures')
    .argument('<file>', '.csv or .json; - writes to the standard output, as CSV by default')
    .addOption(format())
    .action(acting(exportItems));
}
