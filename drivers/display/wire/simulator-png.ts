/** What a customer of the simulated display sees, as a PNG. */
import sharp from 'sharp';
import type { Picture, ShownStatus } from '../contract.ts';
import { qrPath } from '../qr-svg.ts';

const WIDTH = 640;
const HEIGHT = 720;
const SYMBOL_STROKE = 48;

const SYMBOLS = Object.freeze({
  success: { colour: '#0a8f3c', path: 'M180 370 L280 470 L470 260' },
  failure: { colour: '#c8102e', path: 'M210 250 L430 470 M430 250 L210 470' },
  waiting: { colour: '#555', path: 'M200 360 h1 M320 360 h1 M440 360 h1' },
});

/** Draws each module in whole pixels; otherwise a reader (and an eye) would see grey edges. */
function qrSvg(payload: string): string {
  const { size, path } = qrPath(payload);
  const scale = Math.floor(WIDTH / size);
  const left = Math.floor((WIDTH - size * scale) / 2);
  const top = Math.floor((HEIGHT - size * scale) / 2);
  return `<path fill="#000" shape-rendering="crispEdges" transform="translate(${left} ${top}) scale(${scale})" d="${path}"/>`;
}

function symbolSvg(status: ShownStatus): string {
  const { colour, path } = SYMBOLS[status];
  return `<path fill="none" stroke="${colour}" stroke-width="${SYMBOL_STROKE}" stroke-linecap="round" d="${path}"/>`;
}

function contentSvg(picture: Picture): string {
  if (picture.kind === 'qr') return qrSvg(picture.payload);
  return picture.kind === 'status' ? symbolSvg(picture.status) : '';
}

export async function renderPng(picture: Picture): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><path fill="#fff" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>${contentSvg(picture)}</svg>`;
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer();
}
