// A stand-in for `libcamera-still` and `rpicam-still`: copies the first .jpg of FAKE_FRAMES to --output.
//
//   FAKE_PIDS        file to which this process adds its pid, one a line
//   FAKE_FAULT_RUNS  the faults below are those of the first N runs only (all)
//   FAKE_FAIL        ends with an error
//   FAKE_HELD        another program holds the camera
//   FAKE_HANG        never ends, on any signal
//   FAKE_HALF        writes half a picture
//   FAKE_LONG        writes a picture without end: 2 GiB, which no disk has to hold
import fs from 'node:fs';
import path from 'node:path';

const env = process.env;
const args = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];
fs.appendFileSync(env.FAKE_PIDS, `${process.pid}\n`);
const run = fs.readFileSync(env.FAKE_PIDS, 'utf8').trim().split('\n').length;
const faulty = run <= Number(env.FAKE_FAULT_RUNS ?? Number.POSITIVE_INFINITY);

if (option('--width') !== '1280' || option('--height') !== '720' || !args.includes('--nopreview')) {
  process.stderr.write('ERROR: *** unexpected options ***\n');
  process.exit(255);
}
if (faulty && env.FAKE_FAIL) {
  process.stderr.write('ERROR: *** no cameras available ***\n');
  process.exit(255);
}
if (faulty && env.FAKE_HELD) {
  process.stderr.write('ERROR: *** failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a ***\n');
  process.exit(255);
}
if (faulty && env.FAKE_HANG) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGPIPE', 'SIGHUP']) process.on(signal, () => {});
  await new Promise(() => setInterval(() => {}, 1000));
}
const picture = fs.readFileSync(path.join(env.FAKE_FRAMES, '0.jpg'));
if (faulty && env.FAKE_LONG) {
  fs.writeFileSync(option('--output'), picture);
  fs.truncateSync(option('--output'), 2 ** 31);
} else
  fs.writeFileSync(option('--output'), faulty && env.FAKE_HALF ? picture.subarray(0, picture.length / 2) : picture);
