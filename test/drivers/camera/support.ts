/** What the camera tests share: real JPEGs, the fake camera programs on a PATH of their own. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Camera, CameraState } from '../../../drivers/camera/contract.ts';
import { tempFolder } from '../folders.ts';

/** Far longer than a picture takes on a busy machine: only a wait that hangs meets it. */
const PATIENCE_MS = 180_000;

/** A real JPEG, recognisable by its colour. */
export function jpegOf(hue: number, width = 1280, height = 720): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="hsl(${hue},70%,50%)"/>
    <circle cx="${width / 2}" cy="${height / 2}" r="${height / 4}" fill="hsl(${hue + 90},60%,60%)"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer();
}

function installProgram(folder: string, name: string, script: string): void {
  const file = join(folder, name);
  const path = fileURLToPath(new URL(script, import.meta.url));
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${path}' "$@"\n`);
  chmodSync(file, 0o755);
}

/** A PATH on which `program` is the fake of that kind, with the given faults. */
export async function fakeCamera(
  faults: Record<string, string> = {},
  program = 'rpicam-vid',
  pictures: readonly Promise<Buffer>[] = [0, 120, 240].map((hue) => jpegOf(hue)),
) {
  const folder = tempFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  installProgram(bin, program, program.endsWith('-still') ? 'fake-still.mjs' : 'fake-rpicam-vid.mjs');
  const frames = await Promise.all(pictures);
  for (const [index, frame] of frames.entries()) writeFileSync(join(folder, `${index}.jpg`), frame);
  const pidFile = join(folder, 'pids');
  writeFileSync(pidFile, '');
  const env = { PATH: `${bin}:/usr/bin:/bin`, FAKE_FRAMES: folder, FAKE_PIDS: pidFile, ...faults };
  /** The processes that the fake has been, oldest first. */
  const pids = () => readFileSync(pidFile, 'utf8').split('\n').filter(Boolean).map(Number);
  return { env, frames, pids };
}

export type FakeCamera = Awaited<ReturnType<typeof fakeCamera>>;

/** Gone, or a zombie that only waits to be collected. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export const patience = () => AbortSignal.timeout(PATIENCE_MS);

/** The states of a camera, in order; the names of them make a readable assertion. */
export function recordStates() {
  const states: CameraState[] = [];
  return { onState: (state: CameraState) => states.push(state), states, names: () => states.map(({ name }) => name) };
}

export async function frames(camera: Camera, count: number): Promise<Buffer[]> {
  const seen: Buffer[] = [];
  let after = 0;
  while (seen.length < count) {
    const frame = await camera.next(patience(), after);
    after = frame.sequence;
    seen.push(frame.jpeg);
  }
  return seen;
}
