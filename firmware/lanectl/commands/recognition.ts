/** `lanectl teach`, `recognise`: what lies on the tray, and what it is called. */
import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import type { LearnedTemplate, Now, ResultAnswer } from '../../recognition/index.ts';
import { MAX_WEIGHT_GRAMS } from '../../recognition/items/item-limits.ts';
import { acting, type Tools } from '../context.ts';
import { CommandFailure, type ExitName } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import type { Output } from '../output.ts';
import { itemId, wholeNumber } from '../values.ts';

type Result = Static<typeof ResultAnswer>['data'];
type Learned = Static<typeof LearnedTemplate>;

async function teach({ device, out }: Tools, id: string, { times }: { readonly times: number }): Promise<undefined> {
  const path = `/v1/items/${encodeURIComponent(id)}/templates`;
  let templates = 0;
  for (let taken = 1; taken <= times; taken++) {
    const learned = await device.call('recognition', path, { method: 'POST' }).catch((error: unknown) => {
      if (!(error instanceof CommandFailure) || taken === 1) throw error;
      const words = `${error.message} (${taken - 1} of ${times} pictures were learned before)`;
      throw new CommandFailure(error.exit, words, { ...error.details, taken: taken - 1 }, error);
    });
    templates = (learned as Learned).templates;
    out.progress(`item ${id}: ${taken} of ${times} pictures`);
  }
  out.result({ id, taken: times, templates }, [
    `item ${id} has learned what lies on the tray (${times} of ${times} pictures), and has ${templates} now`,
  ]);
}

function wordOf({ certain, unknown, reason }: Result['verdict']): string {
  const word = certain ? 'certain' : unknown ? 'unknown' : 'uncertain';
  return reason === null ? word : `${word} (${reason})`;
}

const lineOf = ({ verdict, items, quality }: Result, out: Output): string => {
  const found = items.map(({ id, score }) => `${id} (${score.toFixed(2)})`).join(', ');
  const flaws = quality.length === 0 ? '' : out.toned('yellow', `, ${quality.join(', ')}`);
  return `${out.toned('bold', wordOf(verdict))}${found === '' ? '' : `: ${found}`}${flaws}`;
};

async function look(device: Tools['device']): Promise<Result> {
  return ((await device.call('recognition', '/api/get_result')) as { readonly data: Result }).data;
}

/** The same with the weight from a scale, which only calls of `/v1` take. @throws {CommandFailure} as `look` does */
async function lookWeighed(device: Tools['device'], grams: number): Promise<Result & Pick<Now, 'weight'>> {
  const now = (await device.call('recognition', `/v1/recognition?weight=${grams}`)) as Now;
  const { state, certain, reason, candidates, quality, weight, id } = now;
  if (id === null) throw new CommandFailure('refused', reason ?? 'the tray is empty: put an item on it', { state });
  const items = candidates.map(({ id: item, share, similarity }) => ({ id: item, score: share, similarity }));
  const verdict = { certain, unknown: state === 'unknown', reason: reason as Result['verdict']['reason'] };
  return { items, session: id, verdict, quality, weight };
}

/** Codes of the device's own, in place of a look: the tray is empty, no picture comes. */
const NO_LOOK = /^-\d+$/;

/** What a watch shows: again where `seen` is another than before. @throws {CommandFailure} where no device answers */
async function glance({ device, out }: Tools): Promise<{ seen: string; document: object; line: string }> {
  try {
    const data = await look(device);
    const seen = JSON.stringify([wordOf(data.verdict), data.items.map(({ id }) => id)]);
    return { seen, document: data, line: lineOf(data, out) };
  } catch (error) {
    if (!(error instanceof CommandFailure) || !NO_LOOK.test(String(error.details.code))) throw error;
    const { exit, message, details } = error;
    return { seen: String(details.code), document: { error: { ...details, exit, message } }, line: message };
  }
}

interface Options {
  readonly watch?: boolean;
  readonly weight?: number;
  readonly interval: number;
}

async function recognise(tools: Tools, { watch, weight, interval }: Options): Promise<ExitName | undefined> {
  const { device, out } = tools;
  if (watch !== true) {
    const data = await (weight === undefined ? look(device) : lookWeighed(device, weight));
    out.result(data, [lineOf(data, out)]);
    return;
  }
  out.endWithReader();
  const interruption = new Interruption();
  let before = '';
  while (!interruption.isRaised) {
    const { seen, document, line } = await glance(tools);
    if (seen !== before) out.result(document, [line]);
    else out.progress(line);
    before = seen;
    await interruption.pause(interval);
  }
  out.clear();
  return 'interrupted';
}

export function addRecognition(program: Command): void {
  program
    .command('teach')
    .description('teach the item on the tray')
    .argument('<item>', 'its id, e.g. 4011', itemId)
    .option('--times <number>', 'pictures to take while you turn the item', wholeNumber(1, 30), 1)
    .action(acting(teach));
  program
    .command('recognise')
    .alias('recognize')
    .description('recognise what is on the tray')
    .option('--watch', 'keep printing changes until Ctrl-C')
    .addOption(
      new Option('--weight <grams>', 'weight of everything on the tray, from a scale')
        .argParser(wholeNumber(1, MAX_WEIGHT_GRAMS))
        .conflicts('watch'),
    )
    .option('--interval <ms>', 'pause between two looks with --watch', wholeNumber(50, 60_000), 500)
    .action(acting(recognise));
}
