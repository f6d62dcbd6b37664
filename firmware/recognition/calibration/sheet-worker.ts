/** The worker thread that looks for the sheet's codes in one picture, all of it and with all patience: it answers once. */
import { parentPort, workerData } from 'node:worker_threads';
import { readBarcodes } from 'zxing-wasm/reader';
import { loadReader, toImage } from '../barcodes/zxing.ts';
import type { View } from '../vision/frame.ts';
import type { Point } from './sheet.ts';
import type { SeenCode } from './tray-scale.ts';

/** More than the sheet has: another thing may have one, too. */
const MOST_CODES = 16;

const pointOf = ({ x, y }: Point): Point => ({ x, y });

async function codesIn(picture: View): Promise<SeenCode[]> {
  const results = await readBarcodes(toImage(picture), {
    formats: ['QRCode'],
    tryHarder: true,
    tryRotate: true,
    tryInvert: false,
    maxNumberOfSymbols: MOST_CODES,
    textMode: 'Plain',
  });
  return results.map(({ text, position: { topLeft, topRight, bottomRight, bottomLeft } }) => ({
    text,
    corners: [pointOf(topLeft), pointOf(topRight), pointOf(bottomRight), pointOf(bottomLeft)],
  }));
}

await loadReader();
parentPort?.postMessage(await codesIn(workerData as View)); // whoever starts it gives one
