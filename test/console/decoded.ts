/** The code on a page, read from a picture of it as a phone would. `loadReader` comes first. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** As `barcode-worker.ts` does, which runs in a worker thread only. */
export async function loadReader(): Promise<void> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
}

export async function decoded(page: Page): Promise<string | null> {
  const { data, info } = await sharp(await page.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const image = {
    data: new Uint8ClampedArray(data),
    width: info.width,
    height: info.height,
    colorSpace: 'srgb',
  } as const;
  const [code] = await readBarcodes(image, { formats: ['QRCode'], tryHarder: true });
  return code?.text ?? null;
}
