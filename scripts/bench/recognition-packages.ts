/** Export and import of ten thousand templates beside the bare loops, and what they do to the event loop. */
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Manifest } from '../../firmware/recognition/embedding/manifest.ts';
import { ms, p50 } from './firmware.ts';
import { amountOf } from './quick.ts';
import { type Device, fill, openDevice, rssMb, say, timed, verdict } from './recognition-device.ts';

const PACKAGE_TEMPLATES = amountOf({ full: 10_000, quick: 100 });
/** How long the event loop of an idle device is watched. */
const IDLE_MS = amountOf({ full: 3000, quick: 200 });
const PACKAGE_ROUNDS = amountOf({ full: 5, quick: 1 });

interface Stall {
  readonly ms: number;
  /** Of it, what this thread really computed: the rest, others had the processor. */
  readonly ownMs: number;
}

const ownMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Longest stop of the event loop while `work` goes on, and the longest own computing between two of its rounds. */
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

/** Runs a function of the bare loops in a thread, as the device does, so that both have the same surroundings. */
function inThread(call: string): Promise<void> {
  const code = `import(${JSON.stringify(new URL('./recognition-bare.ts', import.meta.url).href)}).then((bare) => bare.${call})`;
  return new Promise((resolve, reject) => {
    new Worker(code, { eval: true }).once('error', reject).once('exit', () => resolve());
  });
}

async function exportAll({ recognition }: Device): Promise<string> {
  await recognition.startExport(null);
  while (recognition.tasks.exportState.status === 1) await pause(5);
  const { filename, msg } = recognition.tasks.exportState;
  const found = filename === null ? null : recognition.packageStore.find(filename);
  if (found === null) throw new Error(msg);
  return found.path;
}

/** An upload that has come whole: what follows is the import. */
async function uploaded({ recognition }: Device, path: string): Promise<() => Promise<void>> {
  const slot = recognition.tasks.reserveImport();
  await copyFile(path, slot.file);
  return () => slot.start();
}

async function imported({ recognition }: Device, start: () => Promise<void>): Promise<void> {
  await start();
  while ([2, 3].includes(recognition.tasks.importState.status)) await pause(5);
  const { status, msg } = recognition.tasks.importState;
  if (status !== 4) throw new Error(msg);
}

/** @returns the package of the last round */
async function benchExport(source: Device, from: string, work: string): Promise<string> {
  let path = '';
  const exports: number[] = [];
  const bareExports: number[] = [];
  const memory: string[] = [];
  for (let round = 0; round < PACKAGE_ROUNDS; round++) {
    bareExports.push(
      await timed(() =>
        inThread(
          `bareExport(${JSON.stringify(join(from, 'templates.db'))}, ${JSON.stringify(join(work, `${round}.zip`))})`,
        ),
      ),
    );
    exports.push(
      await timed(async () => {
        path = await exportAll(source);
      }),
    );
    memory.push(rssMb().toFixed(0));
  }
  say(
    `export of ${PACKAGE_TEMPLATES} templates: ${ms(p50(exports))}, ${(p50(exports) / p50(bareExports)).toFixed(2)} of the bare loop's ${ms(p50(bareExports))}: ${verdict(p50(exports) <= 1.5 * p50(bareExports))} 1.5; memory after each round ${memory.join(', ')} MB`,
  );
  return path;
}

async function benchImport(target: Device, path: string, work: string, dimension: number): Promise<void> {
  const imports: number[] = [];
  const bareImports: number[] = [];
  const memory: string[] = [];
  for (let round = 0; round < PACKAGE_ROUNDS; round++) {
    bareImports.push(
      await timed(() =>
        inThread(`bareImport(${JSON.stringify(path)}, ${JSON.stringify(join(work, `${round}.db`))}, ${dimension})`),
      ),
    );
    const start = await uploaded(target, path);
    imports.push(await timed(() => imported(target, start)));
    memory.push(rssMb().toFixed(0));
    await target.recognition.templates.clear();
    await target.recognition.templates.sweep();
  }
  say(
    `import of ${PACKAGE_TEMPLATES} templates: ${ms(p50(imports))}, ${(p50(imports) / p50(bareImports)).toFixed(2)} of the bare loop's ${ms(p50(bareImports))}: ${verdict(p50(imports) <= 1.5 * p50(bareImports))} 1.5; memory after each round ${memory.join(', ')} MB`,
  );
}

async function benchStall(target: Device, path: string): Promise<void> {
  const idle = await longestStall(() => pause(IDLE_MS));
  const stall = await longestStall(async () => {
    let over = false;
    const importing = imported(target, await uploaded(target, path)).finally(() => {
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
  const source = await openDevice(from, model);
  const path = await benchExport(source, from, work);
  const target = await openDevice(to, model);
  await target.camera.put(jpeg);
  await benchImport(target, path, work, manifest.output.dimension);
  await benchStall(target, path);
  await Promise.all([source.close(), target.close()]);
  for (const folder of folders) rmSync(folder, { recursive: true });
}
