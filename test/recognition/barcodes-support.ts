/** Pictures of codes on a tray: real ones, made by a generator, laid into drawn frames. */
import bwipjs from 'bwip-js';
import sharp from 'sharp';
import { BarcodeReader } from '../../firmware/recognition/vision/barcode-reader.ts';
import type { SceneItem } from '../tools/scenes/scenes.ts';
import { scene } from './support.ts';

const PATIENT = Object.freeze({ patienceMs: 60_000, hangMs: 60_000, startMs: 60_000 });

/** A reader that is never late: a device's own gives a slow machine an answer without codes. */
export const patientReader = (): BarcodeReader => new BarcodeReader(() => undefined, PATIENT);

export interface Label {
  /** As the generator calls it: ean13, code128, qrcode … */
  readonly kind: string;
  readonly text: string;
  /** Pixels of the thinnest bar. */
  readonly scale?: number;
  /** Degrees. */
  readonly angle?: number;
  readonly left?: number;
  readonly top?: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Conditions {
  readonly item?: SceneItem | null;
  readonly blur?: number;
  /** Of the light that the frame is drawn in. */
  readonly light?: number;
  readonly quality?: number;
  /** Paints over the label, in pixels of the frame. */
  readonly stain?: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

async function drawn({ kind, text, scale = 2, angle = 0, options = {} }: Label): Promise<Buffer> {
  const isSquare = /qr|matrix/.test(kind);
  const png = await bwipjs.toBuffer({
    bcid: kind,
    text,
    scale,
    ...(isSquare ? {} : { height: 15 }),
    paddingwidth: 10,
    paddingheight: 5,
    backgroundcolor: 'FFFFFF',
    ...options,
  });
  return await sharp(png)
    .rotate(angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer();
}

/** Where the middle of a label lies in the frame. */
export async function middleOf(label: Label): Promise<{ x: number; y: number }> {
  const { width, height } = await sharp(await drawn(label)).metadata();
  return { x: (label.left ?? 320) + width / 2, y: (label.top ?? 150) + height / 2 };
}

/** A frame of 1280×720 with labels on the tray, as a JPEG. */
export async function labelled(labels: readonly Label[], conditions: Conditions = {}): Promise<Buffer> {
  const { item = null, blur = 0, light = 1, quality = 70, stain } = conditions;
  const layers = await Promise.all(
    labels.map(async (label) => ({ input: await drawn(label), left: label.left ?? 320, top: label.top ?? 150 })),
  );
  const stains =
    stain === undefined
      ? []
      : [
          {
            input: { create: { width: stain.width, height: stain.height, channels: 3 as const, background: '#a33' } },
            left: stain.left,
            top: stain.top,
          },
        ];
  const flat = await sharp(await scene(item, 1))
    .composite([...layers, ...stains])
    .png()
    .toBuffer();
  const seen = blur === 0 ? sharp(flat) : sharp(flat).blur(blur);
  return await seen.modulate({ brightness: light }).jpeg({ quality }).toBuffer();
}
