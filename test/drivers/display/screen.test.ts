import jsQR from 'jsqr';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAR, type Picture } from '../../../drivers/display/contract.ts';
import { QUIET_MODULES, qrPath, renderQrSvg } from '../../../drivers/display/qr-svg.ts';
import { ScreenDisplay } from '../../../drivers/display/screen.ts';
import { PAYLOADS, qr } from './support.ts';

const screens = suite('screen display');

screens('every viewer is told every picture, with the amount and the purpose', async () => {
  const screen = new ScreenDisplay({ current: () => CLEAR });
  const seen: Picture[][] = [[], []];
  for (const pictures of seen) screen.subscribe((picture) => pictures.push(picture));
  const picture: Picture = { kind: 'qr', payload: 'x', amount: 30_510, purpose: 'Кофе' };
  await screen.show(picture);
  await screen.show(CLEAR);
  assert.equal(seen, [
    [picture, CLEAR],
    [picture, CLEAR],
  ]);
});

screens('a viewer that comes later finds the picture there', async () => {
  const screen = new ScreenDisplay({ current: () => qr('current') });
  assert.equal(screen.picture, qr('current'));
  await screen.show(qr('shown'));
  assert.equal(screen.picture, qr('shown'));
});

screens('the same viewer twice is two viewers, and each leaves alone', async () => {
  const screen = new ScreenDisplay({ current: () => CLEAR });
  let calls = 0;
  const viewer = () => {
    calls += 1;
  };
  const leave = screen.subscribe(viewer);
  screen.subscribe(viewer);
  leave();
  leave();
  await screen.show(CLEAR);
  assert.is(calls, 1);
});

screens('a viewer that fails, or leaves while it is told, does not keep the others from it', async () => {
  const lines: string[] = [];
  const screen = new ScreenDisplay({ current: () => CLEAR, log: (message) => lines.push(message) });
  const seen: Picture[] = [];
  screen.subscribe(() => {
    throw new Error('gone');
  });
  const leave = screen.subscribe(() => leave());
  screen.subscribe((picture) => seen.push(picture));
  await screen.show(qr('x'));
  assert.equal([seen.length, lines.length], [1, 1]);
});

screens('what was shown cannot be changed from outside', async () => {
  const screen = new ScreenDisplay({ current: () => CLEAR });
  const picture = { kind: 'qr' as const, payload: 'asked for' };
  await screen.show(picture);
  picture.payload = 'forged';
  assert.equal(screen.picture, qr('asked for'));
});

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

screens('the markup holds nothing of the payload', () => {
  const svg = renderQrSvg('"><script>alert(1)</script>');
  assert.ok(!svg.includes('script'));
});

screens('a customer with an old phone reads it: dark on light, no inversion needed', async () => {
  for (const payload of PAYLOADS) {
    const png = sharp(Buffer.from(renderQrSvg(payload))).resize(1_000, 1_000, { kernel: 'nearest' });
    const { data, info } = await png.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixels = new Uint8ClampedArray(data);
    const code = jsQR.default(pixels, info.width, info.height, { inversionAttempts: 'dontInvert' });
    assert.is(code && Buffer.from(code.binaryData).toString('utf8'), payload);
  }
});

screens.run();
