/**
 * Takes one picture with node-libcamera and ends: `node capture-still.ts FILE WIDTH HEIGHT`. It is a process of its
 * own, because the package can neither be stopped nor given a time limit. The package's shell command does not quote
 * the file's name.
 */
import libcamera from 'node-libcamera';
import { messageOf } from '../lib/errors.ts';

/** How long the sensor may set its exposure before the picture is taken. */
const SETTLE_MS = 500;
const QUALITY = 90;

const [output = '', width, height] = process.argv.slice(2);
if (!/^[\w./-]+$/.test(output)) throw new Error('the name of the picture has characters that a shell would read');
try {
  await libcamera.still({
    output,
    width: Number(width),
    height: Number(height),
    timeout: SETTLE_MS,
    quality: QUALITY,
    encoding: 'jpg',
    nopreview: true,
  });
} catch (error) {
  // the message ends with what the camera program said; our own stack would bury it
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
