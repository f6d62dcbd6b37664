/** What the goods lie on, from above: it fills the frame and is always the same, but for where the light stands. */
import { FRAME_HEIGHT, FRAME_WIDTH } from '../../../drivers/camera/contract.ts';
import { round } from './brush.ts';
import { randomOf } from './random.ts';

export type Tray = 'steel' | 'rubber' | 'white' | 'wood';

/** Those that drawn scenes lie on where none is named. */
export const TRAYS: readonly [Tray, ...Tray[]] = Object.freeze(['steel', 'rubber', 'white']);

/** [light, middle, dark, lip, around the tray] */
const COLOURS: Readonly<Record<Tray, readonly [string, string, string, string, string]>> = {
  steel: ['#d3d7da', '#b4b9bd', '#8f959a', '#e4e7e9', '#2c2f33'],
  rubber: ['#4a4d50', '#383b3e', '#27292b', '#5c6064', '#1a1b1d'],
  white: ['#f3f1ea', '#e3e0d7', '#c9c5ba', '#ffffff', '#3a3c40'],
  wood: ['#c79a63', '#b0824c', '#8a6236', '#d8b17c', '#2b2119'],
};

/** How many lines run along it, how dark, how far apart they bend. */
const LINES: Readonly<Record<Exclude<Tray, 'rubber'>, readonly [count: number, opacity: number, bend: number]>> = {
  steel: [220, 0.1, 0],
  white: [26, 0.05, 0],
  wood: [160, 0.16, 9],
};

/** Fine lines of brushed metal, dimples of a mat, faint wear of plastic, grain of wood. */
function texture(tray: Tray): string {
  const random = randomOf('tray', tray);
  if (tray === 'rubber') {
    return '<defs><pattern id="dimples" width="34" height="34" patternUnits="userSpaceOnUse"><circle cx="17" cy="17" r="6" fill="#000" fill-opacity="0.22"/><circle cx="16" cy="16" r="4" fill="#fff" fill-opacity="0.05"/></pattern></defs><rect x="60" y="40" width="1160" height="640" rx="36" fill="url(#dimples)"/>';
  }
  const [count, opacity, bend] = LINES[tray];
  const lines = Array.from({ length: count }, () => {
    const [x, y] = [random.between(60, 900), random.between(46, 674)];
    const tone = random.pick(['#fff', '#000']);
    const length = random.between(80, 1180 - x);
    const line =
      bend === 0
        ? `h${round(length)}`
        : `q${round(length / 2)} ${round(random.between(-bend, bend))} ${round(length)} 0`;
    return `<path d="M${round(x)} ${round(y)}${line}" fill="none" stroke="${tone}" stroke-opacity="${opacity}" stroke-width="${round(random.between(0.6, 1.8))}"/>`;
  });
  return lines.join('');
}

export function drawTray(tray: Tray, lightAngle: number): string {
  const [light, middle, dark, lip, around] = COLOURS[tray];
  const [x, y] = [0.5 + 0.4 * Math.cos(lightAngle), 0.5 + 0.4 * Math.sin(lightAngle)];
  return `<defs><radialGradient id="tray" cx="${round(x)}" cy="${round(y)}" r="0.95"><stop offset="0" stop-color="${light}"/><stop offset="0.5" stop-color="${middle}"/><stop offset="1" stop-color="${dark}"/></radialGradient></defs>
  <rect width="${FRAME_WIDTH}" height="${FRAME_HEIGHT}" fill="${around}"/>
  <rect x="48" y="28" width="1184" height="664" rx="44" fill="${lip}"/>
  <rect x="60" y="40" width="1160" height="640" rx="36" fill="url(#tray)"/>${texture(tray)}
  <rect x="62" y="42" width="1156" height="636" rx="34" fill="none" stroke="#000" stroke-opacity="0.25" stroke-width="6"/>`;
}
