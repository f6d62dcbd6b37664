/** The colours of the console, in light and dark: each pair of `firmware/core/pages/README.md` is far enough apart to be read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';

const test = suite('contrast of the console');

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const LEAST_OF_LETTERS = 4.5;
const LEAST_OF_OUTLINES = 3;

const css = readFileSync(join(ROOT, 'firmware/core/pages/css/base.css'), 'utf8');
const guide = readFileSync(join(ROOT, 'firmware/core/pages/README.md'), 'utf8');

type Colours = ReadonlyMap<string, string>;

function schemes(): { light: Colours; dark: Colours } {
  const [light, dark] = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) =>
    [...block.matchAll(/--([a-z-]+): #([0-9a-f]+);/g)].map(([, name = '', hex = '']): [string, string] => [name, hex]),
  );
  if (light === undefined || dark === undefined) throw new Error('base.css has no two schemes');
  return { light: new Map(light), dark: new Map([...light, ...dark]) };
}

/** Relative luminance, as WCAG defines it. */
function luminance(hex: string): number {
  const six = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(six.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(colours: Colours, one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other]
    .map((name) => {
      const hex = colours.get(name);
      assert.ok(hex, `base.css has --${name}`);
      return luminance(hex);
    })
    .toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

interface Pair {
  readonly colour: string;
  readonly ground: string;
  readonly isOutline: boolean;
}

/** Of the table: `colour` | `ground`, `ground` */
const pairs = (): Pair[] =>
  [...guide.matchAll(/^\| `([a-z-]+)`( \((?:outline|ring)\))? \| (.+) \|$/gm)].flatMap(
    ([, colour = '', how, grounds = '']) =>
      [...grounds.matchAll(/`([a-z-]+)`/g)].map(([, ground = '']) => ({
        colour,
        ground,
        isOutline: how !== undefined,
      })),
  );

test('the colours of each pair of the guide are far enough apart', () => {
  const { light, dark } = schemes();
  const found = pairs();
  assert.ok(found.length > 20, String(found.length));
  for (const { colour, ground, isOutline } of found)
    for (const colours of [light, dark])
      assert.ok(
        contrast(colours, colour, ground) >= (isOutline ? LEAST_OF_OUTLINES : LEAST_OF_LETTERS),
        `${colour} on ${ground}`,
      );
});

test('the guide names every colour', () => {
  const { light } = schemes();
  const named = new Set(pairs().flatMap(({ colour, ground }) => [colour, ground]));
  const unnamed = [...light.keys()].filter((name) => !named.has(name) && name !== 'line');
  assert.equal(unnamed, []);
});

test.run();
