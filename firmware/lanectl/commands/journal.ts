/**
 * `lanectl journal`: writes the books of a period as one file that the device signs, verifies such a file, and shows
 * the device's key.
 */

import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import type { CheckedJournal } from '../../core/audit/index.ts';
import { acting, CommandFailure, misuse, type Tools, writeAnswer } from '../../core/cli/index.ts';

/**
 * Reads lines that end with `\n`. Other line ends do not count, because a till's text may contain them. A byte that is
 * not UTF-8 is an error: otherwise two different files could read the same.
 */
async function* linesIn(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  for await (const piece of createReadStream(file)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** Checks the file's signatures. @throws {CommandFailure} */
async function checked(file: string): Promise<CheckedJournal> {
  const { JournalCheck, JournalError } = await import('../../core/audit/index.ts');
  const check = new JournalCheck();
  try {
    for await (const line of linesIn(file)) check.add(line);
    return check.finish();
  } catch (error) {
    const refused = (code: string, why: string) =>
      new CommandFailure('failed', `${file} is not as a device signed it: ${why}`, { code }, error);
    if (isCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) throw refused('changed', 'a byte was changed');
    if (error instanceof JournalError) throw refused(error.code, error.message);
    throw misuse('File', `${file} cannot be read: ${messageOf(error)}`, error);
  }
}

const namesOf = (counts: CheckedJournal['counts']): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(', ') || 'no entries';

const linesOf = ({ head, counts, fingerprint }: CheckedJournal): string[] => [
  `${head.device}, ${head.from} to ${head.to} (${head.timeZone}); ${namesOf(counts)}`,
  `signed by the key ${fingerprint}`,
];

/** Writes the device's answer to a file, completely or not at all; the file is verified before it gets its name. */
async function write(
  { device, out }: Tools,
  file: string,
  period: { readonly from: string; readonly to: string },
): Promise<undefined> {
  const answer = await device.opened('recognition', `/console/api/journal?${new URLSearchParams(period)}`);
  const journal = await writeAnswer(answer, file, { mode: 0o600, judge: checked });
  out.result({ file, ...journal }, [file, ...linesOf(journal)]);
}

async function verify({ out }: Tools, file: string, { key }: { readonly key?: string }): Promise<undefined> {
  const journal = await checked(file);
  if (key !== undefined && key.toUpperCase() !== journal.fingerprint)
    throw new CommandFailure('failed', `${file} is signed by another key: ${journal.fingerprint}`, { code: 'key' });
  const advice = 'compare it with the key of the device: lanectl journal key, or --key';
  out.result({ file, ...journal }, [
    `${file} is unchanged since the device signed it`,
    ...linesOf(journal),
    ...(key === undefined ? [advice] : []),
  ]);
}

async function key({ device, out }: Tools): Promise<undefined> {
  const { fingerprint } = (await device.call('recognition', '/console/api/journal/key')) as {
    readonly fingerprint: string;
  };
  out.result({ fingerprint }, [fingerprint]);
}

export function addJournal(program: Command): void {
  const journal = program.command('journal').description('the books of a period for an inspector, as one signed file');
  journal
    .command('write')
    .description('write payments, refunds, shifts and what people did in a period; the device signs the file')
    .argument('<file>', 'as /media/usb/2026-11.jsonl')
    .requiredOption('--from <day>', 'the first day, as 2026-11-01')
    .requiredOption('--to <day>', 'the last day')
    .action(acting(write));
  journal
    .command('verify')
    .description('check a file: whole, unchanged, and by which key it was signed; needs no device')
    .argument('<file>', 'that journal write has made')
    .option('--key <fingerprint>', 'it must be signed by this key of a device')
    .action(acting(verify));
  journal.command('key').description('the fingerprint of the key of the device').action(acting(key));
}
