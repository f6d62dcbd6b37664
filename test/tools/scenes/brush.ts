/**
 * What all drawn things share: outlines, shading by one light, texture, lettering. Everything is SVG text in a thing's
 * own coordinates, its middle at 0 0. Letters are strokes of ours: fonts differ from machine to machine.
 */
import type { Random } from './random.ts';

export interface Colour {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

/** What a thing looks like: its outline alone (for the shadow and for cutting texture), and its picture. */
export interface Drawing {
  readonly outline: string;
  readonly picture: string;
}

export class Brush {
  readonly random: Random;
  /** Where the light comes from, as a unit vector in the thing's own coordinates. */
  readonly light: { readonly x: number; readonly y: number };
  readonly #prefix: string;
  #ids = 0;

  /** @param prefix keeps the ids of one thing apart from those of another in the same picture */
  constructor(random: Random, lightAngle: number, prefix: string) {
    this.random = random;
    this.light = { x: Math.cos(lightAngle), y: Math.sin(lightAngle) };
    this.#prefix = prefix;
  }

  id(): string {
    this.#ids++;
    return `${this.#prefix}${this.#ids}`;
  }

  colour(hue: number, saturation: number, lightness: number): Colour {
    const { random } = this;
    return {
      hue: hue + random.between(-4, 4),
      saturation: saturation + random.between(-6, 6),
      lightness: lightness + random.between(-3, 3),
    };
  }

  /** A closed, smooth, slightly uneven outline around 0 0. */
  outline(radius: (angle: number) => number, unevenness = 0.015): string {
    const { random } = this;
    const phases = [random.between(0, 6.3), random.between(0, 6.3)] as const;
    const points = Array.from({ length: 48 }, (_, index) => {
      const angle = (index / 48) * 2 * Math.PI;
      const wobble = Math.sin(2 * angle + phases[0]) + 0.6 * Math.sin(3 * angle + phases[1]);
      const length = radius(angle) * (1 + unevenness * wobble);
      return `${round(length * Math.cos(angle))} ${round(length * Math.sin(angle))}`;
    });
    return `M${points.join('L')}Z`;
  }

  /** A rounded body: bright towards the light, dark at the far rim, with a soft gloss. */
  round(path: string, colour: Colour, size: { radius: number; gloss: number }): string {
    const { x, y } = this.light;
    const { radius, gloss } = size;
    const [body, shine] = [this.id(), this.id()];
    const spot = radius * 0.42;
    return `<defs>
      <radialGradient id="${body}" gradientUnits="userSpaceOnUse" cx="${round(x * spot)}" cy="${round(y * spot)}" r="${round(radius * 1.5)}">
        <stop offset="0" stop-color="${hsl(colour, 13)}"/><stop offset="0.45" stop-color="${hsl(colour)}"/>
        <stop offset="0.8" stop-color="${hsl(colour, -14)}"/><stop offset="1" stop-color="${hsl(colour, -26)}"/>
      </radialGradient>
      <radialGradient id="${shine}"><stop offset="0" stop-color="#fff" stop-opacity="${gloss}"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
    </defs><path d="${path}" fill="url(#${body})"/>
    <circle cx="${round(x * spot * 1.1)}" cy="${round(y * spot * 1.1)}" r="${round(radius * 0.38)}" fill="url(#${shine})"/>`;
  }

  /** Small marks strewn over a shape, cut at its outline. */
  strewn(path: string, count: number, reach: { x: number; y: number }, mark: (x: number, y: number) => string): string {
    const clip = this.id();
    const marks = Array.from({ length: count }, () =>
      mark(round(this.random.between(-reach.x, reach.x)), round(this.random.between(-reach.y, reach.y))),
    );
    return `<clipPath id="${clip}"><path d="${path}"/></clipPath><g clip-path="url(#${clip})">${marks.join('')}</g>`;
  }
}

export const round = (value: number): number => Math.round(value * 10) / 10;

export function hsl(colour: Colour, lighter = 0): string {
  const within = (value: number) => round(Math.min(100, Math.max(0, value)));
  return `hsl(${round((colour.hue + 360) % 360)},${within(colour.saturation)}%,${within(colour.lightness + lighter)}%)`;
}

/** How far `angle` is from `towards`, 0 to pi. */
export function apart(angle: number, towards: number): number {
  const turn = Math.abs(angle - towards) % (2 * Math.PI);
  return Math.min(turn, 2 * Math.PI - turn);
}

export const UP = 1.5 * Math.PI;

/** Strokes on a grid 4 wide and 6 high. */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'M0 6L2 0L4 6M0.8 4H3.2',
  C: 'M4 1Q3 0 2 0Q0 0 0 3Q0 6 2 6Q3 6 4 5',
  E: 'M4 0H0V6H4M0 3H3',
  G: 'M4 1Q3 0 2 0Q0 0 0 3Q0 6 2 6Q4 6 4 3.4H2.4',
  I: 'M2 0V6',
  J: 'M3.4 0V4Q3.4 6 1.7 6Q0 6 0 4.4',
  K: 'M0 0V6M4 0L0 3.4L4 6',
  L: 'M0 0V6H3.8',
  M: 'M0 6V0L2 3.4L4 0V6',
  O: 'M2 0Q0 0 0 3Q0 6 2 6Q4 6 4 3Q4 0 2 0Z',
  R: 'M0 6V0H2.4Q4 0 4 1.6Q4 3.2 2.4 3.2H0M2 3.2L4 6',
  T: 'M0 0H4M2 0V6',
  U: 'M0 0V4Q0 6 2 6Q4 6 4 4V0',
  Y: 'M0 0L2 3L4 0M2 3V6',
};

/** A word around 0 0, `height` high. */
export function lettering(word: string, height: number, colour: string): string {
  const unit = height / 6;
  const advance = 5.6;
  const left = -((word.length - 1) * advance + 4) / 2;
  const strokes = [...word].map(
    (letter, index) =>
      `<path transform="translate(${round(left + index * advance)} -3)" d="${LETTERS[letter] ?? ''}"/>`,
  );
  return `<g transform="scale(${round(unit * 10) / 10})" fill="none" stroke="${colour}" stroke-width="1.1" stroke-linecap="round" stroke-linejoin="round">${strokes.join('')}</g>`;
}
