/** Draws a QR code with the characters of a terminal; one character has two modules, one above the other. */
import { styleText } from 'node:util';
import { encodeQR } from 'qr';

/** Light modules around the code: half of what ISO/IEC 18004 requires, which suffices on a screen. */
const QUIET_MODULES = 2;

/** Characters that draw no half, the lower half, the upper half, and both. */
const HALVES = ' ▄▀█';
const cell = (above: boolean, below: boolean): string => HALVES.charAt(2 * Number(above) + Number(below));

/**
 * The lines of a code, all of one width. With colours it is black on white. Without colours the light modules are
 * drawn, because terminals write light on dark.
 */
export function qrLines(payload: string, { colours }: { readonly colours: boolean }): string[] {
  const rows = encodeQR(payload, 'raw', { ecc: 'low', border: QUIET_MODULES });
  const isDrawn = (module: boolean | undefined): boolean => (module === true) === colours;
  const lines: string[] = [];
  for (let y = 0; y < rows.length; y += 2) {
    const cells = (rows[y] ?? []).map((module, x) => cell(isDrawn(module), isDrawn(rows[y + 1]?.[x])));
    lines.push(
      colours ? styleText(['black', 'bgWhiteBright'], cells.join(''), { validateStream: false }) : cells.join(''),
    );
  }
  return lines;
}
