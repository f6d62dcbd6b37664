/** A picture as it would be under another lamp: each channel of what is seen of it is multiplied. Print is read as it is. */
import { encodeJpeg, type Picture, type View } from './frame-picture.ts';

/** Factors of red, green and blue. */
export type Gain = readonly [number, number, number];

const LEVELS = 256;

/** A level of each channel → that level in the other light. */
function tableOf(gain: Gain): readonly Uint8Array[] {
  return gain.map((factor) =>
    Uint8Array.from({ length: LEVELS }, (_, level) => Math.min(LEVELS - 1, Math.round(level * factor))),
  );
}

function changed({ width, height, pixels }: View, tables: readonly Uint8Array[]): View {
  const result = new Uint8Array(pixels.length);
  for (const [channel, table] of tables.entries())
    for (let at = channel; at < result.length; at += tables.length) result[at] = table[pixels[at] ?? 0] ?? 0;
  return { width, height, pixels: result };
}

/** @param gain null leaves it as it is */
export function inLight(picture: Picture, gain: Gain | null): Picture {
  if (gain === null) return picture;
  const tables = tableOf(gain);
  const { width, height } = picture;
  return {
    width,
    height,
    decodeAhead: () => picture.decodeAhead(),
    pixels: async (toWidth, toHeight, region) => changed(await picture.pixels(toWidth, toHeight, region), tables),
    grey: (toWidth, toHeight, region) => picture.grey(toWidth, toHeight, region),
    says: (note) => picture.says(note),
    jpeg: async (toWidth, toHeight, region, quality) =>
      await encodeJpeg(changed(await picture.pixels(toWidth, toHeight, region), tables), quality),
  };
}
