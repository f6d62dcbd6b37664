/**
 * A new token as a code that a till's camera, or a phone, reads. It is drawn here and not by the device: an answer that had
 * the drawing would hold the token where it is not masked.
 */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { late } from '../late.js';

/** The light margin that ISO/IEC 18004 asks for, in modules on each side. */
const QUIET_MODULES = 4;

/** One path of the dark modules. @param {boolean[][]} rows */
const pathOf = (rows) =>
  rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');

/** @param {{token: string}} properties */
export function TokenCode({ token }) {
  const { t } = useWords();
  const [drawn, setDrawn] = useState(/** @type {{size: number, path: string} | null} */ (null));
  useEffect(() => {
    let isGone = false;
    // most who open this page make no token
    void late(() => import('/console/assets/qr.js')).then(({ encodeQR }) => {
      const rows = encodeQR(token, 'raw', { ecc: 'medium', border: QUIET_MODULES });
      if (!isGone) setDrawn({ size: rows.length, path: pathOf(rows) });
    });
    return () => {
      isGone = true;
    };
  }, [token]);
  if (drawn === null) return null;
  const { size, path } = drawn;
  return html`<svg class="token-code" role="img" aria-label=${t('device.tokenCode')} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
    <rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" />
  </svg>`;
}
