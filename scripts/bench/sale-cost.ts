/**
 * `node scripts/bench/sale-cost.ts`: measures what a sale costs the card. First beneath the file system
 * (`device-cost.ts`), which takes seven minutes; then in the process: bytes written, fsync and fdatasync, and SQLite's
 * statements, of a showQR, its payment, and the till's questions until it reads ACCEPTED. Needs root on Linux, and
 * strace. `--each` lists files and statements, too.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBanks } from '../../test/banks/banks.ts';
import { temporaryFolder } from '../../test/support.ts';
import type { Counts } from './counted.ts';
import { ALONE, type Firmware, post, row, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';
import { sellWith, settle } from './sales.ts';

const COUNTER = new URL('./counted.ts', import.meta.url).href;
/** Interval of the till's questions: each is a statement or two. */
const ASK_EVERY_MS = 500;
/** Time for syncs beside the sale, and for what SQLite collects. */
const SETTLE_MS = 500;

export interface SaleCost {
  /** Counts and memory of the process before the first sale. */
  readonly start: Readonly<Omit<Counts, 'statements'>> & { readonly rssMb: number };
  readonly bytes: number;
  /** Number of write and pwrite calls. */
  readonly writes: number;
  readonly syncs: number;
  readonly statements: number;
  /** Number of the till's questions; a slow machine has more. */
  readonly questions: number;
  readonly commits: number;
  /** Bytes, writes and syncs per sale, by file name. */
  readonly files: ReadonlyMap<string, { readonly bytes: number; readonly writes: number; readonly syncs: number }>;
  /** How often each statement is carried out per sale. */
  readonly texts: ReadonlyMap<string, number>;
}

type Calls = { bytes: number; writes: number; syncs: number };

/** Reads from a trace the writes and syncs below a folder. */
function callsOf(trace: string, folder: string): Map<string, Calls> {
  const files = new Map<string, Calls>();
  for (const [, call, path = '', bytes] of trace.matchAll(/ (\w+)\(\d+<([^>]*)>(?:, ""(?:\.\.\.)?, (\d+))?/g)) {
    if (!path.startsWith(folder)) continue;
    const file = files.get(path) ?? { bytes: 0, writes: 0, syncs: 0 };
    if (call === 'fsync' || call === 'fdatasync') file.syncs += 1;
    else {
      file.writes += 1;
      file.bytes += Number(bytes);
    }
    files.set(path, file);
  }
  return files;
}

const countsIn = (file: string): Counts => JSON.parse(readFileSync(file, 'utf8'));

/** Makes a sale. @returns the number of the till's questions */
async function sell(firmware: Firmware, bank: string, amount: number): Promise<number> {
  await post(`${firmware.url}/showQR`, { amount });
  return await settle(bank, firmware.url, { askEveryMs: ASK_EVERY_MS });
}

const sumOf = (all: Iterable<number>): number => [...all].reduce((sum, one) => sum + one, 0);

/** The average cost of a sale; bytes, writes and syncs are 0 where they are not traced. */
export async function saleCost(
  sales: number,
  warmUp: number,
  { isTraced }: { readonly isTraced: boolean },
): Promise<SaleCost> {
  using temporary = temporaryFolder();
  const { path: folder } = temporary;
  const [traceFile, counts] = [join(folder, 'trace'), join(folder, 'counts')];
  writeFileSync(traceFile, '');
  const bank = await startBanks({ port: 0, dataFile: join(folder, 'bank.db') });
  const dataDir = join(folder, 'data');
  const trace = ['-D', '-f', '-y', '-q', '-s', '0', '-e', 'trace=fsync,fdatasync,write,pwrite64', '-o', traceFile];
  const firmware = await startFirmware(
    dataDir,
    { ...ALONE, LANEWARE_BANKS_CFT_BASEURL: bank.url, COUNTED: counts },
    { under: isTraced ? ['strace', ...trace] : [], options: ['--import', COUNTER] },
  );
  await pause(SETTLE_MS);
  const { statements: _, ...loaded } = countsIn(counts);
  const start = { ...loaded, rssMb: firmware.rssMb() };
  await sellWith(firmware.url);
  for (let n = 0; n < warmUp; n += 1) await sell(firmware, bank.url, 100 * (n + 1));
  await pause(SETTLE_MS);
  const [before, from] = [countsIn(counts).statements, statSync(traceFile).size];
  let questions = 0;
  for (let n = 0; n < sales; n += 1) questions += await sell(firmware, bank.url, 100_000 + 100 * n);
  await pause(SETTLE_MS);
  const [after, to] = [countsIn(counts).statements, statSync(traceFile).size];
  await firmware.stop();
  await bank.close();
  const files = callsOf(readFileSync(traceFile).toString('utf8', from, to), dataDir);

  const texts = new Map(
    Object.entries(after).flatMap(([sql, n]) => {
      const count = n - (before[sql] ?? 0);
      return count > 0 ? [[sql.replaceAll(/\s+/g, ' '), count / sales] as const] : [];
    }),
  );
  const each = (what: keyof Calls): number => sumOf([...files.values()].map((calls) => calls[what])) / sales;
  return {
    start,
    bytes: each('bytes'),
    writes: each('writes'),
    syncs: each('syncs'),
    statements: sumOf(texts.values()),
    questions: questions / sales,
    commits: texts.get('COMMIT') ?? 0,
    files: new Map(
      [...files].map(([path, { bytes, writes, syncs }]) => [
        path.slice(dataDir.length + 1),
        { bytes: bytes / sales, writes: writes / sales, syncs: syncs / sales },
      ]),
    ),
    texts,
  };
}

function print({ bytes, writes, syncs, statements, commits, files, texts }: SaleCost): void {
  row('written by the process', `${(bytes / 1000).toFixed(1)} kB`, `in ${writes.toFixed(1)} writes`);
  row('fsync and fdatasync', syncs.toFixed(1), '');
  row('statements of SQLite', statements.toFixed(1), `${commits.toFixed(1)} commits`);
  if (!process.argv.includes('--each')) return;
  for (const [path, file] of files) {
    const { bytes: written, writes: calls, syncs: synced } = file;
    process.stdout.write(
      `${(written / 1000).toFixed(1)} kB, ${calls.toFixed(1)} writes, ${synced.toFixed(1)} syncs: ${path}\n`,
    );
  }
  const often = [...texts].sort(([, one], [, other]) => other - one);
  for (const [sql, n] of often) process.stdout.write(`${n.toFixed(1).padStart(6)}  ${sql}\n`);
}

/**
 * Measures the first sales after a start, when more is written, and later ones. @returns whether there is such a disk
 */
async function measureDevice(): Promise<boolean> {
  const { deviceCost, NO_DEVICE } = await import('./device-cost.ts'); // loaded late, because loading it tries a disk
  if (NO_DEVICE !== null) {
    process.stderr.write(`what a device writes cannot be counted here: ${NO_DEVICE}\n`);
    return false;
  }
  const [first, later] = [amountOf({ full: 40, quick: 1 }), amountOf({ full: 100, quick: 2 })];
  const windows = [first, later - first, first];
  const [atFirst, , afterwards] = await deviceCost(windows);
  for (const [what, cost] of [
    [`a sale of the first ${first}`, atFirst],
    [`a sale after ${later}`, afterwards],
  ] as const)
    if (cost !== undefined) row(what, `${cost.kib.toFixed(0)} KiB`, `${cost.flushes.toFixed(1)} flushes of the device`);
  return true;
}

if (import.meta.main) {
  if (await measureDevice())
    print(await saleCost(amountOf({ full: 30, quick: 2 }), amountOf({ full: 5, quick: 1 }), { isTraced: true }));
  else process.exitCode = 1;
}
