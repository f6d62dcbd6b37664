/**
 * `node scripts/bench/recognition.ts [--model FILE] [--recognitions 20000]`: every figure of the recognition device beside
 * its bare counterpart, all in one run. Ratios are what counts: machines are noisy.
 */
import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { PushedCamera } from '../../drivers/camera/push.ts';
import { drawScene } from '../../drivers/camera/scenes/scenes.ts';
import { SystemClock } from '../../firmware/clock.ts';
import { loadConfig } from '../../firmware/config.ts';
import { HealthBoard } from '../../firmware/http/health.ts';
import { Metrics } from '../../firmware/http/metrics.ts';
import { createLog } from '../../firmware/log.ts';
import { Classifier } from '../../firmware/recognition/classifier.ts';
import { Embedder } from '../../firmware/recognition/embedder.ts';
import { toUnitVector } from '../../firmware/recognition/embedder-vectors.ts';
import { storedCrop } from '../../firmware/recognition/frame.ts';
import { openModel } from '../../firmware/recognition/litert.ts';
import { loadModel, type Manifest } from '../../firmware/recognition/manifest.ts';
import { Recognition } from '../../firmware/recognition/recognition.ts';
import { toBlob } from '../../firmware/recognition/templates.ts';
import { takeDataDir } from '../../firmware/store/data-dir.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = 150;
const WARM_UP = 20;
const ITEMS = 1000;
const TEMPLATES_EACH = 20;
const PACKAGE_TEMPLATES = 10_000;
const PACKAGE_ROUNDS = 5;
const MIB = 1024 * 1024;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(ROOT, 'models/lane-embed-1.json') },
    recognitions: { type: 'string', default: '20000' },
  },
});

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))] ??
  Number.NaN;
const p50 = (times: readonly number[]): number => quantile(times, 0.5);
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const verdict = (good: boolean): string => (good ? 'within' : 'ABOVE');
const rssMb = (): number => process.memoryUsage().rss / MIB;

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Times several things turn by turn, so that the machine's moods fall on all of them. */
async function byTurns(contestants: readonly (() => unknown)[]): Promise<number[][]> {
  const times: number[][] = contestants.map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [index, work] of contestants.entries()) {
      const took = await timed(work);
      if (round >= 0) times[index]?.push(took);
    }
  }
  return times;
}

interface Device {
  readonly recognition: Recognition;
  readonly camera: PushedCamera;
  readonly openMs: number;
  close(): Promise<void>;
}

async function openDevice(folder: string): Promise<Device> {
  const dataDir = takeDataDir(folder);
  const camera = new PushedCamera();
  const embedder = await Embedder.open({ manifestPath: values.model });
  const config = { ...loadConfig(null, {}).config.recognition, maxTemplatesPerItem: 1000 };
  const began = performance.now();
  const recognition = new Recognition({
    ...{ config, dataDir, clock: new SystemClock(0), serial: 'BENCH', camera, embedder },
    health: new HealthBoard(() => ({ version: '', serial: '', uptimeSeconds: 0 })),
    metrics: new Metrics(),
    log: createLog('warn'),
  });
  const openMs = performance.now() - began;
  const close = async (): Promise<void> => {
    await recognition.close();
    dataDir.release();
  };
  return { recognition, camera, openMs, close };
}

const randomVector = (dimension: number): Float32Array =>
  toUnitVector(Float64Array.from({ length: dimension }, () => Math.random() - 0.5));

/** Puts templates straight into the tables: what a device has after a while. */
function fill(
  folder: string,
  crop: Uint8Array,
  { dimension }: Manifest['output'],
  identity: string,
  count: number,
): void {
  const db = new DatabaseSync(join(folder, 'templates.db'));
  const template = db.prepare(
    "INSERT INTO templates (batch, item, sid, origin, created_at, model, vector) VALUES (1, ?, ?, 'BENCH', 0, ?, ?)",
  );
  const picture = db.prepare('INSERT INTO crops (template, sha256, jpeg) VALUES (?, ?, ?)');
  db.exec('BEGIN');
  for (let at = 0; at < count; at++) {
    const sid = `20260101${String(at).padStart(15, '0')}`;
    const { lastInsertRowid } = template.run(`item${at % ITEMS}`, sid, identity, toBlob(randomVector(dimension)));
    // other bytes behind the picture's end, so that no two are the same
    const own = Buffer.concat([crop, randomBytes(16)]);
    picture.run(lastInsertRowid, createDigest(own), own);
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

const createDigest = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Longest stop of the event loop while `work` goes on. */
async function longestStall(work: () => Promise<void>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  await work();
  monitor.disable();
  return monitor.max / 1e6;
}

/** Runs a function of the bare loops in a thread, as the device does, so that both have the same surroundings. */
function inThread(call: string): Promise<void> {
  const code = `import(${JSON.stringify(new URL('./recognition-bare.ts', import.meta.url).href)}).then((bare) => bare.${call})`;
  return new Promise((resolve, reject) => {
    new Worker(code, { eval: true }).once('error', reject).once('exit', () => resolve());
  });
}

async function exportAll({ recognition }: Device): Promise<string> {
  await recognition.startExport(null);
  while (recognition.tasks.exportState.status === 1) await pause(5);
  const { filename, msg } = recognition.tasks.exportState;
  const found = filename === null ? null : recognition.shelf.find(filename);
  if (found === null) throw new Error(msg);
  return found.path;
}

async function importFrom({ recognition }: Device, path: string): Promise<void> {
  const slot = recognition.tasks.reserveImport();
  copyFileSync(path, slot.file);
  await slot.start();
  while ([2, 3].includes(recognition.tasks.importState.status)) await pause(5);
  const { status, msg } = recognition.tasks.importState;
  if (status !== 4) throw new Error(msg);
}

async function benchAnswer(
  { recognition }: Device,
  jpeg: Buffer,
  manifest: Manifest,
  bytes: Uint8Array,
): Promise<void> {
  const { width, height } = manifest.input;
  const model = await openModel(bytes);
  const input = new Uint8Array(width * height * 3).fill(99);
  const values = manifest.input.dtype === 'uint8' ? input : Float32Array.from(input);
  const [answers = [], inference = [], decode = []] = await byTurns([
    () => recognition.recognise(),
    () => model.run(values),
    () => sharp(jpeg).resize(width, height, { fit: 'cover' }).raw().toBuffer(),
  ]);
  model.close();
  const limit = p50(inference) + 1.3 * p50(decode);
  say(
    `JPEG in, answer out: p50 ${ms(p50(answers))}, p99 ${ms(quantile(answers, 0.99))}; bare inference ${ms(p50(inference))}, bare decode and resize ${ms(p50(decode))}; ${(p50(answers) / limit).toFixed(2)} of inference + 1.3 × decode: ${verdict(p50(answers) <= limit)}`,
  );
}

async function benchAdding({ recognition }: Device): Promise<void> {
  let item = 0;
  const [adding = []] = await byTurns([() => recognition.addTemplate(`new${item++}`)]);
  say(
    `adding a template, crop, vector and commit: p50 ${ms(p50(adding))}, p99 ${ms(quantile(adding, 0.99))}: ${verdict(p50(adding) < 25)} 25 ms`,
  );
}

async function benchClassifier({ temperature, thresholds, output }: Manifest): Promise<void> {
  const { dimension } = output;
  const classifier = new Classifier({ temperature, thresholds, dimension });
  classifier.addAll(
    Array.from({ length: ITEMS * TEMPLATES_EACH }, (_, at) => ({
      ...{ item: `item${at % ITEMS}`, key: String(at), vector: randomVector(dimension) },
    })),
  );
  const queries = Array.from({ length: 16 }, () => randomVector(dimension));
  let at = 0;
  const next = (): Float32Array => queries[at++ % queries.length] ?? randomVector(dimension);
  const rows = new Float32Array(ITEMS * dimension).map(() => Math.random());
  const bare = (): number => {
    const query = next();
    let best = 0;
    for (let row = 0; row < ITEMS; row++) {
      let sum = 0;
      for (let column = 0; column < dimension; column++)
        sum += (query[column] ?? 0) * (rows[row * dimension + column] ?? 0);
      best = Math.max(best, sum);
    }
    return best;
  };
  const [query = [], loop = []] = await byTurns([() => classifier.classify(next(), 5), bare]);
  say(
    `classifier, ${ITEMS} items × ${TEMPLATES_EACH} templates × ${dimension}: p50 ${ms(p50(query))}, p99 ${ms(quantile(query, 0.99))}; ${(p50(query) / p50(loop)).toFixed(2)} of a bare loop of dot products: ${verdict(p50(query) < 1)} 1 ms`,
  );
}

async function benchStart(crop: Uint8Array, manifest: Manifest, identity: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-bench-'));
  await (await openDevice(folder)).close();
  fill(folder, crop, manifest.output, identity, ITEMS * TEMPLATES_EACH);
  const starts: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 5; round++) {
    const device = await openDevice(folder);
    starts.push(device.openMs);
    await device.close();
    const db = new DatabaseSync(join(folder, 'templates.db'));
    bare.push(await timed(() => db.prepare('SELECT item, vector FROM templates').all()));
    db.close();
  }
  say(
    `start with ${ITEMS * TEMPLATES_EACH} templates, check of the database included: p50 ${ms(p50(starts))}; ${(p50(starts) / p50(bare)).toFixed(1)} of bare reading the rows: ${verdict(p50(starts) < 1000)} 1 s`,
  );
  rmSync(folder, { recursive: true });
}

async function benchPackages(crop: Uint8Array, jpeg: Buffer, manifest: Manifest, identity: string): Promise<void> {
  const folders = Array.from({ length: 3 }, () => mkdtempSync(join(tmpdir(), 'laneware-bench-')));
  const [from = '', to = '', work = ''] = folders;
  await (await openDevice(from)).close();
  fill(from, crop, manifest.output, identity, PACKAGE_TEMPLATES);
  const source = await openDevice(from);
  let path = '';
  const exports: number[] = [];
  const bareExports: number[] = [];
  const memory: string[] = [];
  for (let round = 0; round < PACKAGE_ROUNDS; round++) {
    bareExports.push(
      await timed(() =>
        inThread(
          `bareExport(${JSON.stringify(join(from, 'templates.db'))}, ${JSON.stringify(join(work, `${round}.zip`))})`,
        ),
      ),
    );
    exports.push(
      await timed(async () => {
        path = await exportAll(source);
      }),
    );
    memory.push(rssMb().toFixed(0));
  }
  say(
    `export of ${PACKAGE_TEMPLATES} templates: ${ms(p50(exports))}, ${(p50(exports) / p50(bareExports)).toFixed(2)} of the bare loop's ${ms(p50(bareExports))}: ${verdict(p50(exports) <= 1.5 * p50(bareExports))} 1.5; memory after each round ${memory.join(', ')} MB`,
  );
  const target = await openDevice(to);
  await target.camera.put(jpeg);
  const imports: number[] = [];
  const bareImports: number[] = [];
  memory.length = 0;
  for (let round = 0; round < PACKAGE_ROUNDS; round++) {
    bareImports.push(
      await timed(() =>
        inThread(
          `bareImport(${JSON.stringify(path)}, ${JSON.stringify(join(work, `${round}.db`))}, ${manifest.output.dimension})`,
        ),
      ),
    );
    imports.push(await timed(() => importFrom(target, path)));
    memory.push(rssMb().toFixed(0));
    await target.recognition.templates.clear();
    await target.recognition.templates.sweep();
  }
  say(
    `import of ${PACKAGE_TEMPLATES} templates: ${ms(p50(imports))}, ${(p50(imports) / p50(bareImports)).toFixed(2)} of the bare loop's ${ms(p50(bareImports))}: ${verdict(p50(imports) <= 1.5 * p50(bareImports))} 1.5; memory after each round ${memory.join(', ')} MB`,
  );
  const idle = await longestStall(() => pause(3000));
  const stall = await longestStall(async () => {
    let over = false;
    const importing = importFrom(target, path).finally(() => {
      over = true;
    });
    while (!over) await target.recognition.recognise();
    await importing;
  });
  say(
    `longest stall of the event loop during an import with recognitions: ${ms(stall)} (${ms(idle)} with nothing to do): ${verdict(stall < 50)} 50 ms`,
  );
  await Promise.all([source.close(), target.close()]);
  for (const folder of folders) rmSync(folder, { recursive: true });
}

async function benchMemory({ recognition }: Device): Promise<void> {
  const count = Number(values.recognitions);
  const marks: number[] = [];
  for (let at = 0; at < count; at++) {
    await recognition.recognise();
    if ((at + 1) % Math.ceil(count / 4) === 0) marks.push(rssMb());
  }
  const [first = 0] = marks;
  const last = marks.at(-1) ?? 0;
  say(
    `memory after each quarter of ${count} recognitions: ${marks.map((mark) => mark.toFixed(0)).join(', ')} MB: ${last - first < 15 ? 'flat' : 'GROWING'}`,
  );
}

const { bytes, manifest, identity } = await loadModel(values.model);
const jpeg = await drawScene({ item: 'orange', seed: 1, tray: 'steel' });
const crop = await storedCrop(jpeg, null);
say(
  `${cpus()[0]?.model} × ${cpus().length}, load ${loadavg()[0]?.toFixed(1)}, model ${identity}, frame of ${jpeg.length} bytes, crop of ${crop.length}`,
);
const folder = mkdtempSync(join(tmpdir(), 'laneware-bench-'));
const device = await openDevice(folder);
await device.camera.put(jpeg);
await benchAdding(device);
await benchAnswer(device, jpeg, manifest, bytes);
await benchClassifier(manifest);
await benchStart(crop, manifest, identity);
await benchPackages(crop, jpeg, manifest, identity);
await benchMemory(device);
await device.close();
rmSync(folder, { recursive: true });
