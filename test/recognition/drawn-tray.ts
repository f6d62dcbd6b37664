/** A drawn steel tray as a camera sees it, with things on it, in other light, out of focus. */
import sharp from 'sharp';

/** Of the camera's pictures; what is drawn is drawn for 1280×720. */
const [WIDTH, HEIGHT] = [640, 360];

export interface Scene {
  readonly things?: string;
  readonly blur?: number | readonly number[];
  /** Factors of red, green and blue. */
  readonly light?: readonly [number, number, number];
  readonly noise?: number;
  /** Darkness of a shadow that falls over from the left, 0 to 1. */
  readonly shade?: number;
}

/** A steel tray with a rim, a grid of holes and a label: what a camera sees where nothing lies. */
const TRAY = `<rect width="1280" height="720" fill="#5d5f60"/><rect x="250" y="20" width="780" height="680" rx="40" fill="#9a9da0" stroke="#6c6f72" stroke-width="14"/>${Array.from(
  { length: 48 },
  (_, at) => `<circle cx="${320 + (at % 8) * 92}" cy="${90 + Math.floor(at / 8) * 108}" r="9" fill="#55585a"/>`,
).join('')}<text x="560" y="676" font-size="30" font-family="sans-serif" fill="#44484a">MAX 15 kg</text>`;
export const APPLE =
  '<circle cx="640" cy="360" r="120" fill="#b3302a"/><circle cx="600" cy="310" r="22" fill="#ee9a85"/>';
export const PLUM = '<ellipse cx="800" cy="250" rx="34" ry="30" fill="#4b2a55"/>';
export const CARTON =
  '<rect x="300" y="60" width="640" height="600" fill="#f4f4ee"/><rect x="380" y="180" width="430" height="150" fill="#1f63b0"/>';

/** Two halves of different colours, at a place. */
export const halves = (x: number, y: number, side: number, [left, right]: readonly [string, string]): string =>
  `<rect x="${x}" y="${y}" width="${side / 2}" height="${side}" fill="${left}"/><rect x="${x + side / 2}" y="${y}" width="${side / 2}" height="${side}" fill="${right}"/>`;
export const RED = ['#b3302a', '#e8d23a'] as const;
export const BLUE = ['#1f63b0', '#f4f4ee'] as const;

/** A JPEG. */
export async function drawTray({
  things = '',
  blur,
  light = [1, 1, 1],
  noise = 3,
  shade = 0,
}: Scene = {}): Promise<Buffer> {
  const fade = `<linearGradient id="shade"><stop offset="0" stop-opacity="${shade}"/><stop offset="1" stop-opacity="0"/></linearGradient>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="${WIDTH}" height="${HEIGHT}">${fade}${TRAY}${things}<rect width="1280" height="720" fill="url(#shade)"/></svg>`;
  let picture = sharp(Buffer.from(svg)).removeAlpha();
  if (typeof blur === 'number') picture = picture.blur(blur);
  else if (blur !== undefined)
    picture = picture.convolve({ width: blur.length, height: 1 + 2, kernel: motionKernel(blur) });
  const grain = { type: 'gaussian', mean: 0, sigma: noise } as const;
  const dots = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000', noise: grain } })
    .jpeg()
    .toBuffer();
  return await picture
    .linear([...light], [0, 0, 0])
    .composite([{ input: dots, blend: 'add' }])
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** A kernel of three rows, the middle one with the given weights. */
function motionKernel(weights: readonly number[]): number[] {
  const empty = weights.map(() => 0);
  return [...empty, ...weights, ...empty];
}
