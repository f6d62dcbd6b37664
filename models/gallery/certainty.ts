/**
 * The one protocol of how sure answers are: a confidence is fitted to photographs and to drawn trays together, and judged on both, each
 * item by weights that were fitted to others, with five draws of templates.
 */
import type { Speed } from '../../firmware/core/config/choices.ts';
import type { Confidence } from '../../firmware/recognition/matching/confidence.ts';
import { areaUnderCurve } from '../evaluation/judge.ts';
import { calibrated, type Judge, judgeByOthers, measuredAt, type Rated, withCurve } from './calibrate.ts';
import { type FoldVectors, type Gallery, type Sighting, sightingsOf } from './sightings.ts';
import { queriesOf, TRAY_ROWS, type TrayVectors } from './trays.ts';

const photographs = (size: number, templates: number): Gallery => ({ size, kind: 'photographs', templates });
/** What a confidence is fitted to: shops of many sizes. */
const FITTED: readonly Gallery[] = [5, 10, 30, 50, 81, 300].flatMap((size) =>
  (size === 300 ? [5] : [2, 5, 10, 20]).map((templates) => photographs(size, templates)),
);
/** All that lies on a tray is of one fold. */
const MOST_ON_TRAYS = 26;
const FITTED_TRAYS: readonly Gallery[] = [10, MOST_ON_TRAYS].flatMap((size) =>
  [2, 5, 10].map((templates) => photographs(size, templates)),
);
/** Strangers that fill the largest of them. */
export const FITTED_STRANGERS = 330;
/** One query in so many is fitted to: they are much alike. */
const EVERY = 9;
const EVERY_ON_TRAYS = 7;
/** What it is measured with. */
const MEASURED_EVERY = 2;
const MEASURED: readonly Gallery[] = [30, 81].flatMap((size) =>
  [5, 10, 20].map((templates) => photographs(size, templates)),
);
/** Of these the one whose curve stands in the manifest. */
const CURVE = 1;
const ON_TRAYS = photographs(MOST_ON_TRAYS, 5);

/** One line of the table. */
export interface Line {
  readonly name: string;
  readonly rated: readonly Rated[];
}

export interface Certainty {
  readonly confidence: Confidence;
  /** Sightings. */
  readonly fitted: number;
  readonly lines: readonly Line[];
}

const fittingOf = (folds: readonly FoldVectors[], trays: readonly TrayVectors[], speed: Speed): Sighting[] => [
  ...FITTED.flatMap((gallery) => sightingsOf(folds, gallery, speed, EVERY)),
  ...FITTED_TRAYS.flatMap((gallery) => sightingsOf(trays, gallery, speed, EVERY_ON_TRAYS)),
];

function linesOf(folds: readonly FoldVectors[], trays: readonly TrayVectors[], speed: Speed, judge: Judge): Line[] {
  const measured = MEASURED.map((gallery) => ({
    name: `${gallery.size} items, ${gallery.templates} templates`,
    rated: judge(sightingsOf(folds, gallery, speed, MEASURED_EVERY)),
  }));
  const laid = TRAY_ROWS.map((row) => ({
    name: `tray, ${row}`,
    rated: judge(sightingsOf(queriesOf(trays, row), ON_TRAYS, speed)),
  }));
  return [...measured, ...laid];
}

/** @param floor below which nothing is certain where few items are known */
export function certaintyOf(
  folds: readonly FoldVectors[],
  trays: readonly TrayVectors[],
  speed: Speed,
  floor: number,
): Certainty {
  const fitting = fittingOf(folds, trays, speed);
  const judge = judgeByOthers(fitting);
  const lines = linesOf(folds, trays, speed, judge);
  const confidence = withCurve(calibrated(fitting, judge, floor), lines[CURVE]?.rated ?? []);
  return { confidence, fitted: fitting.length, lines };
}

export const COLUMNS = [
  ...['top-1 %', 'six tiles %', 'certain %', 'wrong of certain %', 'in the worst draw %'],
  ...['strangers certain %', 'in the worst draw %', 'beside a look-alike %', 'AUROC'],
] as const;

/** All in per cent but the last, by `COLUMNS`; null where there is nothing to count. */
export function cellsOf(rated: readonly Rated[], from: number): (number | null)[] {
  const { certain, wrong, worst, strangers } = measuredAt(from, rated);
  const known = rated.filter(({ sighting }) => sighting.enrolled);
  const unknown = rated.filter(({ sighting }) => !sighting.enrolled);
  const alike = unknown.filter(({ sighting }) => sighting.alike);
  const share = (fits: (one: Rated) => boolean, of: readonly Rated[]): number | null =>
    of.length === 0 ? null : (100 * of.filter(fits).length) / of.length;
  const draws = [...new Set(unknown.map(({ sighting }) => sighting.draw))];
  const isSure = ({ likelihood }: Rated): boolean => likelihood.right >= from;
  const fooled = draws.map(
    (draw) =>
      share(
        isSure,
        unknown.filter(({ sighting }) => sighting.draw === draw),
      ) ?? 0,
  );
  const likely = (of: readonly Rated[]): number[] => of.map(({ likelihood }) => -likelihood.stranger);
  return [
    share(({ sighting }) => sighting.right, known),
    share(({ sighting }) => sighting.shown, known),
    ...[certain, wrong, worst, strangers],
    Math.max(0, ...fooled),
    share(isSure, alike),
    areaUnderCurve(likely(known), likely(unknown)),
  ];
}
