/** A recognition device with a camera that composed frames are pushed to: what is judged is the product, from frame to verdict. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Speed } from '../../firmware/config/choices.ts';
import { RecognitionError } from '../../firmware/recognition/codes.ts';
import { openDevice } from '../../scripts/bench/recognition-device.ts';
import type { Outcome } from './tally.ts';

const CANDIDATES = 3;

export interface Lane extends AsyncDisposable {
  learnEmptyTray(frame: Buffer): Promise<void>;
  teach(item: string, frame: Buffer): Promise<void>;
  /** @param right items that are right answers */
  ask(frame: Buffer, right: readonly string[]): Promise<Outcome>;
  /** Whether the tray is called empty. */
  looksEmpty(frame: Buffer): Promise<boolean>;
}

/** @throws {Error} the model cannot be used */
export async function openLane(manifestPath: string, speed: Speed): Promise<Lane> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-corruptions-'));
  const device = await openDevice(folder, manifestPath);
  const { recognition, camera } = device;
  await recognition.settings.set({ speed, resultCount: CANDIDATES });

  /** Null where the tray is called empty. */
  async function seen(frame: Buffer) {
    await camera.put(frame);
    try {
      return (await recognition.recogniser.recognise()).classification;
    } catch (error) {
      if (error instanceof RecognitionError && error.codeName === 'trayEmpty') return null;
      throw error;
    }
  }

  return {
    learnEmptyTray: async (frame) => {
      await camera.put(frame);
      await recognition.recogniser.learnBackground();
    },
    teach: async (item, frame) => {
      await camera.put(frame);
      await recognition.addTemplate(item);
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
