/** Looks for the sheet in a picture. It is done once in the life of a tray: the thread for it comes and goes. */
import { WorkerThread } from '../../../drivers/lib/worker-thread.ts';
import { AREA_COORDINATES, type View } from '../vision/frame.ts';
import { openPicture } from '../vision/frame-picture.ts';
import type { Point } from './sheet.ts';
import type { Corners, SeenCode } from './tray-scale.ts';

const WORKER_FILE = new URL('./sheet-worker.ts', import.meta.url);
/** A slow board that does other things takes a second or two. */
const SEARCH_LIMIT_MS = 20_000;
/** Of the long side: more tells nothing, and takes long; of fewer, a code's squares are too small to be told apart. */
const MOST_PIXELS = 1920;
const FEWEST_PIXELS = 1280;

/** @returns every code in the picture, its corners in a frame of 1280×720 @throws {FrameRefused} @throws {LostWorker} */
export async function findCodes(jpeg: Uint8Array): Promise<SeenCode[]> {
  const picture = await openPicture(jpeg);
  const longest = Math.max(picture.width, picture.height);
  const scale = Math.min(MOST_PIXELS, Math.max(FEWEST_PIXELS, longest)) / longest;
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  const view: View = { width, height, pixels: await picture.grey(width, height, whole) };
  const thread = new WorkerThread<null, SeenCode[]>(WORKER_FILE, { name: 'finder of the sheet', workerData: view });
  try {
    const inFrame = ({ x, y }: Point): Point => ({
      x: (x * AREA_COORDINATES.width) / width,
      y: (y * AREA_COORDINATES.height) / height,
    });
    return (await thread.hear(SEARCH_LIMIT_MS)).map(({ text, corners: [one, two, three, four] }) => {
      const corners: Corners = [inFrame(one), inFrame(two), inFrame(three), inFrame(four)];
      return { text, corners };
    });
  } finally {
    await thread.end();
  }
}
