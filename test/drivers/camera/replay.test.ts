import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError } from '../../../drivers/camera/contract.ts';
import { PictureFolder, ReplayedPictures } from '../../../drivers/camera/replay.ts';
import { thrown, until } from '../../support.ts';
import { removeFolders, tempFolder } from '../folders.ts';
import { jpegOf, patience } from './support.ts';

const replay = suite('replay camera');
replay.after(removeFolders);
const open: ReplayedPictures[] = [];
const LONG_MS = 3_600_000;

function folderCamera(folder: string, intervalMs: number, log: (message: string) => void = () => {}): ReplayedPictures {
  const camera = new ReplayedPictures(new PictureFolder(folder, log), {}, intervalMs);
  open.push(camera);
  return camera;
}

/** The widths of the pictures that are shown: each picture of a test has its own. */
async function shown(camera: ReplayedPictures, count: number): Promise<number[]> {
  const widths: number[] = [];
  for (let after = 0; widths.length < count; ) {
    const frame = await camera.next(patience(), after);
    after = frame.sequence;
    widths.push(frame.width);
  }
  return widths;
}

replay.after.each(async () => void (await Promise.all(open.splice(0).map((camera) => camera.close()))));

replay('shows the pictures of a folder by name, over and over, in any format', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'b.jpg'), await jpegOf(10, 200, 100));
  writeFileSync(
    join(folder, 'a.png'),
    await sharp(await jpegOf(90, 60, 40))
      .png()
      .toBuffer(),
  );
  writeFileSync(join(folder, 'c.JPEG'), await jpegOf(200, 90, 30));
  writeFileSync(join(folder, 'notes.txt'), 'not a picture');
  mkdirSync(join(folder, 'd.jpg'));
  const camera = folderCamera(folder, 1);
  const first = await camera.next(patience());
  assert.equal([first.width, first.height], [60, 40]);
  assert.is((await sharp(first.jpeg).metadata()).format, 'jpeg');
  assert.equal(await shown(folderCamera(folder, 1), 4), [60, 200, 90, 60]);
});

replay('passes over a picture that cannot be decoded, and says so', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.jpg'), (await jpegOf(10)).subarray(0, 3000));
  writeFileSync(join(folder, 'b.jpg'), await jpegOf(40, 64, 48));
  const lines: string[] = [];
  assert.equal(
    await shown(
      folderCamera(folder, 1, (line) => lines.push(line)),
      2,
    ),
    [64, 64],
  );
  assert.ok(lines.includes('picture left out'));
});

replay('a folder that is missing or empty is a lost camera, until pictures are there', async () => {
  const folder = join(tempFolder(), 'later');
  const camera = folderCamera(folder, 5);
  await until('lost', () => camera.state.name === 'lost');
  assert.is(thrown(CameraError, () => camera.latest()).code, 'lost');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.jpg'), await jpegOf(10, 64, 48));
  await until('ready', () => camera.state.name === 'ready');
  assert.is(camera.latest().width, 64);
});

replay('a picture stays until the next one comes', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.jpg'), await jpegOf(10, 64, 48));
  const camera = folderCamera(folder, LONG_MS);
  await camera.next(patience());
  assert.is(camera.latest().sequence, 1);
  assert.not(camera.streaming);
});

replay('close ends the wait for the next picture', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.jpg'), await jpegOf(10, 64, 48));
  const camera = folderCamera(folder, LONG_MS);
  await camera.next(patience());
  const waiting = camera.next(patience()).catch((error: unknown) => error);
  await camera.close();
  const error = await waiting;
  assert.ok(error instanceof CameraError && error.code === 'closed');
});

replay.run();
