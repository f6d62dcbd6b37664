/**
 * `node scripts/bench/barcodes.ts [--model FILE]`: what reading the codes on the tray takes, for frames without one, with
 * one and with two, and a recognition with the reader beside one without it, turn by turn in one run.
 */
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import bwipjs from 'bwip-js';
import sharp from 'sharp';
import { BarcodeReader } from '../../firmware/recognition/vision/barcode-reader.ts';
import { AREA_COORDINATES } from '../../firmware/recognition/vision/frame.ts';
import { temporaryFolder } from '../../test/support.ts';
import { drawScene } from '../../test/tools/scenes/scenes.ts';
import { ms, p50, percentile } from './firmware.ts';
import { byTurns, type Device, openDevice, say, verdict } from './recognition-device.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A whole answer may take so many times as long as by looks alone. */
const MOST_RATIO = 1.3;
const WHOLE = { x: 0, y: 0, ...AREA_COORDINATES };
/** No customer waits here. */
const PATIENCE_MS = 60_000;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(ROOT, 'models/lane-embed-1.json') },
    quick: { type: 'boolean' },
  },
});

async function label(kind: string, text: string, angle: number): Promise<Buffer> {
  const png = await bwipjs.toBuffer({ bcid: kind, text, scale: 2, paddingwidth: 10, backgroundcolor: 'FFFFFF' });
  return await sharp(png)
    .rotate(angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer();
}

const bare = await drawScene({ item: 'orange', seed: 1, tray: 'steel' });
const one = { input: await label('ean13', '4006381333931', 20), left: 320, top: 100 };
const two = { input: await label('qrcode', 'https://shop.example/4011', 0), left: 820, top: 380 };
const frames = {
  'without a code': bare,
  'with one': await sharp(bare).composite([one]).jpeg({ quality: 70 }).toBuffer(),
  'with two': await sharp(bare).composite([one, two]).jpeg({ quality: 70 }).toBuffer(),
};

async function benchReading(): Promise<void> {
  const reader = new BarcodeReader({ limits: { patienceMs: PATIENCE_MS } });
  await reader.start();
  const times = await byTurns(Object.values(frames).map((jpeg) => () => reader.read(jpeg, WHOLE)));
  for (const [index, name] of Object.keys(frames).entries()) {
    const [own = []] = [times[index]];
    say(`reading a frame ${name}, decoding it included: p50 ${ms(p50(own))}, p99 ${ms(percentile(own, 0.99))}`);
  }
  await reader.close();
}

async function benchAnswers(reading: Device, looking: Device): Promise<void> {
  for (const speed of ['fast', 'normal'] as const) {
    for (const { recognition } of [reading, looking]) await recognition.settings.set({ speed });
    for (const [name, jpeg] of Object.entries(frames)) {
      for (const { camera } of [reading, looking]) await camera.put(jpeg);
      const [withReader = [], without = []] = await byTurns(
        [reading, looking].map(
          ({ recognition }) =>
            () =>
              recognition.recognise(),
        ),
      );
      const ratio = p50(withReader) / p50(without);
      say(
        `answer at ${speed}, frame ${name}: p50 ${ms(p50(withReader))} with the reader, ${ms(p50(without))} without it; ${ratio.toFixed(2)}: ${verdict(ratio <= MOST_RATIO)} ${MOST_RATIO}`,
      );
    }
  }
}

say(`${cpus()[0]?.model} × ${cpus().length}, load ${loadavg()[0]?.toFixed(1)}`);
await benchReading();
using readingFolder = temporaryFolder();
using lookingFolder = temporaryFolder();
const reading = await openDevice(readingFolder.path, values.model, { barcodes: true });
const looking = await openDevice(lookingFolder.path, values.model, { barcodes: false });
for (const { camera, recognition } of [reading, looking]) {
  await camera.put(bare);
  await recognition.learning.add('orange');
  await recognition.barcodes.start();
}
await benchAnswers(reading, looking);
for (const { close } of [reading, looking]) await close();
