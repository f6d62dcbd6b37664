import jsQR from 'jsqr';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { QUIET_MODULES, qrPath } from '../../../drivers/display/qr-svg.ts';
import { PAYLOADS } from './support.ts';

const screens = suite('codes on a page');

screens('the code has a quiet zone of four light modules all around', () => {
  const { size, path } = qrPath('https://example.org/');
  const rows = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].map(([, x, y, length]) => [x, y, length].map(Number));
  assert.ok(rows.length > 0);
  const lefts = rows.map(([x = 0]) => x);
  const rights = rows.map(([x = 0, , length = 0]) => x + length);
  const tops = rows.map(([, y = 0]) => y);
  assert.is(Math.min(...lefts, ...tops), QUIET_MODULES);
  assert.is(Math.max(...rights, ...tops.map((y) => y + 1)), size - QUIET_MODULES);
});

screens('the drawing is made of numbers only, for any payload', () => {
  assert.match(qrPath('"><script>alert(1)</script>').path, /^(M\d+ \d+h\d+v1h-\d+z)+$/);
});

/** As the pages draw it: dark modules on a light ground. */
function drawn(payload: string): Buffer {
  const { size, path } = qrPath(payload);
  const ground = `<path fill="#fff" d="M0 0h${size}v${size}H0z"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">${ground}<path d="${path}"/></svg>`,
  );
}

screens('a customer with an old phone reads it: dark on light, no inversion needed', async () => {
  for (const payload of PAYLOADS) {
    const png = sharp(drawn(payload)).resize(1_000, 1_000, { kernel: 'nearest' });
    const { data, info } = await png.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixels = new Uint8ClampedArray(data);
    const code = jsQR.default(pixels, info.width, info.height, { inversionAttempts: 'dontInvert' });
    assert.is(code && Buffer.from(code.binaryData).toString('utf8'), payload);
  }
});

screens.run();
