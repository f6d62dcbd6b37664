import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAR, type Picture } from '../../../drivers/display/contract.ts';
import { encodeCommand, encodeQr } from '../../../drivers/display/wire/frames.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { renderPng } from '../../../drivers/display/wire/simulator-png.ts';
import { qr } from './support.ts';

const simulator = suite('display simulator');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

simulator('answers each frame as a device likely does', () => {
  const device = new SimulatedDisplay();
  assert.is(text(device.feed(encodeCommand('clear'))), 'CLS\x06\x03');
  assert.is(text(device.feed(encodeQr('serial', 'x'))), 'QR\x06\x03');
});

simulator('keeps the picture through a lost connection, but not half a frame', () => {
  const device = new SimulatedDisplay();
  device.feed(encodeQr('serial', 'kept'));
  device.feed(encodeQr('serial', 'torn').subarray(0, 8));
  device.connected();
  assert.equal(device.picture, qr('kept'));
  device.feed(encodeCommand('success'));
  assert.equal(device.picture, { kind: 'status', status: 'success' });
});

simulator('forgets half a frame whose rest does not come', () => {
  let now = 0;
  const device = new SimulatedDisplay('echo', undefined, () => now);
  device.feed(encodeQr('serial', 'torn').subarray(0, 8));
  now = 301;
  device.feed(encodeCommand('failure'));
  assert.equal(device.picture, { kind: 'status', status: 'failure' });
});

simulator('an unknown command changes no picture', () => {
  const device = new SimulatedDisplay();
  device.feed(encodeQr('serial', 'kept'));
  device.feed(Buffer.from('\x02\xf0\x03BTON\x03', 'latin1'));
  assert.equal(device.picture, qr('kept'));
});

/** The share of pixels that are clearly green, red and dark. */
async function colours(picture: Picture): Promise<{ green: number; red: number; dark: number }> {
  const { data, info } = await sharp(await renderPng(picture))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const count = { green: 0, red: 0, dark: 0 };
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (green > red + 60) count.green += 1;
    else if (red > green + 60) count.red += 1;
    else if (red + green + blue < 100) count.dark += 1;
  }
  return count;
}

simulator('draws a green check mark, a red cross, and nothing on a cleared screen', async () => {
  const success = await colours({ kind: 'status', status: 'success' });
  const failed = await colours({ kind: 'status', status: 'failure' });
  assert.ok(success.green > 5_000 && success.red === 0);
  assert.ok(failed.red > 5_000 && failed.green === 0);
  assert.equal(await colours(CLEAR), { green: 0, red: 0, dark: 0 });
});

simulator.run();
