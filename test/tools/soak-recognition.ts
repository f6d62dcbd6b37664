/**
 * A long run of recognitions, from JPEG to verdict, with the memory of the process printed as it goes.
 *
 *     node test/tools/soak-recognition.ts [--model models/lane-embed-1.json] [--frames 20000]
 *
 * Ends with code 1 when the memory grew by more than 60 MiB after the first tenth: a tensor forgotten in each
 * recognition would be 3 GB.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { Classifier } from '../../firmware/recognition/matching/classifier.ts';
import { averageVectors } from '../../firmware/recognition/model/vectors.ts';
import { modelViews } from '../../firmware/recognition/vision/frame.ts';
import { flawsOf, measure } from '../../firmware/recognition/vision/quality.ts';
import { ROOT } from '../root.ts';

const GROWTH_LIMIT_MIB = 60;
const PICTURES = 24;

/** Frames of 1280×720 with a fruit or two, different in each. */
function drawFrame(number: number): Promise<Buffer> {
  const fruit = (at: number) =>
    `<circle cx="${300 + ((number * 131 + at * 277) % 700)}" cy="${150 + ((number * 67 + at * 149) % 420)}" r="${60 + ((number * 17) % 70)}" fill="hsl(${(number * 47 + at * 90) % 360},65%,48%)"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="1280" height="720" fill="#8b8e90"/>${fruit(0)}${fruit(1)}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 90 }).toBuffer();
}

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(ROOT, 'models/lane-embed-1.json') },
    frames: { type: 'string', default: '20000' },
  },
});
const count = Number(values.frames);
const embedder = await Embedder.open({ manifestPath: values.model });
const { manifest } = embedder;
if (manifest === null || embedder.state.name !== 'ready') throw new Error(`${values.model}: ${embedder.state.reason}`);
const classifier = new Classifier({ ...manifest, dimension: manifest.output.dimension });
const frames = await Promise.all(Array.from({ length: PICTURES }, (_, number) => drawFrame(number)));

async function recognise(frame: Buffer, input: NonNullable<typeof manifest>['input']) {
  const views = await modelViews(frame, null, input, 'fast');
  const vectors: Float32Array[] = [];
  for (const { pixels } of views) vectors.push(await embedder.embed(pixels));
  flawsOf(measure(views[0]));
  return averageVectors(vectors);
}

let reference = 0;
let latest = 0;
try {
  for (const [number, frame] of frames.entries()) {
    classifier.add({ item: `${number}`, key: `${number}`, vector: await recognise(frame, manifest.input) });
  }
  const began = performance.now();
  for (let run = 1; run <= count; run++) {
    const number = run % PICTURES;
    const frame = frames[number];
    if (frame === undefined) continue;
    const { items } = classifier.classify(await recognise(frame, manifest.input), 5, 'fast');
    if (items[0]?.id !== `${number}`) throw new Error(`picture ${number} was taken for ${items[0]?.id}`);
    if (run % Math.ceil(count / 10) !== 0) continue;
    latest = process.memoryUsage.rss();
    reference ||= latest;
    const each = ((performance.now() - began) / run).toFixed(2);
    process.stdout.write(`${run} recognitions, ${each} ms each, ${mebibytes(latest)} MiB\n`);
  }
} finally {
  await embedder.close();
}
const growth = Number(mebibytes(latest - reference));
process.stdout.write(`memory grew by ${growth} MiB after the first tenth\n`);
process.exitCode = growth > GROWTH_LIMIT_MIB ? 1 : 0;
