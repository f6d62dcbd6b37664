/**
 * Looks at items that lie on a drawn tray, as the product sees them: templates lie undisturbed, queries in the ways of
 * `corruptions/shots.ts`. Vectors alone are kept, in a temporary folder of the system, so that any gallery is made of them in a moment.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SPEEDS, type Speed } from '../../firmware/core/config/choices.ts';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import { type Device, openDevice } from '../../scripts/bench/recognition-device.ts';
import { randomOf } from '../../test/tools/scenes/random.ts';
import type { Tray } from '../../test/tools/scenes/trays.ts';
import { compose } from '../corruptions/compose.ts';
import { cutOut } from '../corruptions/patch.ts';
import { ROWS, type RowName } from '../corruptions/shots.ts';
import { ALL_TRAYS } from '../corruptions/suite.ts';
import { CACHE, sourcesDigest } from '../evaluation/embeddings.ts';
import type { Row } from '../evaluation/protocol.ts';
import type { FoldVectors } from './sightings.ts';

/** What a query is disturbed by. */
export const TRAY_ROWS = [
  'undisturbed',
  'turned',
  'any light',
  'any lamp',
  'blurred',
  'a hand over a quarter',
  'in a bag',
  'a third of the size in a corner',
] as const satisfies readonly RowName[];
export type TrayRow = (typeof TRAY_ROWS)[number];

/** Templates of an item on each tray. */
const TEMPLATES = 10;
/** Queries of a row, for each fold and tray. */
const QUERIES = 50;

export interface Laid extends Row {
  readonly shot: RowName;
}

/** What a model has seen on one tray. Queries that the product took for an empty tray, or for several things, have no vector. */
export interface TrayVectors extends FoldVectors {
  readonly rows: readonly Laid[];
}

interface Seen {
  readonly fast: Float32Array | null;
  readonly normal: Float32Array | null;
}

/** The same pictures in each row and for each model. */
function laidRows(rows: readonly Row[], tray: Tray, judged: readonly string[]): Laid[] {
  const templates = [...new Set(rows.map(({ item }) => item))].sort().flatMap((item) =>
    randomOf('templates', item, tray)
      .shuffled(rows.filter((row) => row.item === item && row.split !== 'test'))
      .slice(0, TEMPLATES)
      .map((row): Laid => ({ ...row, shot: 'undisturbed' })),
  );
  const asked = randomOf('queries', tray, judged.join())
    .shuffled(rows.filter(({ item, split }) => split === 'test' && judged.includes(item)))
    .slice(0, QUERIES);
  return [...templates, ...TRAY_ROWS.flatMap((shot) => asked.map((row): Laid => ({ ...row, shot })))];
}

async function frameOf(data: string, tray: Tray, { path, shot, split }: Laid): Promise<Buffer> {
  const seed = `${split === 'test' ? shot : 'template'} ${path} ${tray}`;
  const patches = [await cutOut(readFileSync(join(data, path)))];
  return await compose({ tray, shot: ROWS[shot](randomOf(seed)), patches, seed });
}

/** Null where the tray is called empty, or several things are seen. */
async function queried({ recognition, camera }: Device, frame: Buffer, speed: Speed): Promise<Float32Array | null> {
  await recognition.settings.set({ speed });
  await camera.put(frame);
  try {
    return (await recognition.recogniser.recognise()).vector;
  } catch (error) {
    if (error instanceof RecognitionError && error.codeName === 'Tray.Empty') return null;
    throw error;
  }
}

async function look(device: Device, frame: Buffer, isQuery: boolean): Promise<Seen> {
  if (isQuery) return { fast: await queried(device, frame, 'fast'), normal: await queried(device, frame, 'normal') };
  await device.camera.put(frame);
  const { vector } = await device.recognition.recogniser.capture();
  return { fast: vector, normal: vector };
}

async function lookAtAll(data: string, manifestPath: string, tray: Tray, rows: readonly Laid[]): Promise<Seen[]> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-trays-'));
  const device = await openDevice(folder, manifestPath);
  try {
    await device.camera.put(await compose({ tray, shot: null, patches: [], seed: `empty ${tray}` }));
    await device.recognition.viewer.learnBackground();
    const seen: Seen[] = [];
    for (const row of rows) seen.push(await look(device, await frameOf(data, tray, row), row.split === 'test'));
    return seen;
  } finally {
    await device.close();
    rmSync(folder, { recursive: true });
  }
}

const NOTHING = Number.NaN;

/** Found in the cache, or made: of each row a vector for each speed, of numbers that are none where nothing was seen. */
async function kept(file: string, dimension: number, make: () => Promise<Seen[]>): Promise<Seen[]> {
  if (!existsSync(file)) {
    const seen = await make();
    const vectors = seen.flatMap((one) =>
      SPEEDS.map((speed) => one[speed] ?? new Float32Array(dimension).fill(NOTHING)),
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.part`, Buffer.concat(vectors.map((vector) => new Uint8Array(vector.slice().buffer))));
    renameSync(`${file}.part`, file);
  }
  const values = new Float32Array(new Uint8Array(readFileSync(file)).buffer);
  const at = (place: number): Float32Array | null => {
    const vector = values.subarray(place * dimension, (place + 1) * dimension);
    return Number.isNaN(vector[0]) ? null : vector;
  };
  const places = SPEEDS.length;
  return Array.from({ length: values.length / dimension / places }, (_, row) => ({
    fast: at(row * places + SPEEDS.indexOf('fast')),
    normal: at(row * places + SPEEDS.indexOf('normal')),
  }));
}

/** What looks. */
export interface Looking {
  readonly path: string;
  /** What of its manifest makes a vector. */
  readonly key: string;
  readonly dimension: number;
}

export interface TrayOptions {
  readonly say: (line: string) => void;
  readonly trays?: readonly Tray[];
  /** The folder in which vectors are kept. */
  readonly cache?: string;
}

/** @param judged the items of the fold, which the model has not seen */
export async function trayVectors(
  data: string,
  rows: readonly Row[],
  judged: readonly string[],
  { path, key, dimension }: Looking,
  { say, trays = ALL_TRAYS, cache = CACHE }: TrayOptions,
): Promise<TrayVectors[]> {
  const made: TrayVectors[] = [];
  for (const tray of trays) {
    const laid = laidRows(rows, tray, judged);
    const digest = sourcesDigest('models/gallery/trays.ts', [key, tray, JSON.stringify(laid)]);
    const file = join(cache, `tray-${digest}.f32`);
    say(`${path}, ${tray}: ${file}`);
    const seen = await kept(file, dimension, () => lookAtAll(data, path, tray, laid));
    const vectors = { fast: seen.map(({ fast }) => fast), normal: seen.map(({ normal }) => normal) };
    made.push({ judged, rows: laid, vectors, strangers: [] });
  }
  return made;
}

/** The same with those queries alone that one thing disturbs. */
export const queriesOf = (trays: readonly TrayVectors[], shot: TrayRow): TrayVectors[] =>
  trays.map((tray) => {
    const isKept = tray.rows.map((row) => row.split !== 'test' || row.shot === shot);
    const kept = <T>(list: readonly T[]): T[] => list.filter((_, at) => isKept[at]);
    const vectors = { fast: kept(tray.vectors.fast), normal: kept(tray.vectors.normal) };
    return { ...tray, rows: kept(tray.rows), vectors };
  });
