/** Where things lie on a drawn tray: small, at the rim, in shadow and other light, held by a hand, several at once. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Background, isMoving, learnBackground } from '../../firmware/recognition/vision/background.ts';
import { boxOf } from '../../firmware/recognition/vision/cut.ts';
import { trayView, type View } from '../../firmware/recognition/vision/frame.ts';
import { cellsAtRim } from '../../firmware/recognition/vision/regions.ts';
import { type FoundThings, findThings, isSameTray } from '../../firmware/recognition/vision/thing-finder.ts';
import { pick } from '../support.ts';
import { APPLE, CARTON, drawTray, PLUM, type Scene } from './drawn-tray.ts';

const test = suite('where things lie');
const WHOLE = { x: 0, y: 0, width: 1280, height: 720 };

const scene = async (wanted?: Scene): Promise<View> => await trayView(await drawTray(wanted), null);
const learned = (async (): Promise<Background> => learnBackground([await scene(), await scene({ noise: 4 })]))();

async function found(wanted: Scene): Promise<FoundThings & { readonly view: View }> {
  const view = await scene(wanted);
  return { view, ...findThings(view, await learned) };
}

const box = (x: number, y: number, width: number, height: number, colour = '#1f63b0'): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}"/>`;

/** Whether a length is as long as another, within a share of it. */
const isAbout = (value: number, wanted: number, share = 0.1): boolean => Math.abs(value - wanted) <= share * wanted;

const grey = (factor: number) => [factor, factor, factor] as const;

test('an empty tray holds nothing, in any light, a little of another colour, under a weak shadow', async () => {
  for (const scene of [...[0.5, 0.6, 0.75, 1, 1.3, 1.5].map(grey), [1.05, 1, 0.93] as const].map((light) => ({
    light,
  }))) {
    const { things, isSure } = await found(scene);
    assert.equal([things.length, isSure], [0, true], `light ${scene.light}`);
  }
  assert.equal((await found({ shade: 0.12 })).things, []);
});

test('any thing is found, small or large, in any light', async () => {
  for (const things of [PLUM, APPLE, CARTON])
    for (const factor of [0.7, 1, 1.2])
      assert.ok((await found({ things, light: grey(factor) })).things.length > 0, `${things} in ${factor}`);
});

test('a thing is found where it lies, wherever and however large', async () => {
  for (const [x, y, side] of [
    [300, 80, 110],
    [880, 560, 110],
    [560, 280, 160],
    [420, 120, 440],
  ] as const) {
    const { things, view } = await found({ things: box(x, y, side, side) });
    const [thing] = things;
    assert.is(things.length, 1, `at ${x}, ${y}`);
    assert.ok(thing !== undefined && thing.cover === null);
    const place = boxOf(thing, view, WHOLE);
    assert.ok(Math.abs(place.x - x) <= 12 && Math.abs(place.y - y) <= 12, `${JSON.stringify(place)} for ${x}, ${y}`);
    assert.ok(isAbout(place.width, side, 0.2) && isAbout(place.height, side, 0.2), JSON.stringify(place));
    assert.ok(isAbout(thing.side * 8, side, 0.12), `${thing.side * 8} for ${side}`);
  }
});

test('a thing is as large turned as upright', async () => {
  const sides: number[] = [];
  for (const turn of [0, 20, 45, 70]) {
    const { things } = await found({ things: `<g transform="rotate(${turn} 640 360)">${box(520, 300, 240, 120)}</g>` });
    sides.push(things[0]?.side ?? 0);
  }
  assert.ok(Math.max(...sides) / Math.min(...sides) < 1.06, sides.join());
});

test('a soft shadow is neither a thing nor a part of one', async () => {
  const shadow = '<ellipse cx="700" cy="420" rx="170" ry="120" fill="#000" fill-opacity="0.25"/>';
  const [plain] = (await found({ things: box(560, 300, 160, 160) })).things;
  const [shaded] = (await found({ things: shadow + box(560, 300, 160, 160) })).things;
  assert.ok(plain !== undefined && shaded !== undefined);
  assert.ok(isAbout(shaded.side, plain.side, 0.06), `${shaded.side} beside ${plain.side}`);
});

test('two things are two, also in one shadow; a label of the tray’s colour divides none', async () => {
  const apart = box(340, 240, 200, 200) + box(600, 260, 200, 200, '#b3302a');
  assert.is((await found({ things: apart })).things.length, 2);
  const shadow = '<ellipse cx="580" cy="370" rx="330" ry="200" fill="#000" fill-opacity="0.2"/>';
  assert.is((await found({ things: shadow + apart })).things.length, 2);
  const smaller = box(340, 240, 200, 200) + box(620, 290, 130, 130, '#b3302a');
  assert.is((await found({ things: shadow + smaller })).things.length, 2, 'of less than half the size');
  const part = box(340, 240, 200, 200) + box(620, 290, 70, 70);
  assert.is((await found({ things: shadow + part })).things.length, 1, 'of an eighth: a part of the larger one');
  const ring = box(500, 220, 280, 280) + box(560, 280, 160, 160, '#9a9da0');
  const [labelled] = (await found({ things: ring })).things;
  assert.ok(labelled !== undefined && isAbout(labelled.side * 8, 280, 0.06), `${labelled?.side}`);
});

const disc = (x: number, y: number, radius: number, colour = '#1f63b0'): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`;

test('a smaller thing that touches a larger one is found by itself', async () => {
  for (const radius of [90, 70, 50]) {
    const { things, view } = await found({ things: disc(500, 360, 150) + disc(644 + radius, 400, radius, '#b3302a') });
    assert.is(things.length, 2, `radius ${radius}`);
    const [large, small] = things.map((thing) => boxOf(thing, view, WHOLE));
    assert.ok(large !== undefined && isAbout(large.width, 300, 0.12), `${large?.width} beside ${radius}`);
    assert.ok(small !== undefined && isAbout(small.width, 2 * radius, 0.25), `${small?.width} for ${2 * radius}`);
  }
});

test('what a thing grows out of itself is no thing that touches it', async () => {
  const pear =
    '<path d="M640 130C700 130 690 260 740 330A140 140 0 1 1 540 330C590 260 580 130 640 130Z" fill="#1f63b0"/>';
  const loop = '<ellipse cx="800" cy="360" rx="110" ry="60" fill="none" stroke="#fff" stroke-width="9"/>';
  const stalk = '<path d="M640 360L330 110" stroke="#1f63b0" stroke-width="40"/>';
  for (const things of [pear, loop + disc(560, 360, 140), stalk + disc(640, 360, 140)])
    assert.is((await found({ things })).things.length, 1, things);
});

test('the largest is reported first, and a crumb beside it is none', async () => {
  for (const small of [PLUM, box(300, 100, 90, 90)]) {
    const { things } = await found({ things: small + APPLE });
    assert.is(things.length, 2);
    assert.ok((things[0]?.size ?? 0) > 5 * (things[1]?.size ?? 0));
  }
  assert.is((await found({ things: `${box(300, 100, 24, 24)}${APPLE}` })).things.length, 1);
});

test('what the rim cuts says so', async () => {
  const { things } = await found({ things: box(560, -60, 240, 300) });
  assert.equal(pick(things, 'cover'), ['cut-by-rim']);
});

test('an arm that holds a thing is a hand, and no part of the thing', async () => {
  const apple = box(500, 240, 280, 260);
  for (const arm of [box(580, -20, 120, 330, '#d9a57f'), box(-20, 300, 560, 130, '#8a5a3b')]) {
    const { things } = await found({ things: apple + arm });
    const [thing] = things;
    assert.is(thing?.cover, 'hand');
    assert.ok(thing !== undefined && isAbout(thing.side * 8, 280, 0.15), `${thing?.side}`);
  }
});

test('a string that hangs off a bag makes it no larger and is no hand', async () => {
  const string = '<path d="M640 300Q200 100 640 -40" fill="none" stroke="#fff" stroke-width="9"/>';
  const { things } = await found({ things: string + box(500, 240, 280, 260) });
  assert.is(things.length, 1);
  assert.is(things[0]?.cover, null);
  assert.ok(isAbout((things[0]?.side ?? 0) * 8, 280, 0.12), `${things[0]?.side}`);
});

test('a stalk makes a thing no larger either', async () => {
  const stalk = '<path d="M640 360L330 110" fill="none" stroke="#1f63b0" stroke-width="22"/>';
  const { things } = await found({ things: stalk + box(500, 240, 280, 260) });
  assert.is(things.length, 1);
  assert.ok(isAbout((things[0]?.side ?? 0) * 8, 280, 0.08), `${things[0]?.side}`);
});

test('without a learned tray things on an even ground are found, and none on a busy one', async () => {
  const even = (things: string): Promise<View> => scene({ things: box(0, 0, 1280, 720, '#8f959a') + things });
  const plain = findThings(await even(box(300, 200, 260, 260)), null);
  assert.equal([plain.isSure, plain.things.length], [true, 1]);
  assert.ok(isAbout((plain.things[0]?.side ?? 0) * 8, 260, 0.1), `${plain.things[0]?.side}`);
  assert.is(findThings(await even(box(200, 200, 200, 200) + box(700, 200, 200, 200)), null).things.length, 2);
  const busy = Array.from({ length: 240 }, (_, at) =>
    box((at * 211) % 1280, (at * 97) % 720, 90, 70, `hsl(${(at * 37) % 360},70%,${30 + (at % 5) * 10}%)`),
  ).join('');
  for (const [name, view] of [
    ['nothing', await even('')],
    ['a busy ground', await scene({ things: busy })],
    ['a thing at the rim', await even(box(-10, 200, 260, 260))],
    ['nearly all of the area', await even(box(60, 60, 1160, 600))],
  ] as const)
    assert.is(findThings(view, null).isSure, false, name);
});

test('a box is in whole pixels inside of the area, also where its sides are fractions', async () => {
  const area = { x: 280.4, y: 0.5, width: 890.7460982038805, height: 719.25 };
  const view = await trayView(await drawTray({ things: box(600, -20, 300, 900) }), area);
  const { things } = findThings(view, null);
  for (const thing of [null, ...things]) {
    const found = boxOf(thing, view, area);
    for (const [side, pixels] of Object.entries(found)) assert.ok(Number.isInteger(pixels), `${side} ${pixels}`);
    const { x, y, width, height } = found;
    assert.ok(x >= 280 && y >= 0 && x + width <= 1171 && y + height <= 720, JSON.stringify(found));
  }
  assert.equal(boxOf(null, view, area), { x: 280, y: 1, width: 891, height: 719 });
});

test('the box of a thing in an area of another shape is in the coordinates of the frame', async () => {
  const area = { x: 300, y: 100, width: 500, height: 500 };
  const view = await trayView(await drawTray({ things: APPLE }), area);
  assert.equal([view.width, view.height], [160, 160]);
  const empty = await trayView(await drawTray(), area);
  const [thing] = findThings(view, learnBackground([empty])).things;
  assert.ok(thing !== undefined);
  const { x, y, width, height } = boxOf(thing, view, area);
  assert.ok(Math.abs(x - 520) <= 6 && Math.abs(y - 240) <= 6, `${x}, ${y}`);
  assert.ok(isAbout(width, 240, 0.05) && isAbout(height, 240, 0.05), `${width}, ${height}`);
});

test('views of another area are neither the same nor still', async () => {
  const jpeg = await drawTray({ things: APPLE });
  const [one, other] = [await trayView(jpeg, null), await trayView(jpeg, { x: 300, y: 100, width: 500, height: 500 })];
  assert.equal([isSameTray(one, one), isMoving(one, one)], [true, false]);
  for (const [before, now] of [
    [one, other],
    [other, one],
  ] as const)
    assert.equal([isSameTray(before, now), isMoving(before, now)], [false, true]);
});

test('the rim of a grid is as wide on every side', () => {
  assert.equal(cellsAtRim({ width: 4, height: 3 }, 1), [0, 1, 2, 3, 4, 7, 8, 9, 10, 11]);
  assert.is(cellsAtRim({ width: 9, height: 7 }, 2).length, 9 * 7 - 5 * 3);
});

test('nothing stands out of surroundings of many colours', () => {
  const [width, height] = [160, 90];
  const pixels = new Uint8Array(width * height * 3);
  for (let cell = 0; cell < width * height; cell++) {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    const isThing = x > 60 && x < 100 && y > 30 && y < 60;
    // a ramp without an edge, through more colours than a ground has
    pixels.set(isThing ? [0, 200, 0] : [(x * 250) / width, 0, (y * 250) / height], cell * 3);
  }
  assert.equal(findThings({ width, height, pixels }, null), { things: [], isSure: false });
});

test.run();
