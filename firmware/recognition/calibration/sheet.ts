/**
 * The sheet that is laid on the tray to be measured: A4, a code in each corner that the reader finds by itself, and a line
 * that tells whether the printer kept the scale. Lengths in millimetres, from the upper left corner of the paper.
 */
import { QUIET_MODULES, qrPath } from '../../../drivers/display/qr-svg.ts';

/** A4, lying. */
const PAPER = Object.freeze({ width: 297, height: 210 });
/** Of a code without its light margin. */
export const CODE_SIDE_MM = 50;
/** Of the line; what a print measures instead is told with the call. */
export const RULER_MM = 100;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface SheetCode {
  /** What it says. */
  readonly text: string;
  /** Its upper left corner. */
  readonly x: number;
  readonly y: number;
}

const LEFT = 16;
const TOP = 16;

/** One in each corner: no printer loses a margin so wide. */
export const SHEET_CODES: readonly SheetCode[] = Object.freeze(
  [
    { text: 'LANEWARE SHEET 1 A', x: LEFT, y: TOP },
    { text: 'LANEWARE SHEET 1 B', x: PAPER.width - LEFT - CODE_SIDE_MM, y: TOP },
    { text: 'LANEWARE SHEET 1 C', x: LEFT, y: PAPER.height - TOP - CODE_SIDE_MM },
    { text: 'LANEWARE SHEET 1 D', x: PAPER.width - LEFT - CODE_SIDE_MM, y: PAPER.height - TOP - CODE_SIDE_MM },
  ].map((code) => Object.freeze(code)),
);

/** From the upper left one onwards, as the reader tells them. */
export const cornersOf = ({ x, y }: Point): readonly [Point, Point, Point, Point] => [
  { x, y },
  { x: x + CODE_SIDE_MM, y },
  { x: x + CODE_SIDE_MM, y: y + CODE_SIDE_MM },
  { x, y: y + CODE_SIDE_MM },
];

const RULER = Object.freeze({ x: (PAPER.width - RULER_MM) / 2, y: 176 });

function codeInSvg({ text, x, y }: SheetCode): string {
  const { size, path } = qrPath(text);
  const modules = size - 2 * QUIET_MODULES;
  const module = CODE_SIDE_MM / modules;
  return `<path transform="translate(${x - QUIET_MODULES * module} ${y - QUIET_MODULES * module}) scale(${module})" d="${path}"/>`;
}

const STEPS = Object.freeze([
  'Print it on A4 at 100 % (“actual size”), not “fit to page”.',
  'Measure the line below. If it is not 100 mm, tell its length: rulerMm.',
  'Lay it flat into the middle of the empty tray, this side up, all four codes in the picture.',
  'Send POST /console/api/calibration to the device; then take the sheet away.',
]);

function wordsInSvg(): string {
  const line = (at: number, text: string, size = 5): string =>
    `<text x="${PAPER.width / 2}" y="${at}" font-size="${size}" text-anchor="middle">${text}</text>`;
  const steps = STEPS.map((step, at) => line(98 + at * 9, `${at + 1}. ${step}`));
  return line(40, 'Laneware', 12) + line(52, 'sheet to measure the tray', 7) + steps.join('');
}

function rulerInSvg(): string {
  const ticks = Array.from({ length: RULER_MM / 10 + 1 }, (_, at) => {
    const height = at % 5 === 0 ? 5 : 3;
    return `<path d="M${RULER.x + at * 10} ${RULER.y}v-${height}" stroke="#000" stroke-width=".3"/>`;
  });
  const label = `<text x="${PAPER.width / 2}" y="${RULER.y + 8}" font-size="5" text-anchor="middle">from end to end: ${RULER_MM} mm</text>`;
  return `<path d="M${RULER.x} ${RULER.y}h${RULER_MM}" stroke="#000" stroke-width=".5"/>${ticks.join('')}${label}`;
}

/** The sheet as vector graphics, a unit a millimetre. */
export const sheetSvg = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${PAPER.width}mm" height="${PAPER.height}mm" viewBox="0 0 ${PAPER.width} ${PAPER.height}" font-family="sans-serif">` +
  `<rect width="${PAPER.width}" height="${PAPER.height}" fill="#fff"/>${SHEET_CODES.map(codeInSvg).join('')}${wordsInSvg()}${rulerInSvg()}</svg>`;

/** A page that prints as one sheet without margins of its own. */
export const sheetPage = (): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Laneware: sheet to measure the tray</title>
    <style>
      @page { size: A4 landscape; margin: 0 }
      html, body { margin: 0; background: #fff }
      svg { display: block }
    </style>
  </head>
  <body>${sheetSvg()}</body>
</html>
`;
