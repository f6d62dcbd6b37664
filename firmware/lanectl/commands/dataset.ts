/**
 * `lanectl dataset record`: records labelled pictures of items on a real tray, to evaluate a model. Only the crop of
 * the item is stored.
 */

import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError } from 'commander';
import {
  acting,
  CommandFailure,
  type ExitName,
  Interruption,
  itemId,
  misuse,
  type Tools,
  wholeNumber,
} from '../../core/cli/index.ts';
import type { Now } from '../../recognition/index.ts';

import { addLook, agree, isAgreed, readLooks, refuseLinks } from './recorded-set.ts';

/** The terms to which a person agrees once for each data set. */
const TERMS =
  'Of each look the item is kept as the device cuts it out of the tray, never the whole frame. No face may be seen in it. The owner of the tray agrees that the pictures are used as said here.';
/** Conditions of a picture, other than an item that lies plainly on the tray. */
const CONDITIONS: readonly string[] = ['turned', 'bag', 'hand', 'lamp'];
const LOOKS = 10;
const WAIT_SECONDS = 20;

interface Options {
  readonly item?: string;
  readonly looks: number;
  readonly conditions: readonly string[];
  readonly by?: string;
  readonly use?: string;
  readonly licence?: string;
}

function conditions(text: string): readonly string[] {
  const named = text.split(',');
  if (named.every((each) => CONDITIONS.includes(each))) return CONDITIONS.filter((each) => named.includes(each));
  throw new InvalidArgumentError(`There are ${CONDITIONS.join(', ')}.`);
}

/** The value of an option, or else a typed answer. @throws {CommandFailure} without either */
async function asked(given: string | undefined, option: string, question: string, signal: AbortSignal) {
  const answer = (given ?? (await typed(question, signal))).trim();
  if (answer !== '') return answer;
  throw misuse('Option', `${question} --${option} says it`);
}

/** Asks a question at the terminal; empty where the input is no terminal. */
async function typed(question: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) return '';
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await lines.question(`${question} `, { signal });
  } finally {
    lines.close();
  }
}

/**
 * What each line of the set says of the device: version, model, camera.
 * @throws {CommandFailure} where the device would not cut its tray out of the frame
 */
async function describe({ device }: Tools) {
  const { driver, learned } = (await device.call('recognition', '/console/api/camera')) as {
    readonly driver: string;
    readonly learned: boolean;
  };
  if (!learned)
    throw new CommandFailure('refused', 'learn the empty tray first, on the page Camera: only items on it are kept');
  const { version, parts } = await device.health('recognition');
  const { model = null, speed = null } = parts.find(({ part }) => part === 'model') ?? {};
  return { version, model, speed, camera: driver };
}

/**
 * Waits for the next single thing at rest on the tray, and returns its crop. @throws {CommandFailure} without a camera
 */
async function nextLook({ device, out }: Tools, after: number, what: string, signal: AbortSignal) {
  for (let seen = after; ; ) {
    const path = `/v1/recognition?wait=${WAIT_SECONDS}&after=${seen}`;
    const now = (await device.call('recognition', path, { signal, isLong: true })) as Now;
    if (now.state === 'lost') throw new CommandFailure('refused', now.reason ?? 'no picture from the camera');
    if (now.number !== null && now.number > seen) {
      seen = now.number;
      // the device refuses where the item was removed; the next state of the tray then says so
      const jpegOf = async (crop: Response) => (crop.ok ? new Uint8Array(await crop.arrayBuffer()) : null);
      const jpeg =
        now.things.length === 1 ? await device.read('recognition', '/console/api/camera/crop', jpegOf) : null;
      if (jpeg !== null) return { now, seen, jpeg };
    }
    out.waiting(`${what}: lay the item down alone, another way each time`);
  }
}

async function recordAll(tools: Tools, folder: string, options: Options, signal: AbortSignal): Promise<void> {
  const { looks, conditions: under } = options;
  const device = await describe(tools);
  const item = await asked(options.item, 'item', 'PLU or id of the item?', signal);
  if (!isAgreed(folder)) {
    tools.out.printAside(TERMS);
    const by = await asked(options.by, 'by', 'Who agrees?', signal);
    const use = await asked(options.use, 'use', 'Who may use the pictures, and for what?', signal);
    const licence = await asked(options.licence, 'licence', 'Under which licence?', signal);
    agree(folder, { format: 'laneware-dataset-1', terms: TERMS, by, use, licence, at: new Date().toISOString() });
  }
  const own = readLooks(folder).filter((look) => look.item === item && look.conditions.join() === under.join());
  let kept = own.length;
  try {
    for (let after = 0; kept < looks; kept++) {
      const { now, seen, jpeg } = await nextLook(tools, after, `${kept} of ${looks}`, signal);
      after = seen;
      const { at, certain, reason, by, quality } = now;
      const candidates = now.candidates.map(({ id, name, similarity }) => ({ id, name, similarity }));
      const answer = { certain, reason, by, quality, candidates };
      const made = addLook(folder, { item, conditions: under, at, device, answer }, jpeg);
      const [first] = candidates;
      tools.out.result(made, [`${kept + 1} of ${looks}: ${first?.id ?? 'unknown'}${certain ? ', certain' : ''}`]);
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const words = `${error.message} (${kept} of ${looks} looks are kept: the same command goes on)`;
    throw new CommandFailure(error.exit, words, { ...error.details, kept }, error);
  }
  tools.out.printAside(`${folder} has ${kept} looks of ${item}`);
}

async function record(tools: Tools, folder: string, options: Options): Promise<ExitName | undefined> {
  refuseLinks(folder);
  const interruption = new Interruption();
  try {
    await recordAll(tools, folder, options, interruption.signal);
    return undefined;
  } catch (error) {
    if (interruption.isRaised) return 'interrupted';
    throw error;
  }
}

export function addDataset(program: Command): void {
  const dataset = program.command('dataset').description('labelled pictures of a real tray, to evaluate a model');
  dataset
    .command('record')
    .description('keep looks of one item, cut out of the tray, with the device’s answers; continues where it stopped')
    .argument('<folder>', 'folder of the set; created if missing')
    .option('--item <item>', 'PLU or id of the item on the tray', itemId)
    .option('--looks <number>', 'looks of it that the set should have in this way', wholeNumber(1, 1000), LOOKS)
    .option('--conditions <list>', `any of ${CONDITIONS.join(', ')}, e.g. turned,bag`, conditions, [])
    .option('--by <who>', 'who agrees to the use of the pictures; once a set')
    .option('--use <text>', 'who may use them, and for what; once a set')
    .option('--licence <name>', 'e.g. CC-BY-4.0; once a set')
    .action(acting(record));
}
