/**
 * A child process of `answer.ts`: with `lane` a lane that has learned its empty tray and the items of a shop, and has an
 * orange on its tray; with `nets` the model alone, on ready pictures of that orange. It answers each message with the
 * time of one recognition and its CPU time.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { loadModel } from '../../firmware/recognition/embedding/manifest.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { learnBackground } from '../../firmware/recognition/vision/background.ts';
import { cutAround } from '../../firmware/recognition/vision/cut.ts';
import { modelViews, storedCrop, trayView } from '../../firmware/recognition/vision/frame.ts';
import { findThings } from '../../firmware/recognition/vision/thing-finder.ts';
import { drawScene } from '../../test/tools/scenes/scenes.ts';
import { seeded } from '../../test/tools/seeded.ts';
import { insertTemplates, NATIVE_RUNTIME, openDevice } from './recognition-device.ts';

/** Times of one run, and the answer with its vector, which must be the same in another version. */
export interface Taken {
  readonly tookMs: number;
  /** CPU time of all threads of the process and of its children. */
  readonly workedMs: number;
  readonly answer: string;
}

const ITEMS = 30;
const TEMPLATES = 10;
/** Distance of templates of one item, relative to that of items. */
const SCATTER = 0.7;
const NANOSECONDS_PER_MS = 1e6;

/** CPU time of the running threads of a process (https://docs.kernel.org/scheduler/sched-stats.html). */
const cpuMsOf = (pid: string): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / NANOSECONDS_PER_MS;
  }, 0);

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children.reduce((sum, child) => sum + cpuMsOf(child), (user + system) / 1000);
}

/** Yields templates of made-up items. */
function* shop(dimension: number) {
  const even = seeded(59);
  const random = (): number => Array.from({ length: 6 }, even).reduce((sum, value) => sum + value, -3);
  for (let item = 0; item < ITEMS; item++) {
    const middle = Float64Array.from({ length: dimension }, random);
    for (let template = 0; template < TEMPLATES; template++)
      yield { item: `item${item}`, vector: toUnitVector(middle.map((value) => value + SCATTER * random())) };
  }
}

const [kind, model = ''] = process.argv.slice(2);
const { manifest, identity } = await loadModel(model);
const empty = await drawScene({ item: null, seed: 1, tray: 'steel' });
const frame = await drawScene({ item: 'orange', seed: 1, tray: 'steel', isAlone: true });

async function openLane(folder: string) {
  const open = () => openDevice(folder, model, { native: NATIVE_RUNTIME, readsCodes: true });
  await (await open()).close();
  insertTemplates(folder, await storedCrop(frame, null), identity, shop(manifest.output.dimension));
  const { recognition, camera, close } = await open();
  await recognition.settings.set({ speed: 'normal' });
  await camera.put(empty);
  await recognition.viewer.learnBackground();
  await camera.put(frame);
  for (let template = 0; template < TEMPLATES; template++) await recognition.learning.add('orange');
  const { vector, classification } = await recognition.recogniser.recognise();
  return { answer: JSON.stringify([vector, classification]), work: () => recognition.answers.recognise(), close };
}

async function openNets() {
  const nets = await Embedder.open({ manifestPath: model, native: NATIVE_RUNTIME });
  const view = await trayView(frame, null);
  const [thing] = findThings(view, learnBackground([await trayView(empty, null)])).things;
  if (thing === undefined) throw new Error('no thing was found in the frame');
  const views = await modelViews(frame, null, manifest.input, 'normal', cutAround(thing, view));
  const work = () => Promise.all(views.map(({ pixels }) => nets.embed(pixels)));
  return { answer: '', work, close: () => nets.close() };
}

const folder = mkdtempSync(join(tmpdir(), 'laneware-bench-'));
const { answer, work, close } = kind === 'lane' ? await openLane(folder) : await openNets();

async function run(): Promise<Taken> {
  const before = workedMs();
  const began = performance.now();
  await work();
  return { tookMs: performance.now() - began, workedMs: workedMs() - before, answer };
}

process.on('message', async () => process.send?.(await run()));
process.once('disconnect', async () => {
  await close();
  rmSync(folder, { recursive: true });
});
process.send?.('ready');
