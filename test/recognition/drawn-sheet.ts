/** The printed sheet as a camera over the tray sees it: turned, from the side, out of focus, with noise. */
import sharp from 'sharp';
import { qrPath } from '../../drivers/display/qr-svg.ts';
import { CODE_SIDE_MM, type Point, SHEET_CODES } from '../../firmware/recognition/calibration/sheet.ts';

export interface SheetScene {
  /** Pixels of a frame of 1280×720 to a millimetre, in the middle. */
  readonly pixelsPerMm?: number;
  /** Degrees by which the sheet is turned on the tray. */
  readonly turn?: number;
  /** Degrees by which the camera leans to the right. */
  readonly lean?: number;
  /** Where the middle of the sheet lies, in millimetres from the middle of the picture. */
  readonly x?: number;
  readonly y?: number;
  readonly blur?: number;
  readonly noise?: number;
  /** Of the picture; what is drawn is drawn for 1280×720. */
  readonly width?: number;
  readonly height?: number;
  /** What lies on it, in SVG. */
  readonly things?: string;
  /** How a corner of the paper is moved: by so many millimetres, for a sheet that is bent. */
  readonly bend?: number;
}

/** Millimetres from the lens to the tray. */
const CAMERA_HEIGHT_MM = 600;
const PAPER: Point = { x: 297, y: 210 };

/** From the tray, in millimetres from the middle of the picture, to the frame. */
export function seenAt({ x, y }: Point, { pixelsPerMm = 2.4, lean = 0 }: SheetScene): Point {
  const angle = (lean * Math.PI) / 180;
  const away = CAMERA_HEIGHT_MM + x * Math.sin(angle);
  const factor = (pixelsPerMm * CAMERA_HEIGHT_MM) / away;
  return { x: 640 + x * Math.cos(angle) * factor, y: 360 + y * factor };
}

/** From the paper to the tray. */
function onTray({ x, y }: Point, { turn = 0, x: left = 0, y: top = 0, bend = 0 }: SheetScene): Point {
  const [across, down] = [x - PAPER.x / 2, y - PAPER.y / 2];
  const angle = (turn * Math.PI) / 180;
  const lifted = x > PAPER.x / 2 && y > PAPER.y / 2 ? bend : 0;
  return {
    x: left + (across - lifted) * Math.cos(angle) - down * Math.sin(angle),
    y: top + (across - lifted) * Math.sin(angle) + down * Math.cos(angle),
  };
}

function polygon(corners: readonly Point[], fill: string, scene: SheetScene): string {
  const points = corners.map((corner) => seenAt(onTray(corner, scene), scene));
  return `<polygon points="${points.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ')}" fill="${fill}"/>`;
}

const rectangle = (x: number, y: number, width: number, height: number): Point[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

function codes(scene: SheetScene): string {
  return SHEET_CODES.flatMap(({ text, x, y }) => {
    const { size, path } = qrPath(text);
    const module = CODE_SIDE_MM / (size - 8);
    return [...path.matchAll(/M(\d+) (\d+)h(\d+)v/g)].map(([, column, row, length]) =>
      polygon(
        rectangle(x + (Number(column) - 4) * module, y + (Number(row) - 4) * module, Number(length) * module, module),
        '#222',
        scene,
      ),
    );
  }).join('');
}

/** A JPEG of the sheet on a steel tray. */
export async function drawSheet(scene: SheetScene = {}): Promise<Buffer> {
  const { width = 1280, height = 720, blur = 0.7, noise = 4, things = '' } = scene;
  const paper = polygon(rectangle(0, 0, PAPER.x, PAPER.y), '#f0efe9', scene);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="${width}" height="${height}" preserveAspectRatio="none"><rect width="1280" height="720" fill="#8d9194"/>${paper}${codes(scene)}${things}</svg>`;
  const grain = { type: 'gaussian', mean: 0, sigma: noise } as const;
  const dots = await sharp({ create: { width, height, channels: 3, background: '#000', noise: grain } })
    .png()
    .toBuffer();
  return await sharp(Buffer.from(svg))
    .removeAlpha()
    .blur(blur)
    .composite([{ input: dots, blend: 'add' }])
    .jpeg({ quality: 85 })
    .toBuffer();
}
