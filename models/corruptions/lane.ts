/** A recognition device with a camera that composed frames are pushed to: what is judged is the product, from frame to verdict. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Speed } from '../../firmware/core/config/choices.ts';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import { insertTemplates, openDevice } from '../../scripts/bench/recognition-device.ts';
import { drawnItems } from '../gallery/strangers.ts';
import type { Outcome } from './tally.ts';

const CANDIDATES = 3;
const STRANGERS_SEED = 7;
/** Drawn items are vectors, and nobody looks at their pictures. */
const NO_PICTURE = new Uint8Array();

export interface Lane extends AsyncDisposable {
  learnEmptyTray(frame: Buffer): Promise<void>;
  teach(item: string, frame: Buffer): Promise<void>;
  /**
   * Enrols drawn items that are as near to each other as some of those that were taught, until there are so many.
   * @param like items that were taught
   */
  fillUp(count: number, like: readonly string[]): Promise<void>;
  /** @param right items that are right answers */
  ask(frame: Buffer, right: readonly string[]): Promise<Outcome>;
  /** Whether the tray is called empty. */
  looksEmpty(frame: Buffer): Promise<boolean>;
}

/** @throws {Error} the model cannot be used */
export async function openLane(manifestPath: string, speed: Speed): Promise<Lane> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-corruptions-'));
  let device = await openDevice(folder, manifestPath);
  await device.recognition.settings.set({ speed, resultCount: CANDIDATES });

  /** Null where the tray is called empty. */
  async function seen(frame: Buffer) {
    const { recognition, camera } = device;
    await camera.put(frame);
    try {
      return (await recognition.recogniser.recognise()).classification;
    } catch (error) {
      if (error instanceof RecognitionError && error.codeName === 'Tray.Empty') return null;
      throw error;
    }
  }

  return {
    learnEmptyTray: async (frame) => {
      await device.camera.put(frame);
      await device.recognition.viewer.learnBackground();
    },
    teach: async (item, frame) => {
      await device.camera.put(frame);
      await device.recognition.learning.add(item);
    },
    fillUp: async (count, like) => {
      const { templates, model } = device.recognition;
      const identity = model?.identity ?? '';
      const known = like.map((item) => templates.reader.vectorsOf(item, identity));
      const each = Math.round(known.reduce((sum, vectors) => sum + vectors.length, 0) / known.length);
      const drawn = drawnItems(known, count - templates.reader.items().length, each, STRANGERS_SEED);
      await device.close();
      const all = drawn.flatMap((vectors, at) => vectors.map((vector) => ({ item: `stranger ${at}`, vector })));
      insertTemplates(folder, NO_PICTURE, identity, all);
      device = await openDevice(folder, manifestPath);
    },
    ask: async (frame, right) => {
      const answer = await seen(frame);
      if (answer === null) return { rank: null, certain: false, missed: true };
      const place = answer.items.findIndex(({ id }) => right.includes(id));
      return { rank: place < 0 ? null : place + 1, certain: answer.verdict.certain, missed: false };
    },
    looksEmpty: async (frame) => (await seen(frame)) === null,
    [Symbol.asyncDispose]: async () => {
      await device.close();
      rmSync(folder, { recursive: true });
    },
  };
}
