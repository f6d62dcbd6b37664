// A stand-in for `rpicam-vid`: streams the JPEG files of a folder as MJPEG, with the faults that the environment asks for.
//
//   FAKE_FRAMES       folder of .jpg files, sent in turn
//   FAKE_FPS          frames a second (30); 0: as fast as they are taken
//   FAKE_PIDS         file to which this process adds its pid, one a line
//   FAKE_FAULT_RUNS   the faults below are those of the first N runs only (all)
//   FAKE_DIE_AFTER    exits with code 7 after N frames
//   FAKE_STALL_AFTER  goes on running but sends nothing after N frames
//   FAKE_HELD         another program holds the camera: exits as rpicam-vid then does
//   FAKE_HALF_EVERY   cuts each Nth frame short
//   FAKE_RUBBISH      sends bytes that are no JPEG between frames
//   FAKE_STDERR       repeats this line on standard error for each frame
//   FAKE_STUBBORN     ignores SIGTERM, SIGINT, SIGPIPE and a broken pipe
import fs from 'node:fs';
import path from 'node:path';

const env = process.env;
const args = process.argv.slice(2);
const wanted = [
  ['-t', '0'],
  ['--codec', 'mjpeg'],
  ['--width', '1280'],
  ['--height', '720'],
  ['-o', '-'],
];
for (const [name, value] of wanted) {
  if (args[args.indexOf(name) + 1] !== value || !args.includes(name)) {
    process.stderr.write(`ERROR: *** expected ${name} ${value} ***\n`);
    process.exit(255);
  }
}

if (env.FAKE_PIDS) fs.appendFileSync(env.FAKE_PIDS, `${process.pid}\n`);
const run = env.FAKE_PIDS ? fs.readFileSync(env.FAKE_PIDS, 'utf8').trim().split('\n').length : 1;
const faulty = run <= Number(env.FAKE_FAULT_RUNS ?? Number.POSITIVE_INFINITY);
const fault = (name) => (faulty && env[name] ? Number(env[name]) : Number.POSITIVE_INFINITY);
const fps = Number(env.FAKE_FPS ?? 30);
const frames = fs
  .readdirSync(env.FAKE_FRAMES)
  .filter((name) => name.endsWith('.jpg'))
  .sort()
  .map((name) => fs.readFileSync(path.join(env.FAKE_FRAMES, name)));
const rubbish = Buffer.concat([
  Buffer.from('--boundary\r\n\r\n'),
  Buffer.from([0xff, 0xd8, 0x00, 0xff, 0xd9, 0xff]),
  Buffer.alloc(700, 0xff),
]);

if (env.FAKE_STUBBORN) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGPIPE', 'SIGHUP']) process.on(signal, () => {});
  process.stdout.on('error', () => setInterval(() => {}, 1000));
  process.stderr.on('error', () => {});
} else {
  process.stdout.on('error', () => process.exit(0));
}

process.stderr.write('[0:00:01.234] [99]  INFO Camera camera_manager.cpp:297 libcamera v0.3.2 (fake)\n');
const write = (bytes) =>
  new Promise((resolve) => (process.stdout.write(bytes) ? resolve() : process.stdout.once('drain', resolve)));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

if (faulty && env.FAKE_HELD) {
  process.stderr.write('[0:00:01.240] [99]  INFO Camera camera.cpp:1008 Pipeline handler in use by another process\n');
  process.stderr.write('ERROR: *** failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a ***\n');
  process.stderr.write('ERROR: *** the program cannot go on ***\n');
  process.exit(255);
}

for (let sent = 0; ; sent++) {
  if (sent >= fault('FAKE_DIE_AFTER')) {
    process.stderr.write('ERROR: *** the fake camera was made to die ***\n');
    process.exitCode = 7;
    await new Promise((resolve) => process.stdout.end(resolve));
    process.exit();
  }
  if (sent >= fault('FAKE_STALL_AFTER')) await new Promise(() => setInterval(() => {}, 1000));
  const frame = frames[sent % frames.length];
  if (env.FAKE_STDERR) process.stderr.write(`${env.FAKE_STDERR}\n`);
  if (env.FAKE_RUBBISH) await write(rubbish);
  const half = sent % fault('FAKE_HALF_EVERY') === fault('FAKE_HALF_EVERY') - 1;
  await write(half ? frame.subarray(0, Math.floor(frame.length / 2)) : frame);
  if (fps > 0) await pause(1000 / fps);
}
