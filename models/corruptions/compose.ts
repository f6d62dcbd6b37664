/** A frame of a camera over a tray, composed of a drawn tray and cut-out items: one seed gives one frame on every machine. */
import type { OverlayOptions } from 'sharp';
import { FRAME_HEIGHT, FRAME_WIDTH } from '../../drivers/camera/contract.ts';
import { loadSharp } from '../../drivers/camera/decode.ts';
import { type Random, randomOf } from '../../test/tools/scenes/random.ts';
import { drawTray, type Tray } from '../../test/tools/scenes/trays.ts';
import { PATCH_SIDE, type Patch } from './patch.ts';
import { LEARNED_KELVIN, type Placement, type Shot } from './shots.ts';

const JPEG_QUALITY = 88;
/** Where the lamp stands; it is the same while a lane is used. */
const LIGHT_ANGLE = -1.2;

const svg = (content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${FRAME_WIDTH}" height="${FRAME_HEIGHT}" viewBox="0 0 ${FRAME_WIDTH} ${FRAME_HEIGHT}">${content}</svg>`,
  );

const trays = new Map<Tray, Promise<Buffer>>();

/** RGB of an empty tray. */
function trayPixels(tray: Tray): Promise<Buffer> {
  const known = trays.get(tray) ?? drawn(tray);
  trays.set(tray, known);
  return known;
}

async function drawn(tray: Tray): Promise<Buffer> {
  const sharp = await loadSharp();
  return await sharp(svg(drawTray(tray, LIGHT_ANGLE)))
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** The patch at its place; what lies outside of the frame is cut off. */
async function laid(patch: Patch, { x, y, side, turn }: Placement): Promise<OverlayOptions | null> {
  const sharp = await loadSharp();
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
  // two steps: sharp turns before it scales, and a small picture turned is a coarse one
  const scaled = await sharp(patch.pixels, { raw: { width: PATCH_SIDE, height: PATCH_SIDE, channels: 4 } })
    .resize(Math.round(side))
    .png({ compressionLevel: 0 })
    .toBuffer();
  const { data, info } = await sharp(scaled)
    .rotate(turn, { background: transparent })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [left, top] = [Math.round(x - info.width / 2), Math.round(y - info.height / 2)];
  const from = { left: Math.max(0, -left), top: Math.max(0, -top) };
  const width = Math.min(info.width - from.left, FRAME_WIDTH - Math.max(0, left));
  const height = Math.min(info.height - from.top, FRAME_HEIGHT - Math.max(0, top));
  if (width <= 0 || height <= 0) return null;
  const input = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .extract({ ...from, width, height })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { input, left: Math.max(0, left), top: Math.max(0, top) };
}

/** Darker where the item touches the tray, away from the light. */
const shadow = ({ x, y, side }: Placement): string =>
  [0.5, 0.48, 0.46]
    .map(
      (reach) =>
        `<ellipse cx="${x + side * 0.02}" cy="${y + side * 0.03}" rx="${side * reach}" ry="${side * reach}" fill="#000" fill-opacity="0.08"/>`,
    )
    .join('');

const SKINS = ['#e8c1a0', '#d9a57f', '#b97d56', '#8a5a3b', '#5c3a26'] as const;

/** Four fingers from a rim of the frame over a quarter of the item. */
function hand({ x, y, side }: Placement, random: Random): string {
  const angle = random.between(0, 360);
  const skin = random.pick(SKINS);
  const width = side * 0.13;
  const fingers = [0, 1, 2, 3].map((finger) => {
    const across = (finger - 1.5) * width * 1.08;
    const reach = side * random.between(-0.06, 0.04);
    return `<path d="M${-1400} ${across}H${reach}" stroke="${skin}" stroke-width="${width}" stroke-linecap="round"/><path d="M${-1400} ${across + width * 0.48}H${reach}" stroke="#000" stroke-opacity="0.18" stroke-width="3"/>`;
  });
  return `<g transform="translate(${x} ${y}) rotate(${angle})" fill="none">${fingers.join('')}</g>`;
}

/** A milky film with creases that shine. */
function bag({ x, y, side }: Placement, random: Random): string {
  const half = side * 0.56;
  const creases = Array.from({ length: 26 }, () => {
    const [fromX, fromY] = [random.between(-half, half), random.between(-half, half)];
    const [bendX, bendY] = [random.between(-90, 90), random.between(-90, 90)];
    const [toX, toY] = [random.between(-160, 160), random.between(-160, 160)];
    return `<path d="M${fromX} ${fromY}q${bendX} ${bendY} ${toX} ${toY}" stroke="#fff" stroke-opacity="${random.between(0.25, 0.8)}" stroke-width="${random.between(1, 6)}"/>`;
  });
  return `<g transform="translate(${x} ${y})" fill="none"><rect x="${-half}" y="${-half}" width="${2 * half}" height="${2 * half}" rx="${half * 0.3}" fill="#fff" fill-opacity="0.2"/>${creases.join('')}</g>`;
}

/** Red, green and blue of a lamp of a colour temperature, green 1: the usual approximation of a black body (2,000 to 8,000 K). */
function lampColour(kelvin: number): [number, number, number] {
  const hundreds = kelvin / 100;
  const bounded = (value: number): number => Math.min(255, Math.max(1, value));
  const warm = hundreds <= 66;
  const red = warm ? 255 : bounded(329.7 * (hundreds - 60) ** -0.1332);
  const green = warm ? bounded(99.47 * Math.log(hundreds) - 161.1) : bounded(288.1 * (hundreds - 60) ** -0.0755);
  const blue = hundreds >= 66 ? 255 : bounded(138.5 * Math.log(hundreds - 10) - 305);
  return [red / green, 1, blue / green];
}

const LEARNED_LAMP = lampColour(LEARNED_KELVIN);

/** The camera's white balance takes half of a lamp's colour out. */
function tint(light: number, kelvin: number): [number, number, number] {
  const [red, green, blue] = lampColour(kelvin);
  const factor = (channel: number, learned: number) => light * Math.sqrt(channel / learned);
  return [factor(red, LEARNED_LAMP[0]), factor(green, LEARNED_LAMP[1]), factor(blue, LEARNED_LAMP[2])];
}

const NOISE_SIDE = 128;

/** Of a small sensor: specks of black and white, nearly transparent, other ones in each frame. */
function noise(random: Random): Buffer {
  const pixels = Buffer.alloc(NOISE_SIDE * NOISE_SIDE * 4);
  for (let at = 0; at < pixels.length; at += 4) {
    const value = random.between(-1, 1);
    pixels.fill(value < 0 ? 0 : 255, at, at + 3);
    pixels[at + 3] = Math.round(Math.abs(value) * 12);
  }
  return pixels;
}

export interface Frame {
  readonly tray: Tray;
  /** Null is the empty tray. */
  readonly shot: Shot | null;
  /** Of the item, and of the second one where the shot has one. */
  readonly patches: readonly Patch[];
  /** Brightness of an empty tray; that of a shot is its own. */
  readonly light?: number;
  readonly seed: string;
}

async function overlays(shot: Shot, patches: readonly Patch[], random: Random): Promise<OverlayOptions[]> {
  const places = [shot.item, ...(shot.second === null ? [] : [shot.second])];
  const items = await Promise.all(
    places.map((place, at) => {
      const patch = patches[at];
      if (patch === undefined)
        throw new RangeError(`the shot has ${places.length} items, and ${patches.length} were given`);
      return laid(patch, place);
    }),
  );
  const above = (shot.bag ? bag(shot.item, random) : '') + (shot.hand ? hand(shot.item, random) : '');
  return [
    { input: svg(places.map(shadow).join('')) },
    ...items.filter((item) => item !== null),
    ...(above === '' ? [] : [{ input: svg(above) }]),
  ];
}

const raw = { width: FRAME_WIDTH, height: FRAME_HEIGHT, channels: 3 } as const;

/** What lies there out of focus; the sensor's grain is not. */
async function blurred(tray: Buffer, over: OverlayOptions[], blur: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const whole = await sharp(tray, { raw }).composite(over).removeAlpha().raw().toBuffer();
  return await sharp(whole, { raw }).blur(blur).raw().toBuffer();
}

/** A JPEG of 1280×720. */
export async function compose({ tray, shot, patches, light = 1, seed }: Frame): Promise<Buffer> {
  const sharp = await loadSharp();
  const random = randomOf('frame', seed);
  const grain = {
    input: noise(random),
    raw: { width: NOISE_SIDE, height: NOISE_SIDE, channels: 4 },
    tile: true,
  } as const;
  const over = shot === null ? [] : await overlays(shot, patches, random);
  // composed whole before the light changes it: sharp would do it the other way round
  const clear = shot === null || shot.blur === 0;
  const below = clear ? await trayPixels(tray) : await blurred(await trayPixels(tray), over, shot.blur);
  const composed = await sharp(below, { raw })
    .composite([...(clear ? over : []), grain])
    .removeAlpha()
    .raw()
    .toBuffer();
  return await sharp(composed, { raw })
    .linear(tint(shot?.light ?? light, shot?.kelvin ?? LEARNED_KELVIN), [0, 0, 0])
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}
