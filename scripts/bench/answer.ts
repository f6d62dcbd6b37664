/**
 * From a frame to its answer in the native runtime, beside what is the nets' alone, looks at pictures that are ready: by turns, in one run.
 *
 *     node scripts/bench/answer.ts [--model models/lane-embed-1.json] [--rounds 300] [--beside FOLDER]
 *
 * Also of another version, whose checkout is FOLDER. What else the machine does changes the times, and hardly what the processors worked.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { toUnitVector } from '../../firmware/recognition/embedding/embedder-vectors.ts';
import { loadModel, type Manifest } from '../../firmware/recognition/embedding/manifest.ts';
import { nativeIn } from '../../firmware/recognition/embedding/native.ts';
import { learnBackground } from '../../firmware/recognition/vision/background.ts';
import { cutAround } from '../../firmware/recognition/vision/cut.ts';
import { find } from '../../firmware/recognition/vision/finder.ts';
import { modelViews, storedCrop, trayView } from '../../firmware/recognition/vision/frame.ts';
import { drawScene } from '../../test/tools/scenes/scenes.ts';
import { seeded } from '../../test/tools/seeded.ts';
import { ms, p50, percentile } from './firmware.ts';
import { amountOf } from './quick.ts';
import { type Device, insertTemplates, NATIVE_RUNTIME, say, verdict } from './recognition-device.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 25;
const WARM_UP = amountOf({ full: 30, quick: 1 });
const ITEMS = 30;
const TEMPLATES = 10;
/** How far templates of one item lie apart, beside how far items do. */
const SCATTER = 0.7;
const NANOSECONDS = 1e6;

/** What all threads of this process and its children have worked, in milliseconds. */
function workedMs(): number {
  const { user, system } = process.cpuUsage();
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children.reduce(
    (sum, child) => sum + Number(readFileSync(`/proc/${child}/schedstat`, 'utf8').split(' ')[0]) / NANOSECONDS,
    (user + system) / 1000,
  );
}

class Contestant {
  readonly times: number[] = [];
  readonly #work: () => Promise<unknown>;
  #workedMs = 0;

  constructor(work: () => Promise<unknown>) {
    this.#work = work;
  }

  async run(isCounted: boolean): Promise<void> {
    const before = workedMs();
    const began = performance.now();
    await this.#work();
    const took = performance.now() - began;
    if (!isCounted) return;
    this.times.push(took);
    this.#workedMs += workedMs() - before;
  }

  get words(): string {
    const { times } = this;
    const [least, quarter, most] = [Math.min(...times), percentile(times, 0.25), percentile(times, 0.95)];
    return `p50 ${ms(p50(times))} (least ${ms(least)}, p25 ${ms(quarter)}, p95 ${ms(most)}), ${ms(this.#workedMs / times.length)} of work`;
  }
}

/** Templates of made-up items. */
function* shop(dimension: number) {
  const even = seeded(59);
  const random = (): number => Array.from({ length: 6 }, even).reduce((sum, value) => sum + value, -3);
  for (let item = 0; item < ITEMS; item++) {
    const middle = Float64Array.from({ length: dimension }, random);
    for (let template = 0; template < TEMPLATES; template++)
      yield { item: `item${item}`, vector: toUnitVector(middle.map((value) => value + SCATTER * random())) };
  }
}

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(ROOT, 'models/lane-embed-1.json') },
    rounds: { type: 'string', default: String(amountOf({ full: 300, quick: 2 })) },
    quick: { type: 'boolean' },
    beside: { type: 'string' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'laneware-bench-'));
const empty = await drawScene({ item: null, seed: 1, tray: 'steel' });
const frame = await drawScene({ item: 'orange', seed: 1, tray: 'steel', isAlone: true });
const { manifest, identity } = await loadModel(values.model);

/** A lane that knows its empty tray, a shop's items and the orange that lies there. @param checkout whose code it runs */
async function openLane(checkout: string, name: string): Promise<Device> {
  const file = pathToFileURL(join(checkout, 'scripts/bench/recognition-device.ts')).href;
  const { openDevice }: typeof import('./recognition-device.ts') = await import(file);
  const folder = join(work, name);
  const open = () => openDevice(folder, values.model, { native: NATIVE_RUNTIME, readsCodes: true });
  await (await open()).close();
  insertTemplates(folder, await storedCrop(frame, null), identity, shop(manifest.output.dimension));
  const device = await open();
  const { recognition, camera } = device;
  await recognition.settings.set({ speed: 'normal' });
  await camera.put(empty);
  await recognition.recogniser.learnBackground();
  await camera.put(frame);
  for (let template = 0; template < TEMPLATES; template++) await recognition.learning.add('orange');
  return device;
}

/** What the model is given of the frame. */
async function looks({ recognition: { settings } }: Device, input: Manifest['input']) {
  const view = await trayView(frame, settings.area);
  const [thing] = find(view, learnBackground([await trayView(empty, settings.area)])).things;
  if (thing === undefined) throw new Error('no thing was found in the frame');
  return await modelViews(frame, settings.area, input, 'normal', cutAround(thing, view));
}

async function main(): Promise<void> {
  const lane = await openLane(ROOT, 'lane');
  const { beside } = values;
  const other = beside === undefined ? null : await openLane(beside, 'beside');
  const views = await looks(lane, manifest.input);
  const nets = await Embedder.open({ manifestPath: values.model, native: NATIVE_RUNTIME });
  const answer = new Contestant(() => lane.recognition.recognise());
  const bare = new Contestant(() => Promise.all(views.map(({ pixels }) => nets.embed(pixels))));
  const another = other === null ? null : new Contestant(() => other.recognition.recognise());
  for (let round = -WARM_UP; round < Number(values.rounds); round++)
    for (const contestant of [answer, bare, another]) await contestant?.run(round >= 0);
  say(`${cpus()[0]?.model} × ${cpus().length}, load ${loadavg()[0]?.toFixed(1)}, ${values.rounds} rounds, ${identity}`);
  say(`frame → answer, codes and all: ${answer.words}: p50 ${verdict(p50(answer.times) <= LIMIT_MS)} ${LIMIT_MS} ms`);
  say(
    `its looks by the nets alone: ${bare.words}; the answer takes ${(p50(answer.times) / p50(bare.times)).toFixed(2)} of it`,
  );
  if (other !== null && another !== null) {
    const [one, two] = [await lane.recognition.recogniser.recognise(), await other.recognition.recogniser.recognise()];
    const isSame = one.vector?.join() === two.vector?.join();
    say(
      `the same of ${beside}: ${another.words}; of its p50 this takes ${(p50(answer.times) / p50(another.times)).toFixed(2)}`,
    );
    const isAlike = isDeepStrictEqual(one.classification, two.classification);
    say(`${isSame ? 'the same' : 'ANOTHER'} vector, ${isAlike ? 'the same' : 'ANOTHER'} answer`);
    await other.close();
  }
  await nets.close();
  await lane.close();
}

if (nativeIn(NATIVE_RUNTIME) === null) say('SKIPPED: there is no native runtime; scripts/native.sh makes it');
else await main();
rmSync(work, { recursive: true });
