/** Cartons, boxes and cups, seen from above. The brands are ours. */
import { type Brush, type Colour, type Drawing, hsl, lettering, round } from './brush.ts';

interface Box {
  readonly width: number;
  readonly height: number;
  /** How much of the side away from the light is seen. */
  readonly depth: number;
}

const rectangle = (width: number, height: number) => `M${-width / 2} ${-height / 2}h${width}v${height}h${-width}Z`;

/** A box lying flat: its face, and below it the strip of the side that the camera sees. */
function box(brush: Brush, size: Box, face: Colour, print: string): Drawing {
  const { width, height, depth } = size;
  const [shade, clip] = [brush.id(), brush.id()];
  const right = brush.light.x < 0;
  const below = brush.light.y < 0;
  const [dx, dy] = [right ? depth : -depth, below ? depth : -depth];
  const [x, y] = [(right ? 1 : -1) * (width / 2), (below ? 1 : -1) * (height / 2)];
  const sides = `<path d="M${x} ${-height / 2}l${dx} ${dy}v${height}l${-dx} ${-dy}Z" fill="${hsl(face, -24)}"/><path d="M${-width / 2} ${y}l${dx} ${dy}h${width}l${-dx} ${-dy}Z" fill="${hsl(face, -32)}"/>`;
  const outline = rectangle(width, height);
  const gradient = `<defs><linearGradient id="${shade}" x1="${right ? 0 : 1}" x2="${right ? 1 : 0}" y1="${below ? 0 : 1}" y2="${below ? 1 : 0}"><stop offset="0" stop-color="#fff" stop-opacity="0.24"/><stop offset="0.5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.22"/></linearGradient><clipPath id="${clip}"><path d="${outline}"/></clipPath></defs>`;
  const front = `<path d="${outline}" fill="${hsl(face)}"/><g clip-path="url(#${clip})">${print}</g><path d="${outline}" fill="url(#${shade})" stroke="${hsl(face, -20)}" stroke-opacity="0.6" stroke-width="2"/>`;
  const whole = `${outline}M${x} ${-height / 2}l${dx} ${dy}v${height}l${-dx} ${-dy}ZM${-width / 2} ${y}l${dx} ${dy}h${width}l${-dx} ${-dy}Z`;
  return { outline: whole, picture: gradient + sides + front };
}

const barcode = (brush: Brush, x: number, y: number, width: number, height: number): string => {
  const bars: string[] = [];
  for (let at = 5; at < width - 6; ) {
    const bar = brush.random.whole(1, 4);
    bars.push(`<rect x="${x + at}" y="${y + 5}" width="${bar}" height="${height - 10}"/>`);
    at += bar + brush.random.whole(2, 4);
  }
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#fff"/><g fill="#222">${bars.join('')}</g>`;
};

function milk(brush: Brush): Drawing {
  const spots = [
    [-60, 96, 30],
    [32, 118, 44],
    [74, 62, 22],
    [-22, 150, 26],
    [-84, 142, 20],
  ]
    .map(([x, y, r]) => `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${round((r ?? 0) * 0.7)}" fill="#26303a"/>`)
    .join('');
  const print = `${spots}<rect x="-105" y="-180" width="210" height="74" fill="#2a63b8"/><rect x="-105" y="-180" width="210" height="22" fill="#1d4a90"/><path d="M-105 -106Q0 -60 105 -106V-40Q0 6 -105 -40Z" fill="#3f82d8"/><g transform="translate(0 22)">${lettering('MILK', 46, '#17396e')}</g><rect x="-105" y="166" width="210" height="14" fill="#2a63b8"/>`;
  return box(brush, { width: 210, height: 360, depth: 26 }, brush.colour(210, 12, 93), print);
}

function juice(brush: Brush): Drawing {
  const segments = Array.from(
    { length: 8 },
    (_, index) => `<path transform="rotate(${index * 45})" d="M0 -8L20 -54Q0 -68 -20 -54Z" fill="#ffb02e"/>`,
  ).join('');
  const slice = `<g transform="translate(0 66)"><circle r="80" fill="#f07d12"/><circle r="70" fill="#fff0cf"/>${segments}</g>`;
  const print = `${slice}<rect x="-95" y="-175" width="190" height="58" fill="#2f8a3c"/><circle cx="44" cy="-146" r="20" fill="#f4f4ec"/><circle cx="44" cy="-146" r="14" fill="#d9d9cf"/><g transform="translate(0 -62)">${lettering('JUICE', 44, '#ffffff')}</g><path d="M20 -22Q64 -44 84 -8Q44 8 20 -22Z" fill="#37993f"/>`;
  return box(brush, { width: 190, height: 350, depth: 28 }, brush.colour(30, 88, 55), print);
}

function tea(brush: Brush): Drawing {
  const leaf =
    '<path d="M-92 48Q-60 -34 18 -30Q2 44 -92 48ZM-92 48Q-50 6 6 -22" fill="#b9d98a" stroke="#5d8f3c" stroke-width="4"/>';
  const print = `<rect x="-150" y="-95" width="300" height="26" fill="#e3bb3f"/><rect x="-150" y="74" width="300" height="21" fill="#e3bb3f"/><g transform="translate(-40 12)">${leaf}</g><g transform="translate(64 -8)">${lettering('TEA', 58, '#f6f0d2')}</g>${barcode(brush, 62, 38, 76, 30)}`;
  return box(brush, { width: 300, height: 190, depth: 34 }, brush.colour(142, 46, 27), print);
}

function rice(brush: Brush): Drawing {
  const grains = Array.from(
    { length: 60 },
    () =>
      `<ellipse cx="${round(brush.random.between(-64, 64))}" cy="${round(brush.random.between(44, 112))}" rx="8" ry="2.8" fill="#fdfaf0" stroke="#cdbf9f" transform="rotate(${round(brush.random.between(-9, 9))})"/>`,
  ).join('');
  const print = `<rect x="-120" y="-160" width="240" height="40" fill="#7c1020"/><g transform="translate(0 -66)">${lettering('RICE', 62, '#fff4dc')}</g><ellipse cy="78" rx="88" ry="56" fill="#7c1020"/><ellipse cy="78" rx="78" ry="47" fill="#e8dcc0"/>${grains}<rect x="-120" y="148" width="240" height="12" fill="#e3bb3f"/>`;
  return box(brush, { width: 240, height: 320, depth: 40 }, brush.colour(352, 68, 41), print);
}

function yogurt(brush: Brush): Drawing {
  const foil = brush.colour(336, 52, 82);
  const outline = `${brush.outline(() => 118, 0.004)}M96 -70L142 -84L126 -34Z`;
  const seeds = brush.strewn(
    'M0 62Q-58 18 -44 -22Q-22 -40 0 -24Q22 -40 44 -22Q58 18 0 62Z',
    22,
    { x: 42, y: 50 },
    (x, y) => `<ellipse cx="${x}" cy="${y}" rx="2" ry="3.4" fill="#ffe08a"/>`,
  );
  const berry = `<g transform="translate(0 32) scale(0.9)"><path d="M0 62Q-58 18 -44 -22Q-22 -40 0 -24Q22 -40 44 -22Q58 18 0 62Z" fill="#d3202f"/>${seeds}<path d="M-34 -28L0 -16L34 -28L12 -34L0 -52L-12 -34Z" fill="#3d8a34"/></g>`;
  const rim =
    '<circle r="110" fill="none" stroke="#fff" stroke-opacity="0.6" stroke-width="5"/><circle r="117" fill="none" stroke="#8a4a62" stroke-opacity="0.5" stroke-width="3"/>';
  return {
    outline,
    picture: `${brush.round(outline, foil, { radius: 150, gloss: 0.5 })}${rim}<g transform="translate(0 -52)">${lettering('YOGURT', 29, '#8c1c4b')}</g>${berry}`,
  };
}

export const PACKAGES = Object.freeze({
  'milk-carton': milk,
  'juice-carton': juice,
  'tea-box': tea,
  'rice-box': rice,
  'yogurt-cup': yogurt,
});
