/** Pictures of items that the chain describes. Each device of a store takes them for itself: pictures stay on their device. */
import { setImmediate as breathe } from 'node:timers/promises';
import { beginsAsJpeg } from '../../../drivers/camera/jpeg-header.ts';
import { ChainError } from '../../chain/index.ts';
import type { ChainPicture, Items, WholePicture } from '../../recognition/index.ts';
import { type CatalogueHead, type CatalogueItem, keyOfPicture, type Ring, saidOf } from './catalogue.ts';

/** Pictures that have come are written together once they are so much. */
const BATCH_BYTES = 1024 * 1024;

interface PictureSource {
  readonly head: CatalogueHead;
  /** That the store is in. */
  readonly ring: Ring | null;
  readonly isMaster: boolean;
  /** Of each part, what was dealt with since the start: each round decides again what the database lacks. */
  readonly done: Map<number, string>;
  readonly items: Pick<Items, 'wantsChainPicture' | 'takeChainPictures'>;
  readonly readPart: (checksum: string) => Promise<readonly CatalogueItem[]>;
  /** @throws {ChainError} `forged`: something else lies there, or nothing */
  readonly read: (key: string, checksum: string) => Promise<Buffer>;
  readonly isClosing: () => boolean;
}

/** @returns whether nothing is left @throws {ChainError} `forged` once the others are there @throws {RecognitionError} */
export async function takePictures(source: PictureSource): Promise<boolean> {
  const { head, ring, done, readPart, isClosing } = source;
  const lost: ChainError[] = [];
  let isWhole = true;
  for (const [at, checksum] of head.parts.entries()) {
    const mark = `${checksum} ${ring?.number}`;
    if (checksum === null || done.get(at) === mark) continue;
    const offered = (await readPart(checksum)).map((item) => pictureOf(item, ring));
    const isDone = await takePart(offered, source, lost);
    if (isClosing()) return false;
    if (isDone) done.set(at, mark);
    else isWhole = false;
  }
  const [trouble] = lost;
  if (trouble !== undefined) throw trouble;
  return isWhole;
}

/** @param lost what is wrong with those that cannot be taken @returns whether nothing is left */
async function takePart(offered: readonly ChainPicture[], source: PictureSource, lost: ChainError[]): Promise<boolean> {
  const { items, isMaster, isClosing } = source;
  let isWhole = true;
  let batch: WholePicture[] = [];
  let bytes = 0;
  for (const picture of offered) {
    await breathe();
    if (isClosing()) break;
    const isWanted = await items.wantsChainPicture(picture);
    // what a slave does not know yet comes from its master
    if (isWanted === null && !isMaster && picture.sha256 !== null) isWhole = false;
    if (isWanted !== true) continue;
    try {
      const jpeg = await jpegOf(picture, source);
      batch.push({ ...picture, jpeg });
      bytes += jpeg?.length ?? 0;
    } catch (error) {
      if (!(error instanceof ChainError) || error.code !== 'forged') throw error;
      lost.push(error);
      isWhole = false;
    }
    if (bytes < BATCH_BYTES) continue;
    await items.takeChainPictures(batch);
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) await items.takeChainPictures(batch);
  return isWhole;
}

async function jpegOf({ sha256 }: ChainPicture, { read }: PictureSource): Promise<Buffer | null> {
  if (sha256 === null) return null;
  const jpeg = await read(keyOfPicture(sha256), sha256);
  if (beginsAsJpeg(jpeg)) return jpeg;
  throw new ChainError('forged', 'a picture at the chain is no JPEG');
}

function pictureOf(offered: CatalogueItem, ring: Ring | null): ChainPicture {
  const { picture = null, wins = [] } = saidOf(offered, ring) ?? {};
  return { item: offered.item, sha256: picture, isFixed: wins.includes('picture') };
}
