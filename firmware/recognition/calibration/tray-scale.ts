/**
 * How long a pixel is on the tray: measured of the sheet's codes in a picture, and what of a thing follows from it.
 * Places in a picture are those of a frame of 1280×720, whatever the camera gives.
 */
import { AREA_COORDINATES, type Area } from '../vision/frame.ts';
import { CalibrationError } from './calibration-error.ts';
import { areaFactor, depthAt, fitted, type Projection, projected, type Steps, stepsAt } from './projection.ts';
import { cornersOf, type Point, RULER_MM, SHEET_CODES } from './sheet.ts';

/** Corners of a code, from its upper left one onwards. */
export type Corners = readonly [Point, Point, Point, Point];

/** What was read of the sheet. */
export interface SeenCode {
  readonly text: string;
  readonly corners: Corners;
}

/** How far a corner may lie from where it is on a flat sheet. */
const MOST_OFF_MM = 3;
/** One end of the area is seen so many times as long as the other: a camera at 60 cm that leans by some 15 degrees. */
const MOST_UNEVEN = 1.7;
/** Half a frame is 1, so that the sums of a fit stay small. */
const HALF_FRAME = AREA_COORDINATES.width / 2;
const HALF_SHEET_MM = 150;

/** From a frame, its middle 0 and half its width 1, to the plane of the tray in units of 150 mm. */
const inUnits = ({ x, y }: Point): Point => ({
  x: (x - AREA_COORDINATES.width / 2) / HALF_FRAME,
  y: (y - AREA_COORDINATES.height / 2) / HALF_FRAME,
});

/** Millimetres that a step of one pixel to the right, and one down, is on the tray. */
export function mmSteps(projection: Projection, place: Point): Steps {
  const factor = HALF_SHEET_MM / HALF_FRAME;
  const { across, down } = stepsAt(projection, inUnits(place));
  return {
    across: { x: across.x * factor, y: across.y * factor },
    down: { x: down.x * factor, y: down.y * factor },
  };
}

const middleOf = ({ x, y, width, height }: Area): Point => ({ x: x + width / 2, y: y + height / 2 });
const endsOf = ({ x, y, width, height }: Area): Point[] => [
  { x, y },
  { x: x + width, y },
  { x, y: y + height },
  { x: x + width, y: y + height },
];

/** How many times as long the same is seen at one end of the area as at another; infinite where the camera sees past the plane. */
function unevenness(projection: Projection, area: Area): number {
  const places = [...endsOf(area), middleOf(area)];
  if (places.some((place) => depthAt(projection, inUnits(place)) <= 0)) return Number.POSITIVE_INFINITY;
  const lengths = places.map((place) => Math.sqrt(areaFactor(mmSteps(projection, place))));
  return Math.max(...lengths) / Math.min(...lengths);
}

/**
 * @param seen codes of the sheet, in a frame of 1280×720
 * @param area that is looked at
 * @param rulerMm how long the printed line is
 * @throws {CalibrationError}
 */
export function measuredScale(seen: readonly SeenCode[], area: Area, rulerMm: number): Projection {
  const lacking = SHEET_CODES.filter(({ text }) => !seen.some((code) => code.text === text));
  if (lacking.length === SHEET_CODES.length)
    throw new CalibrationError(
      'SheetNotFound',
      'the sheet is not seen: lay it flat into the middle of the tray with its codes up, and look whether it is lit and sharp',
    );
  if (lacking.length > 0)
    throw new CalibrationError(
      'SheetIncomplete',
      `${SHEET_CODES.length - lacking.length} of the ${SHEET_CODES.length} codes of the sheet are seen: all must be in the picture, with nothing on them and no glare`,
    );
  const scale = rulerMm / RULER_MM;
  const pairs = seen.flatMap(({ text, corners }) => {
    const code = SHEET_CODES.find((one) => one.text === text);
    if (code === undefined) return [];
    return cornersOf(code).map(({ x, y }, at) => ({
      seen: inUnits(corners[at] ?? corners[0]),
      real: { x: (x * scale) / HALF_SHEET_MM, y: (y * scale) / HALF_SHEET_MM },
    }));
  });
  const projection = fitted(pairs);
  const off = (fit: Projection): number =>
    Math.max(
      ...pairs.map(({ seen: place, real }) => {
        const found = projected(fit, place);
        return HALF_SHEET_MM * Math.hypot(found.x - real.x, found.y - real.y);
      }),
    );
  if (projection === null || !(off(projection) <= MOST_OFF_MM))
    throw new CalibrationError(
      'SheetNotFlat',
      `the sheet is bent, or more than one lies there: its codes are more than ${MOST_OFF_MM} mm from their places. Lay one sheet flat`,
    );
  if (!isScaleOf(projection, area))
    throw new CalibrationError(
      'TooSlanted',
      `the camera looks at the tray too slantingly: one end of the area is seen more than ${MOST_UNEVEN} times as large as the other. Let it look straight down`,
    );
  return projection;
}

/** Whether a camera that is straight enough may see the area so: not what a damaged file says. */
export const isScaleOf = (projection: Projection, area: Area): boolean => unevenness(projection, area) <= MOST_UNEVEN;

/** What a technician is told of a scale, of the middle of the area. */
export interface ScaleReport {
  readonly pixelsPerCm: { readonly across: number; readonly down: number };
  /** By how many per cent the same is seen longer at one end of the area than at another. */
  readonly unevenPercent: number;
}

export function reportOf(projection: Projection, area: Area): ScaleReport {
  const { across, down } = mmSteps(projection, middleOf(area));
  const perCm = (step: Point): number => Math.round(100 / Math.hypot(step.x, step.y)) / 10;
  return {
    pixelsPerCm: { across: perCm(across), down: perCm(down) },
    unevenPercent: Math.round(1000 * (unevenness(projection, area) - 1)) / 10,
  };
}
