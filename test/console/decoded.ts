/** The code on a page, read from a picture of it as a phone would. `loadReader` comes first. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { readBarcodes } from 'zxing-wasm/reader';

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
