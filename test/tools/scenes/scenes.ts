/**
 * Scenes that we draw ourselves: goods on a tray under a camera, for tests, benches and the pictures that a machine without a
 * camera shows (`render.ts`). The same item, seed and tray give the same picture on every machine.
 */
import type { JpegOptions } from 'sharp';
import { FRAME_HEIGHT, FRAME_WIDTH } from '../../../drivers/camera/contract.ts';
import { loadSharp } from '../../../drivers/camera/decode.ts';
import { Brush, type Drawing, round } from './brush.ts';
import { FRUIT } from './fruit.ts';
import { PACKAGES } from './packages.ts';
import { type Random, randomOf } from './random.ts';
import { drawTray, TRAYS, type Tray } from './trays.ts';

const GOODS = { ...FRUIT, ...PACKAGES };

export type SceneItem = keyof typeof GOODS;

/** What may lie on the tray, in a fixed order. */
export const SCENE_ITEMS: readonly SceneItem[] = Object.freeze(Object.keys(GOODS) as SceneItem[]);

export interface Scene {
  /** Null is the empty tray. */
  readonly item: SceneItem | null;
  /** Decides light, place, turn, number and the item's own looks. */
  readonly seed: number;
  /** One of the item, where several might lie together. */
  readonly isAlone?: boolean;
  /** What the goods lie on; one of them by the seed when left out. */
  readonly tray?: Tray;
}

/** How many of a kind may lie together: only where they do not overlap. */
const TOGETHER: Readonly<Partial<Record<SceneItem, number>>> = {
  'apple-red': 3,
  'apple-green': 3,
  orange: 3,
  lemon: 3,
  tomato: 3,
  kiwi: 3,
  pear: 2,
  avocado: 2,
  carrot: 2,
};
/** Half the distance between two of a kind, in the item's own units. */
const APART = 138;
/** From the item's own units to pixels of the frame. */
const SCALE = 1.15;
/** Nearly as a camera gives it. */
const FINE: JpegOptions = Object.freeze({ quality: 88 });

/** One frame of 1280×720 as a JPEG. */
export async function drawScene(scene: Scene, jpeg = FINE): Promise<Buffer> {
  const sharp = await loadSharp();
  // the light is the seed's alone: with and without goods, the rest of the picture is the same
  const random = randomOf('light', scene.seed);
  const tray = scene.tray ?? random.pick(TRAYS);
  const lightAngle = random.between(-2.6, -0.5);
  const warmth = random.between(-0.05, 0.07);
  const brightness = random.between(0.84, 1.08);
  const goods = scene.item === null ? '' : place(scene, scene.item, lightAngle);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${FRAME_WIDTH}" height="${FRAME_HEIGHT}" viewBox="0 0 ${FRAME_WIDTH} ${FRAME_HEIGHT}">${drawTray(tray, lightAngle)}${goods}</svg>`;
  return sharp(Buffer.from(svg))
    .removeAlpha()
    .composite([{ input: grain(random), raw: { width: GRAIN_SIDE, height: GRAIN_SIDE, channels: 4 }, tile: true }])
    .linear([brightness * (1 + warmth), brightness, brightness * (1 - warmth)], [0, 0, 0])
    .jpeg(jpeg)
    .toBuffer();
}

/** One to three of the item, around a place near the middle, each turned its own way. */
function place({ seed, isAlone = false }: Scene, item: SceneItem, lightAngle: number): string {
  const random = randomOf('goods', item, seed);
  const several = random.whole(1, TOGETHER[item] ?? 1);
  const count = isAlone ? 1 : several;
  const size = SCALE * random.between(0.9, 1.1) * (count === 3 ? 0.9 : 1);
  const [x, y] = [FRAME_WIDTH / 2 + random.between(-130, 130), FRAME_HEIGHT / 2 + random.between(-50, 50)];
  const turn = random.between(0, 2 * Math.PI);
  const parts = Array.from({ length: count }, (_, index) => {
    const around = turn + (index / count) * 2 * Math.PI;
    const far = count === 1 ? 0 : APART * size * (count === 3 ? 1.16 : 1);
    const own = random.between(0, 360);
    const brush = new Brush(random, lightAngle - (own * Math.PI) / 180, `p${index}-`);
    return onTray(GOODS[item](brush), {
      x: x + far * Math.cos(around),
      y: y + far * Math.sin(around) * 0.92,
      turn: own,
      size,
      lightAngle,
    });
  });
  return parts.join('');
}

/**
 * The thing with its two shadows: a wide one away from the light, a dark one where it touches the tray. Rings laid over
 * each other look as soft as a blur, at a fifth of its cost.
 */
function onTray(
  { outline, picture }: Drawing,
  at: { x: number; y: number; turn: number; size: number; lightAngle: number },
): string {
  const pose = `rotate(${round(at.turn)}) scale(${Math.round(at.size * 1000) / 1000})`;
  const shadow = (distance: number, layers: number, step: number, opacity: number) => {
    const [x, y] = [at.x - distance * Math.cos(at.lightAngle), at.y - distance * Math.sin(at.lightAngle)];
    const rings = Array.from(
      { length: layers },
      (_, index) => `<path d="${outline}" stroke-width="${(layers - index) * step}" opacity="${opacity}"/>`,
    );
    return `<g transform="translate(${round(x)} ${round(y)}) ${pose}" fill="#000" stroke="#000" stroke-linejoin="round">${rings.join('')}</g>`;
  };
  return `${shadow(24, 8, 7, 0.065)}${shadow(6, 4, 4, 0.12)}<g transform="translate(${round(at.x)} ${round(at.y)}) ${pose}">${picture}</g>`;
}

const GRAIN_SIDE = 128;

/** The grain of a small sensor: black or white specks, nearly transparent. */
function grain(random: Random): Buffer {
  const pixels = Buffer.alloc(GRAIN_SIDE * GRAIN_SIDE * 4);
  for (let at = 0; at < pixels.length; at += 4) {
    const value = random.between(-1, 1);
    pixels.fill(value < 0 ? 0 : 255, at, at + 3);
    pixels[at + 3] = Math.round(Math.abs(value) * 14);
  }
  return pixels;
}
