/** What a scale adds: each query lies on it as some pieces, drawn around a published weight, and the answer is doubted by their sum. */
import type { Speed } from '../../firmware/core/config/choices.ts';
import { byWeight } from '../../firmware/recognition/matching/by-weight.ts';
import { type Random, randomOf } from '../../test/tools/scenes/random.ts';
import { ask, enrol, type FoldItems, type Tally } from './trial.ts';
import { plainItems } from './views.ts';

type Grams = ReadonlyMap<string, number>;
const gramsIn = (text: string): Grams =>
  new Map(text.split(',').map((entry) => [entry.trim().split(' ')[0] ?? '', Number(entry.trim().split(' ')[1])]));

/** Of a medium piece: USDA FoodData Central, SR Legacy; of melons, papaya and the largest vegetables a whole one. */
const LOOSE =
  gramsIn(`Granny-Smith 167, Pink-Lady 182, Royal-Gala 172, Conference 178, Peach 150, Plum 66, Kiwi 69, Lemon 84, Lime 67, Orange 131,
  Satsumas 88, Red-Grapefruit 246, Avocado 201, Papaya 500, Cantaloupe 1080, Honeydew-Melon 1350, Watermelon 4518, Cucumber 301, Zucchini 196,
  Carrots 61, Green-Bell-Pepper 119, Orange-Bell-Pepper 186, Regular-Tomato 123, Vine-Tomato 91, Asparagus 16, Solid-Potato 213,
  Sweet-Potato 130, Red-Beet 82, Brown-Cap-Mushroom 20`);
/** As printed, with the carton: a litre of milk or juice, a kilogram of yoghurt. */
const CARTONS =
  gramsIn(`Arla-Ecological-Medium-Fat-Milk 1065, Arla-Lactose-Medium-Fat-Milk 1065, Arla-Standard-Milk 1065, Oatly-Oat-Milk 1065,
  Garant-Ecological-Medium-Fat-Milk 1065, Garant-Ecological-Standard-Milk 1065, Bravo-Apple-Juice 1080, Bravo-Orange-Juice 1080,
  God-Morgon-Red-Grapefruit-Juice 1080, Tropicana-Apple-Juice 1080, Tropicana-Golden-Grapefruit 1080, Tropicana-Juice-Smooth 1080,
  Tropicana-Mandarin-Morning 1080, Arla-Mild-Vanilla-Yoghurt 1030, Arla-Natural-Mild-Low-Fat-Yoghurt 1030, Oatly-Natural-Oatghurt 1030,
  Valio-Vanilla-Yoghurt 1030, Yoggi-Strawberry-Yoghurt 1030, Yoggi-Vanilla-Yoghurt 1030, Alpro-Vanilla-Soyghurt 518,
  Arla-Ecological-Sour-Cream 312`);
const ALL: Grams = new Map([...LOOSE, ...CARTONS]);
/** What a shop has said of a piece of its items. */
export const SAID = Object.freeze({ nothing: gramsIn(''), cartons: CARTONS, all: ALL });

/** Standard deviations of a piece, as shares. */
const CARTON_SPREAD = 0.015;
/** Of these one piece is bought, seldom two. */
const HEAVY_GRAMS = 300;
/** Of these a handful. */
const LIGHT_GRAMS = 25;

function piecesOf(grams: number, random: Random): number {
  if (grams >= HEAVY_GRAMS) return random.whole(1, 7) === 1 ? 2 : 1;
  return grams < LIGHT_GRAMS ? random.whole(8, 20) : random.whole(1, 6);
}

/** Nearly of a normal distribution. */
const normal = (random: Random): number =>
  Array.from({ length: 12 }, () => random.between(-0.5, 0.5)).reduce((sum, one) => sum + one, 0);

/** Grams of some pieces; null of what has no published weight. @param spread of a loose piece */
export function weightOf(item: string, spread: number, random: Random): number | null {
  const grams = ALL.get(item);
  if (grams === undefined) return null;
  const share = CARTONS.has(item) ? CARTON_SPREAD : spread;
  const pieces = Array.from({ length: piecesOf(grams, random) }, () => grams * (1 + share * normal(random)));
  return Math.max(1, Math.round(pieces.reduce((sum, one) => sum + one, 0)));
}

export interface Weighed {
  readonly said: Grams;
  /** Templates of an item. */
  readonly count: number;
  readonly spread: number;
}

export function weighedItems(fold: FoldItems, { said, count, spread }: Weighed, seed: number, speed: Speed): Tally {
  const trial = plainItems(fold, count, seed);
  const random = randomOf('weighed', seed);
  return ask(enrol(trial), trial, speed, (item) => {
    const grams = weightOf(item, spread, random);
    return grams === null ? null : byWeight(grams, (id) => said.get(id) ?? null);
  });
}
