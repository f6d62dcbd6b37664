/**
 * Strangers that fill a shop up. Two kinds, both drawn from seeds: photographs of known items in exchanged colours, each stranger
 * of one item in colours of its own, and vectors that lie as near to each other as those of items which the model has not seen.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSharp } from '../../drivers/camera/decode.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { type Random, randomOf } from '../../test/tools/scenes/random.ts';
import { seeded } from '../../test/tools/seeded.ts';
import type { Row } from '../evaluation/protocol.ts';

const CACHE = join(tmpdir(), 'laneware-evaluation');
const SIDE = 256;
type Order = readonly [number, number, number];
/** Orders of red, green and blue other than their own. */
const ORDERS: readonly [Order, ...Order[]] = [
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];
const HUES = [0, 0, 60, 120, 180, 240, 300] as const;
/** Share of a picture's sides that a stranger shows. */
const SHARES = [1, 1, 0.85, 0.7, 0.6] as const;
/** Templates of a stranger. */
export const STRANGER_TEMPLATES = 5;
const JPEG_QUALITY = 92;

/** What makes a stranger of an item: the same for all of its pictures. */
interface Disguise {
  readonly order: Order;
  readonly hue: number;
  readonly saturation: number;
  readonly share: number;
}

const disguiseOf = (random: Random): Disguise => ({
  order: random.pick(ORDERS),
  hue: random.pick(HUES) + random.whole(-15, 15),
  saturation: random.between(0.7, 1.3),
  share: random.pick(SHARES),
});

async function disguised(picture: Buffer, { order, hue, saturation, share }: Disguise, random: Random) {
  const sharp = await loadSharp();
  const side = Math.round(SIDE * share);
  const place = (): number => Math.round(random.between(0.3, 0.7) * (SIDE - side));
  const part = await sharp(picture)
    .resize(SIDE, SIDE, { fit: 'cover' })
    .extract({ left: place(), top: place(), width: side, height: side })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const pixels = await sharp(part).resize(SIDE, SIDE).removeAlpha().modulate({ hue, saturation }).raw().toBuffer();
  const exchanged = Buffer.alloc(pixels.length);
  for (let at = 0; at < pixels.length; at += 3)
    for (const [to, from] of order.entries()) exchanged[at + to] = pixels[at + from] ?? 0;
  return await sharp(exchanged, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

export interface StrangerPictures {
  readonly folder: string;
  readonly rows: readonly Row[];
}

/** Pictures of `count` strangers, made where they are not there yet. @param cache the folder in whose subfolder they are kept */
export async function strangerPictures(
  data: string,
  rows: readonly Row[],
  count: number,
  say: (line: string) => void,
  cache: string = CACHE,
): Promise<StrangerPictures> {
  const items = [...new Set(rows.map(({ item }) => item))].sort();
  const digest = createHash('sha256')
    .update(readFileSync(join(data, 'index.csv')))
    .update(`${count}`)
    .digest('hex');
  const folder = join(cache, `strangers-${digest.slice(0, 16)}`);
  const made: Row[] = [];
  mkdirSync(folder, { recursive: true });
  for (let number = 0; number < count; number++) {
    const random = randomOf('stranger', number);
    const disguise = disguiseOf(random);
    const own = rows.filter(({ item, split }) => item === items[number % items.length] && split !== 'test');
    for (const [at, { path }] of random.shuffled(own).slice(0, STRANGER_TEMPLATES).entries()) {
      const row: Row = { path: `s${number}-${at}.jpg`, item: `stranger ${number}`, group: 'strangers', split: 'train' };
      const file = join(folder, row.path);
      if (!existsSync(file)) {
        writeFileSync(`${file}.part`, await disguised(readFileSync(join(data, path)), disguise, randomOf(row.path)));
        renameSync(`${file}.part`, file);
      }
      made.push(row);
    }
    if (number % 500 === 0) say(`strangers: ${number} of ${count}`);
  }
  const lines = made.map(({ path, item, group, split }) => `${path},${item},${group},${split}`);
  writeFileSync(join(folder, 'index.csv'), `${['path,item,group,split', ...lines].join('\n')}\n`);
  return { folder, rows: made };
}

/** Numbers of a normal distribution. */
function normalFrom(next: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

function meanOf(vectors: readonly Float32Array[]): Float64Array {
  const mean = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (let at = 0; at < mean.length; at++) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length;
  return mean;
}

/** `start` and a normal cloud around it with the covariance of `deviations`. */
function cloud(start: Float64Array, deviations: readonly Float64Array[], normal: () => number): Float64Array {
  const point = start.slice();
  for (const deviation of deviations) {
    const weight = normal() / Math.sqrt(Math.max(1, deviations.length - 1));
    for (let at = 0; at < point.length; at++) point[at] = (point[at] ?? 0) + weight * (deviation[at] ?? 0);
  }
  return point;
}

const minus = (vector: ArrayLike<number>, mean: Float64Array): Float64Array =>
  mean.map((value, at) => (vector[at] ?? 0) - value);

/**
 * Templates of items whose prototypes are drawn with the mean and covariance of those of unseen items, and whose templates
 * differ as the templates of one of these do.
 * @param unseen vectors of each item, some of each
 */
export function drawnItems(
  unseen: readonly (readonly Float32Array[])[],
  count: number,
  templates: number,
  seed: number,
): Float32Array[][] {
  const next = seeded(seed);
  const normal = normalFrom(next);
  const means = unseen.map(meanOf);
  const middle = meanOf(means.map((mean) => Float32Array.from(mean)));
  const between = means.map((mean) => minus(mean, middle));
  const within = unseen.map((vectors, at) => vectors.map((vector) => minus(vector, means[at] ?? middle)));
  return Array.from({ length: count }, () => {
    const place = cloud(middle, between, normal);
    const like = within[Math.floor(next() * within.length)] ?? [];
    return Array.from({ length: templates }, () => toUnitVector(cloud(place, like, normal)));
  });
}
