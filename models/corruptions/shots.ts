/** How items lie on the tray and in which light: the rows of the suite, each drawn from a seed. */
import { FRAME_HEIGHT, FRAME_WIDTH } from '../../drivers/camera/contract.ts';
import type { Random } from '../../test/tools/scenes/random.ts';

/** An item on the tray. Pixels of the frame; degrees. */
export interface Placement {
  /** Of its middle. */
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly turn: number;
}

export interface Shot {
  readonly item: Placement;
  /** Another item beside it. */
  readonly second: Placement | null;
  /** Brightness, 1 as the tray was learned. */
  readonly light: number;
  /** Colour temperature of the lamp; the tray was learned at 5,000 K. */
  readonly kelvin: number;
  /** Fingers that cover about a quarter of the item. */
  readonly hand: boolean;
  /** The item in a thin bag. */
  readonly bag: boolean;
  /** Pixels of the frame by which it is out of focus, as a standard deviation. */
  readonly blur: number;
}

/** Fills the height of the tray. */
export const WHOLE_SIDE = 620;
export const LEARNED_KELVIN = 5000;
const MIDDLE = { x: FRAME_WIDTH / 2, y: FRAME_HEIGHT / 2 };
/** From the rims of the frame: nothing lies on the lip of the tray. */
const RIM = { x: 90, y: 60 };

const plain: Shot = Object.freeze({
  item: { ...MIDDLE, side: WHOLE_SIDE, turn: 0 },
  second: null,
  light: 1,
  kelvin: LEARNED_KELVIN,
  hand: false,
  bag: false,
  blur: 0,
});

/** Nobody lays an item down the same way twice. */
function jittered(random: Random): Placement {
  return {
    x: MIDDLE.x + random.between(-15, 15),
    y: MIDDLE.y + random.between(-10, 10),
    side: WHOLE_SIDE * random.between(0.95, 1.03),
    turn: random.between(-6, 6),
  };
}

function inCorner(random: Random, side: number): Placement {
  const [left, top] = [random.pick([true, false]), random.pick([true, false])];
  const [x, y] = [RIM.x + side / 2, RIM.y + side / 2];
  return { x: left ? x : FRAME_WIDTH - x, y: top ? y : FRAME_HEIGHT - y, side, turn: random.between(-6, 6) };
}

/** By a fifth of the frame's sides, towards any side; as large as it may be without touching the rim. */
function shifted(random: Random): Placement {
  const angle = random.between(0, 2 * Math.PI);
  const [x, y] = [MIDDLE.x + 0.2 * FRAME_WIDTH * Math.cos(angle), MIDDLE.y + 0.2 * FRAME_HEIGHT * Math.sin(angle)];
  const room = Math.min(y - RIM.y, FRAME_HEIGHT - RIM.y - y, x - RIM.x, FRAME_WIDTH - RIM.x - x);
  return { x, y, side: Math.min(WHOLE_SIDE, 2 * room), turn: random.between(-6, 6) };
}

const anyTurn = (random: Random): number => random.between(-180, 180);
const anyLight = (random: Random): number => random.between(0.4, 1.6);
const anyBlur = (random: Random): number => random.between(2, 5);
const anyLamp = (random: Random): number => random.between(2700, 7500);

function twoItems(random: Random): Shot {
  const side = random.between(280, 420);
  const gap = random.between(20, 80);
  const [y, turn] = [MIDDLE.y + random.between(-80, 80), random.between(-6, 6)];
  const apart = (side + gap) / 2;
  return {
    ...plain,
    item: { x: MIDDLE.x - apart, y, side, turn },
    second: { x: MIDDLE.x + apart, y: MIDDLE.y + random.between(-80, 80), side, turn: random.between(-6, 6) },
  };
}

/** Row of the table → a shot. The first is what the others are compared with. */
export const ROWS = Object.freeze({
  undisturbed: (random: Random): Shot => ({ ...plain, item: jittered(random) }),
  'shifted by 20 %': (random: Random): Shot => ({ ...plain, item: shifted(random) }),
  'half the size': (random: Random): Shot => ({ ...plain, item: { ...jittered(random), side: WHOLE_SIDE / 2 } }),
  'a third of the size in a corner': (random: Random): Shot => ({ ...plain, item: inCorner(random, WHOLE_SIDE / 3) }),
  turned: (random: Random): Shot => ({ ...plain, item: { ...jittered(random), turn: anyTurn(random) } }),
  'half the light': (random: Random): Shot => ({ ...plain, item: jittered(random), light: 0.5 }),
  'any light': (random: Random): Shot => ({ ...plain, item: jittered(random), light: anyLight(random) }),
  'any lamp': (random: Random): Shot => ({ ...plain, item: jittered(random), kelvin: anyLamp(random) }),
  'a hand over a quarter': (random: Random): Shot => ({ ...plain, item: jittered(random), hand: true }),
  'in a bag': (random: Random): Shot => ({ ...plain, item: jittered(random), bag: true }),
  blurred: (random: Random): Shot => ({ ...plain, item: jittered(random), blur: anyBlur(random) }),
  'all at once': (random: Random): Shot => ({
    item: { ...shifted(random), side: WHOLE_SIDE / 2, turn: anyTurn(random) },
    second: null,
    light: anyLight(random),
    kelvin: anyLamp(random),
    hand: true,
    bag: true,
    blur: 0,
  }),
  'two items': twoItems,
});
export type RowName = keyof typeof ROWS;

export const ROW_NAMES: readonly RowName[] = Object.freeze(Object.keys(ROWS) as RowName[]);

/** An item that covers a share of the frame's area, anywhere on the tray. */
export function smallItem(random: Random, share: number): Shot {
  const side = Math.sqrt(share * FRAME_WIDTH * FRAME_HEIGHT);
  const place = (room: number, rim: number) => random.between(rim + side / 2, room - rim - side / 2);
  return {
    ...plain,
    item: { x: place(FRAME_WIDTH, RIM.x), y: place(FRAME_HEIGHT, RIM.y), side, turn: anyTurn(random) },
  };
}
