/**
 * Measures export and import of ten thousand templates in a lane's bundle beside the bare loops, and the event loop's
 * stops.
 */
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import Value from 'typebox/value';
import type { Manifest } from '../../firmware/recognition/embedding/manifest.ts';
import { PackageTask } from '../../firmware/recognition/http/package-routes.ts';
import { IMPORT_STATUS } from '../../firmware/recognition/templates/package-task-states.ts';
import { bundleInto, type Firmware, ms, OF_UNIT, p50, post, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';
import { type Device, fill, openDevice, say, timed, verdict } from './recognition-device.ts';

const PACKAGE_TEMPLATES = amountOf({ full: 10_000, quick: 100 });
/** How long an idle device's event loop is watched. */
const IDLE_MS = amountOf({ full: 3000, quick: 200 });
const ASK_EVERY_MS = 5;
const ASKED_RATIO = 1.3;
const PACKAGE_ROUNDS = amountOf({ full: 5, quick: 1 });

interface Stall {
  readonly ms: number;
  /** Of that, the CPU time of this thread: in the rest, others had the processor. */
  readonly ownMs: number;
}

const ownMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The longest stop of the event loop while `work` runs, and the most CPU time between two of its rounds. */
async function longestStall(work: () => Promise<void>): Promise<Stall> {
  let worst: Stall = { ms: 0, ownMs: 0 };
  let [at, own] = [performance.now(), ownMs()];
  const timer = setInterval(() => {
    const [now, nowOwn] = [performance.now(), ownMs()];
    worst = { ms: Math.max(worst.ms, now - at), ownMs: Math.max(worst.ownMs, nowOwn - own) };
    [at, own] = [now, nowOwn];
  }, 1);
  await work();
  clearInterval(timer);
  return worst;
}

/** Runs a function of the bare loops in a thread, as the device does, so that both run alike. */
function inThread(call: string): Promise<void> {
  const code = `import(${JSON.stringify(new URL('./recognition-bare.ts', import.meta.url).href)}).then((bare) => bare.${call})`;
  return new Promise((resolve, reject) => {
    new Worker(code, { eval: true }).once('error', reject).once('exit', () => resolve());
  });
}

/** Waits for the end of an export or import. @returns the file's name, of an export */
async function ended(lane: Firmware, kind: 'export' | 'import'): Promise<string> {
  for (;;) {
    const task: unknown = await fetch(`${lane.recognition}/v1/packages/${kind}`).then((response) => response.json());
    const { state, detail, filename } = Value.Parse(PackageTask, task);
    if (state === 'done') return filename ?? '';
    if (state !== 'running' && state !== 'checking') throw new Error(detail);
    await pause(ASK_EVERY_MS);
  }
}

async function upload(lane: Firmware, path: string): Promise<void> {
  const form = new FormData();
  form.set('file', await openAsBlob(path), 'package.zip');
  const response = await fetch(`${lane.recognition}/v1/packages/import`, { method: 'POST', body: form });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** A lane without a camera, run as its unit does: threads load a bundle, not the sources. */
const startLane = (dataDir: string, { main, model }: Lane): Promise<Firmware> =>
  startFirmware(
    dataDir,
    {
      ...OF_UNIT.env,
      LANEWARE_CAMERA_DRIVER: 'none',
      LANEWARE_MODEL_MANIFEST: model,
      LANEWARE_RECOGNITION_MAXTEMPLATESPERITEM: '1000',
    },
    { ...OF_UNIT, main },
  );

interface Lane {
  /** The bundle's first file. */
  readonly main: string;
  /** The model's manifest. */
  readonly model: string;
}

function compare(what: string, spans: readonly number[], bare: readonly number[], memory: readonly string[]): void {
  const ratio = p50(spans) / p50(bare);
  say(
    `${what} of ${PACKAGE_TEMPLATES} templates: ${ms(p50(spans))}, ${ratio.toFixed(2)} of the bare loop's ${ms(p50(bare))}: ${verdict(ratio <= ASKED_RATIO)} ${ASKED_RATIO}; memory after each round ${memory.join(', ')} MB`,
  );
}

/** @returns the package of the last round */
async function benchExport(lane: Lane, from: string, work: string): Promise<string> {
  const firmware = await startLane(from, lane);
  let filename = '';
  const exports: number[] = [];
  const bare: number[] = [];
  const memory: string[] = [];
  for (let round = 0; round < PACKAGE_ROUNDS; round++) {
    const [database, file] = [join(from, 'templates.db'), join(work, `${round}.zip`)];
    bare.push(await timed(() => inThread(`bareExport(${JSON.stringify(database)}, ${JSON.stringify(file)})`)));
    exports.push(
      await timed(async () => {
        await post(`${firmware.recognition}/v1/packages/export`, {});
        filename = await ended(firmware, 'export');
      }),
    );
    memory.push(firmware.rssMb().toFixed(0));
  }
  await firmware.stop();
  compare('export', exports, bare, memory);
  return join(from, 'packages', filename);
}

async function benchImport(lane: Lane, path: string, work: string, dimension: number): Promise<void> {
  const imports: number[] = [];
  const bare: number[] = [];
  const memory: string[] = [];
  for (let round = 0; round < PACKAGE_ROUNDS; round++) {
    const database = join(work, `${round}.db`);
    bare.push(
      await timed(() => inThread(`bareImport(${JSON.stringify(path)}, ${JSON.stringify(database)}, ${dimension})`)),
    );
    const firmware = await startLane(join(work, `${round}`), lane);
    await upload(firmware, path);
    imports.push(await timed(() => ended(firmware, 'import')));
    memory.push(firmware.rssMb().toFixed(0));
    await firmware.stop();
  }
  compare('import', imports, bare, memory);
}

/** Imports a package that has been received whole. */
async function imported({ recognition: { tasks } }: Device, path: string): Promise<void> {
  const slot = tasks.reserveImport();
  await copyFile(path, slot.file);
  await slot.start();
  const going: readonly number[] = [IMPORT_STATUS.checking, IMPORT_STATUS.importing];
  while (going.includes(tasks.importState.status)) await pause(ASK_EVERY_MS);
  const { status, msg } = tasks.importState;
  if (status !== IMPORT_STATUS.completed) throw new Error(msg);
}

async function benchStall(target: Device, path: string): Promise<void> {
  const idle = await longestStall(() => pause(IDLE_MS));
  const stall = await longestStall(async () => {
    let over = false;
    const importing = imported(target, path).finally(() => {
      over = true;
    });
    while (!over) await target.recognition.recognise();
    await importing;
  });
  say(
    `longest stall of the event loop during an import with recognitions: ${ms(stall.ms)}, of which its own ${ms(stall.ownMs)} (${ms(idle.ms)} with nothing to do): ${verdict(stall.ms < 50)} 50 ms`,
  );
}

export async function benchPackages(
  model: string,
  crop: Uint8Array,
  jpeg: Buffer,
  manifest: Manifest,
  identity: string,
): Promise<void> {
  const folders = Array.from({ length: 3 }, () => mkdtempSync(join(tmpdir(), 'laneware-bench-')));
  const [from = '', to = '', work = ''] = folders;
  await (await openDevice(from, model)).close();
  fill(from, crop, manifest.output, identity, PACKAGE_TEMPLATES);
  const lane = { main: bundleInto(work), model };
  const path = await benchExport(lane, from, work);
  await benchImport(lane, path, work, manifest.output.dimension);
  const target = await openDevice(to, model);
  await target.camera.put(jpeg);
  await benchStall(target, path);
  await target.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
}
