/**
 * `node scripts/bench/recognition.ts [--model FILE] [--recognitions 20000]`: measures every figure of the recognition
 * device beside its bare counterpart, in one run. Only ratios count: machines are noisy.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { openFile } from '../../firmware/core/store/database.ts';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { openModel } from '../../firmware/recognition/embedding/litert.ts';
import { loadModel, type Manifest } from '../../firmware/recognition/embedding/manifest.ts';
import { Classifier } from '../../firmware/recognition/matching/classifier.ts';
import { modelViews, storedCrop } from '../../firmware/recognition/vision/frame.ts';
import { measure } from '../../firmware/recognition/vision/quality.ts';
import { drawScene } from '../../test/tools/scenes/scenes.ts';
import { ms, p50, percentile } from './firmware.ts';
import { amountOf } from './quick.ts';
import {
  byTurns,
  type Device,
  fill,
  ITEMS,
  openDevice,
  randomVector,
  rssMb,
  say,
  timed,
  verdict,
} from './recognition-device.ts';
import { benchPackages } from './recognition-packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEMPLATES_EACH = 20;
const STARTS = amountOf({ full: 5, quick: 1 });

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(ROOT, 'models/lane-embed-1.json') },
    recognitions: { type: 'string', default: String(amountOf({ full: 20_000, quick: 8 })) },
    quick: { type: 'boolean' },
  },
});

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
    `JPEG in, answer out: p50 ${ms(p50(answers))}, p99 ${ms(percentile(answers, 0.99))}; bare inference ${ms(p50(inference))}, bare decode and resize ${ms(p50(decode))}; ${(p50(answers) / limit).toFixed(2)} of inference + 1.3 × decode: ${verdict(p50(answers) <= limit)}`,
  );
}

/** The cost of finding the item, beside the same looks at the whole area without a search. */
async function benchFinding({ recognition, camera }: Device, jpeg: Buffer, { input }: Manifest): Promise<void> {
  const { settings, recogniser } = recognition;
  await camera.put(await drawScene({ item: null, seed: 1, tray: 'steel' }));
  await recogniser.learnBackground();
  await camera.put(jpeg);
  const embedder = await Embedder.open({ manifestPath: values.model });
  for (const speed of ['normal', 'fast'] as const) {
    await settings.set({ speed });
    const [finding = [], whole = []] = await byTurns([
      () => recognition.recognise(),
      async () => {
        const views = await modelViews(jpeg, settings.area, input, speed);
        const embedded = views.map(({ pixels }) => embedder.embed(pixels));
        measure(views[0]);
        await Promise.all(embedded);
      },
    ]);
    const ratio = p50(finding) / p50(whole);
    say(
      `with the item found on a learned tray at ${speed}: p50 ${ms(p50(finding))}, p99 ${ms(percentile(finding, 0.99))}; looks at the whole area ${ms(p50(whole))}; ${ratio.toFixed(2)} of it: ${verdict(ratio <= 1.3)} 1.3`,
    );
  }
  await embedder.close();
}

async function benchAdding(
  { recognition }: Device,
  jpeg: Buffer,
  crop: Uint8Array,
  manifest: Manifest,
  bytes: Uint8Array,
) {
  const { width, height, dtype, closerLooks = [] } = manifest.input;
  const model = await openModel(bytes);
  const pixels = new Uint8Array(width * height * 3);
  const input = dtype === 'uint8' ? pixels : Float32Array.from(pixels);
  const folder = mkdtempSync(join(tmpdir(), 'laneware-bench-'));
  const db = openFile(join(folder, 'bare.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE crops (jpeg BLOB, sha256 BLOB)');
  const insert = db.prepare('INSERT INTO crops VALUES (?, ?)');
  const bare = async (): Promise<void> => {
    const small = await sharp(jpeg).resize(455, 256).jpeg({ quality: 90 }).toBuffer();
    for (let look = 0; look <= closerLooks.length; look++) {
      await sharp(small).resize(width, height).raw().toBuffer();
      await model.run(input);
    }
    insert.run(crop, createHash('sha256').update(crop).digest());
  };
  let item = 0;
  const [adding = [], steps = []] = await byTurns([() => recognition.learning.add(`new${item++}`), bare]);
  say(
    `adding a template, durable: p50 ${ms(p50(adding))}, p99 ${ms(percentile(adding, 0.99))}; ${(p50(adding) / p50(steps)).toFixed(2)} of bare crop, ${1 + closerLooks.length} looks and commit: ${verdict(p50(adding) < 25)} 25 ms`,
  );
  model.close();
  db.close();
  rmSync(folder, { recursive: true });
}

async function benchClassifier({ temperature, confidence, ratio, output }: Manifest): Promise<void> {
  const { dimension } = output;
  if (confidence === undefined) throw new Error('the manifest says nothing of confidence');
  const classifier = new Classifier({ temperature, confidence, dimension, ...(ratio === undefined ? {} : { ratio }) });
  classifier.addAll(
    Array.from({ length: ITEMS * TEMPLATES_EACH }, (_, at) => ({
      item: `item${at % ITEMS}`,
      key: String(at),
      vector: randomVector(dimension),
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
  let added = 0;
  const adding = (): void => {
    const item = added++ % ITEMS;
    // one more and one fewer, so that the gallery's size stays
    classifier.add({ item: `item${item}`, key: 'new', vector: next() });
  };
  const look = () => classifier.classify(next(), 5);
  const [query = [], loop = []] = await byTurns([look, bare]);
  // the first look after a change compares the items anew
  const [taken = [], after = []] = await byTurns([adding, look]);
  say(
    `classifier, ${ITEMS} items × ${TEMPLATES_EACH} templates × ${dimension}: p50 ${ms(p50(query))}, p99 ${ms(percentile(query, 0.99))}; ${(p50(query) / p50(loop)).toFixed(2)} of a bare loop of dot products: ${verdict(p50(query) < 1)} 1 ms`,
  );
  say(
    `a template added, and the prototypes of two items of ${TEMPLATES_EACH} made anew: p50 ${ms(p50(taken))}, p99 ${ms(percentile(taken, 0.99))}; ${(p50(taken) / p50(query)).toFixed(2)} of a look: ${verdict(p50(taken) < 1)} 1 ms; the first look after it p50 ${ms(p50(after))}, ${(p50(after) / p50(query)).toFixed(2)} of another`,
  );
}

async function benchStart(crop: Uint8Array, manifest: Manifest, identity: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-bench-'));
  await (await openDevice(folder, values.model)).close();
  fill(folder, crop, manifest.output, identity, ITEMS * TEMPLATES_EACH);
  const starts: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const device = await openDevice(folder, values.model);
    starts.push(device.openMs);
    await device.close();
    const db = openFile(join(folder, 'templates.db'));
    bare.push(await timed(() => db.prepare('SELECT item, vector FROM templates').all()));
    db.close();
  }
  say(
    `start with ${ITEMS * TEMPLATES_EACH} templates, check of the database included: p50 ${ms(p50(starts))}; ${(p50(starts) / p50(bare)).toFixed(1)} of bare reading the rows: ${verdict(p50(starts) < 1000)} 1 s`,
  );
  rmSync(folder, { recursive: true });
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
const device = await openDevice(folder, values.model);
await device.camera.put(jpeg);
await benchAdding(device, jpeg, crop, manifest, bytes);
await benchAnswer(device, jpeg, manifest, bytes);
await benchFinding(device, jpeg, manifest);
await benchClassifier(manifest);
await benchStart(crop, manifest, identity);
await benchPackages(values.model, crop, jpeg, manifest, identity);
await benchMemory(device);
await device.close();
rmSync(folder, { recursive: true });
