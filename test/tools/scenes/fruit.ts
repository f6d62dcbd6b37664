/** Fruit and vegetables, seen from above. */
import { apart, type Brush, type Colour, type Drawing, hsl, round, UP } from './brush.ts';

const circle = (radius: number) => () => radius;
const ellipse = (x: number, y: number) => (angle: number) =>
  (x * y) / Math.hypot(y * Math.cos(angle), x * Math.sin(angle));
/** A round body with a neck upwards. */
const necked = (body: number, neck: number, width: number) => (angle: number) =>
  body + neck * Math.exp(-((apart(angle, UP) / width) ** 2));

const stem = (length: number, width: number, colour = '#5b4023') =>
  `<path d="M0 0Q${round(length * 0.3)} ${round(-length * 0.5)} ${round(length * 0.15)} ${-length}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`;

/** The hollow that a stem stands in. */
function hollow(brush: Brush, colour: Colour, radius: number): string {
  const id = brush.id();
  return `<defs><radialGradient id="${id}"><stop offset="0" stop-color="${hsl(colour, -30)}"/><stop offset="0.5" stop-color="${hsl(colour, -16)}" stop-opacity="0.7"/><stop offset="1" stop-color="${hsl(colour)}" stop-opacity="0"/></radialGradient></defs><ellipse rx="${radius}" ry="${round(radius * 0.8)}" fill="url(#${id})"/>`;
}

function star(points: number, outer: number, inner: number, fill: string): string {
  const path = Array.from({ length: points * 2 }, (_, index) => {
    const angle = (index / (points * 2)) * 2 * Math.PI;
    const radius = index % 2 === 0 ? outer : inner;
    return `${round(radius * Math.cos(angle))} ${round(radius * Math.sin(angle))}`;
  });
  return `<path d="M${path.join('L')}Z" fill="${fill}" stroke="${fill}" stroke-width="3" stroke-linejoin="round"/>`;
}

function apple(brush: Brush, skin: Colour, blush: Colour | null): Drawing {
  const outline = brush.outline((angle) => 116 * (1 + 0.012 * Math.cos(5 * angle)));
  const streaks = blush
    ? brush.strewn(outline, 120, { x: 112, y: 112 }, (x, y) => {
        const [dx, dy] = [x * 0.3, y * 0.3];
        return `<path d="M${x} ${y}l${round(dx)} ${round(dy)}" stroke="${hsl(blush)}" stroke-opacity="0.2" stroke-width="6" stroke-linecap="round"/>`;
      })
    : brush.strewn(
        outline,
        70,
        { x: 115, y: 115 },
        (x, y) => `<circle cx="${x}" cy="${y}" r="1.4" fill="#f4f7c0" fill-opacity="0.6"/>`,
      );
  const picture = brush.round(outline, skin, { radius: 116, gloss: 0.5 }) + streaks;
  const dip = `<g transform="translate(${round(brush.random.between(-22, 22))} ${round(brush.random.between(-22, 22))})">${hollow(brush, skin, 38)}${stem(34, 7)}</g>`;
  return { outline, picture: picture + dip };
}

function orange(brush: Brush): Drawing {
  const skin = brush.colour(28, 92, 52);
  const outline = brush.outline(circle(118));
  const pores = brush.strewn(
    outline,
    260,
    { x: 118, y: 118 },
    (x, y) => `<circle cx="${x}" cy="${y}" r="1.9" fill="${hsl(skin, -12)}" fill-opacity="0.55"/>`,
  );
  const navel = `<g transform="translate(${round(brush.random.between(-50, 50))} ${round(brush.random.between(-50, 50))})">${hollow(brush, skin, 20)}${star(5, 10, 5, '#6f7d2c')}</g>`;
  return { outline, picture: brush.round(outline, skin, { radius: 118, gloss: 0.4 }) + pores + navel };
}

function lemon(brush: Brush): Drawing {
  const skin = brush.colour(53, 90, 55);
  const body = ellipse(122, 90);
  const tip = (angle: number, towards: number, length: number) =>
    length * Math.exp(-((apart(angle, towards) / 0.2) ** 2));
  const outline = brush.outline((angle) => body(angle) + tip(angle, 0, 26) + tip(angle, Math.PI, 14));
  const pores = brush.strewn(
    outline,
    170,
    { x: 135, y: 90 },
    (x, y) => `<circle cx="${x}" cy="${y}" r="1.8" fill="${hsl(skin, -13)}" fill-opacity="0.5"/>`,
  );
  return {
    outline,
    picture: `${brush.round(outline, skin, { radius: 110, gloss: 0.5 })}${pores}<circle cx="-132" r="6" fill="#7d7a2c"/>`,
  };
}

function tomato(brush: Brush): Drawing {
  const skin = brush.colour(5, 82, 45);
  const outline = brush.outline((angle) => 108 * (1 + 0.02 * Math.cos(5 * angle)));
  const calyx = `<g transform="translate(${round(brush.random.between(-18, 18))} ${round(brush.random.between(-18, 18))}) rotate(${round(brush.random.between(0, 72))})">${hollow(brush, skin, 40)}${star(5, 52, 9, '#3f7a2b')}${stem(22, 9, '#58913a')}</g>`;
  return { outline, picture: brush.round(outline, skin, { radius: 108, gloss: 0.75 }) + calyx };
}

function pear(brush: Brush): Drawing {
  const skin = brush.colour(66, 62, 56);
  const outline = brush.outline(necked(100, 74, 0.6));
  const freckles = brush.strewn(
    outline,
    190,
    { x: 110, y: 175 },
    (x, y) =>
      `<circle cx="${x}" cy="${y}" r="${round(brush.random.between(0.9, 2.2))}" fill="#7a6a25" fill-opacity="0.5"/>`,
  );
  return {
    outline,
    picture: `${brush.round(outline, skin, { radius: 118, gloss: 0.4 })}${freckles}<g transform="translate(0 -170)">${stem(42, 8)}</g>`,
  };
}

function banana(brush: Brush): Drawing {
  const skin = brush.colour(48, 88, 57);
  const outline =
    'M-182 -66Q-196 -58 -188 -40Q-120 92 20 92Q140 92 190 -34L208 -84Q204 -96 188 -92L172 -52Q110 22 10 20Q-110 14 -160 -62Q-170 -74 -182 -66Z';
  const spots = brush.strewn(
    outline,
    brush.random.whole(3, 26),
    { x: 180, y: 90 },
    (x, y) =>
      `<ellipse cx="${x}" cy="${y}" rx="${round(brush.random.between(1.5, 6))}" ry="2.6" fill="#6b4a1c" fill-opacity="0.7"/>`,
  );
  const ridge = `<path d="M-178 -50Q-110 60 16 58Q126 56 186 -48" fill="none" stroke="${hsl(skin, -15)}" stroke-width="5" stroke-opacity="0.8"/><path d="M-160 -40Q-100 38 14 38Q120 36 176 -46" fill="none" stroke="${hsl(skin, 18)}" stroke-width="8" stroke-opacity="0.5"/>`;
  const tips =
    '<path d="M190 -62L206 -90L190 -92Z" fill="#6d5a22" stroke="#6d5a22" stroke-width="8" stroke-linejoin="round"/><circle cx="-181" cy="-55" r="10" fill="#4d3a1d"/>';
  return { outline, picture: brush.round(outline, skin, { radius: 190, gloss: 0 }) + ridge + spots + tips };
}

function kiwi(brush: Brush): Drawing {
  const skin = brush.colour(33, 38, 34);
  const outline = brush.outline(ellipse(102, 80));
  const fuzz = brush.strewn(
    outline,
    420,
    { x: 102, y: 80 },
    (x, y) =>
      `<path d="M${x} ${y}l${round(brush.random.between(-6, 6))} ${round(brush.random.between(-2, 2))}" stroke="${hsl(skin, brush.random.pick([-14, 16]))}" stroke-opacity="0.6" stroke-width="1.3"/>`,
  );
  return {
    outline,
    picture: `${brush.round(outline, skin, { radius: 96, gloss: 0.18 })}${fuzz}<ellipse cx="96" rx="7" ry="10" fill="#3d2b17"/>`,
  };
}

function avocado(brush: Brush): Drawing {
  const skin = brush.colour(100, 34, 21);
  const outline = brush.outline(necked(96, 52, 0.7));
  const bumps = brush.strewn(
    outline,
    330,
    { x: 105, y: 150 },
    (x, y) =>
      `<circle cx="${x}" cy="${y}" r="${round(brush.random.between(1.5, 4))}" fill="${hsl(skin, brush.random.pick([-9, 9]))}" fill-opacity="0.7"/>`,
  );
  return {
    outline,
    picture: `${brush.round(outline, skin, { radius: 112, gloss: 0.35 })}${bumps}<circle cy="-142" r="8" fill="#5d4a26"/>`,
  };
}

function aubergine(brush: Brush): Drawing {
  const skin = brush.colour(283, 42, 20);
  const outline = brush.outline(
    (angle) => necked(88, 112, 0.62)(angle) + 26 * Math.exp(-((apart(angle, UP + Math.PI) / 0.8) ** 2)),
  );
  const cap = `<g transform="translate(0 -176)"><path d="M-46 6Q-30 -34 0 -32Q30 -34 46 6L26 34L14 8L0 42L-14 8L-26 34Z" fill="#5d8a3a" stroke="#47702a" stroke-width="4" stroke-linejoin="round"/><g transform="translate(0 -28)">${stem(40, 15, '#6f9a48')}</g></g>`;
  return { outline, picture: brush.round(outline, skin, { radius: 120, gloss: 0.65 }) + cap };
}

function long(brush: Brush, outline: string, skin: Colour): string {
  const id = brush.id();
  const up = brush.light.y < 0 ? 1 : -1;
  return `<defs><linearGradient id="${id}" x1="0" x2="0" y1="${up > 0 ? 0 : 1}" y2="${up > 0 ? 1 : 0}"><stop offset="0" stop-color="${hsl(skin, -4)}"/><stop offset="0.3" stop-color="${hsl(skin, 16)}"/><stop offset="0.6" stop-color="${hsl(skin)}"/><stop offset="1" stop-color="${hsl(skin, -18)}"/></linearGradient></defs><path d="${outline}" fill="url(#${id})"/>`;
}

function cucumber(brush: Brush): Drawing {
  const skin = brush.colour(112, 45, 27);
  const bend = brush.random.between(-26, 26);
  const outline = `M-225 -8Q-222 -44 -170 -46Q0 ${round(-54 + bend)} 176 -44Q228 -38 230 -4Q230 38 174 46Q0 ${round(54 + bend)} -172 44Q-224 36 -225 -8Z`;
  const stripes = brush.strewn(
    outline,
    16,
    { x: 60, y: 50 },
    (x, y) =>
      `<path d="M${x - 200} ${y}Q0 ${round(y + bend)} ${x + 190} ${y}" stroke="${hsl(skin, 14)}" stroke-opacity="0.35" stroke-width="3" fill="none"/>`,
  );
  const bumps = brush.strewn(
    outline,
    60,
    { x: 215, y: 46 },
    (x, y) => `<circle cx="${x}" cy="${y}" r="2.8" fill="${hsl(skin, 22)}" fill-opacity="0.7"/>`,
  );
  return {
    outline,
    picture: `${long(brush, outline, skin)}${stripes}${bumps}<circle cx="-220" cy="-4" r="9" fill="#a9b56a"/>`,
  };
}

function carrot(brush: Brush): Drawing {
  const skin = brush.colour(23, 86, 52);
  const bend = brush.random.between(-18, 18);
  const outline = `M-150 -46Q-172 0 -150 46Q0 ${round(44 + bend)} 228 ${round(bend + 5)}Q236 ${round(bend)} 228 ${round(bend - 5)}Q0 ${round(-46 + bend)} -150 -46Z`;
  const rings = brush.strewn(
    outline,
    26,
    { x: 200, y: 34 },
    (x, y) =>
      `<path d="M${x} ${y}q4 9 0 ${round(brush.random.between(8, 24))}" stroke="${hsl(skin, -15)}" stroke-opacity="0.6" stroke-width="2.4" fill="none"/>`,
  );
  const leaves = Array.from({ length: 7 }, (_, index) => {
    const side = (index - 3) * 20;
    return `<path d="M-156 ${round(side * 0.25)}Q-200 ${round(side * 0.6)} -${round(brush.random.between(215, 262))} ${side}" fill="none" stroke="${index % 2 ? '#4d8a33' : '#69a544'}" stroke-width="9" stroke-linecap="round"/>`;
  });
  return { outline, picture: leaves.join('') + long(brush, outline, skin) + rings };
}

export const FRUIT = Object.freeze({
  'apple-red': (brush: Brush) => apple(brush, brush.colour(2, 72, 42), brush.colour(38, 80, 58)),
  'apple-green': (brush: Brush) => apple(brush, brush.colour(84, 62, 47), null),
  orange,
  lemon,
  tomato,
  pear,
  banana,
  kiwi,
  avocado,
  aubergine,
  cucumber,
  carrot,
});
