/** A QR code as vector graphics, for the pages of the device. */
import { encodeQR } from 'qr';

/** The light margin that ISO/IEC 18004 requires, in modules on each side. */
export const QUIET_MODULES = 4;
/** `qr` refuses a border of 0. */
const LIBRARY_BORDER = 1;

interface QrPath {
  /** Modules on a side, the quiet zone included: the side of the view box. */
  readonly size: number;
  /** The `d` of one SVG path that fills the dark modules, one unit each. */
  readonly path: string;
}

/** Encodes with error correction M, as our previews do, in the smallest version that holds the payload. */
export function qrPath(payload: string): QrPath {
  const rows = encodeQR(payload, 'raw', { ecc: 'medium', border: LIBRARY_BORDER }).slice(
    LIBRARY_BORDER,
    -LIBRARY_BORDER,
  );
  const parts: string[] = [];
  for (const [y, row] of rows.entries()) {
    const modules = row.slice(LIBRARY_BORDER, -LIBRARY_BORDER);
    for (let x = 0; x < modules.length; x += 1) {
      const start = x;
      while (modules[x]) x += 1;
      const length = x - start;
      if (length > 0) parts.push(`M${start + QUIET_MODULES} ${y + QUIET_MODULES}h${length}v1h-${length}z`);
    }
  }
  return { size: rows.length + 2 * QUIET_MODULES, path: parts.join('') };
}
