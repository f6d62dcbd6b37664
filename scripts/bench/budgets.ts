/**
 * `node scripts/bench/budgets.ts`: prints Laneware's weight in figures that do not depend on the machine, each beside
 * its limit. Tests check the limits. A commit that raises one says why; a figure that has become smaller lowers its
 * limit.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OF_UNIT, startFirmware } from './firmware.ts';
import { type SaleCost, saleCost } from './sale-cost.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Budget {
  readonly what: string;
  readonly limit: number;
  /** The figure to reach, where that is less. */
  readonly asked?: number;
}

/** Limits are today's figures with a small margin; those of memory have a sixth, because V8 collects when it likes. */
export const BUDGETS = {
  modules: { what: 'modules loaded at start, of the sources', limit: 1_530 },
  moduleKilobytes: { what: 'kB of these modules', limit: 5_450 },
  threads: { what: 'threads at ready, without a camera and a model', limit: 0 },
  routes: { what: 'routes of both servers', limit: 260 },
  memory: { what: 'MB of memory at ready, without a camera and a model', limit: 222, asked: 120 },
  memoryAfterLooks: { what: 'MB of memory after 200 looks with the shipped model', limit: 370, asked: 230 },
  saleStatements: { what: 'statements of SQLite in a sale whose till asks once', limit: 38 },
  saleCommits: { what: 'commits in a sale', limit: 4 },
  saleKilobytes: { what: 'kB written in a sale', limit: 38 },
  saleSyncs: { what: 'fsync and fdatasync in a sale', limit: 6 },
  pageRequests: { what: 'requests of the first load of a page of the console', limit: 12 },
  pageKibibytes: { what: 'KiB of them in br, heads and all', limit: 116 },
  pageAgainKibibytes: { what: 'KiB of the next load', limit: 6.25, asked: 5 },
  packages: { what: 'packages that a device runs with', limit: 175 },
  allPackages: { what: 'packages of a clone, those of its tests included', limit: 418 },
  releaseMegabytes: { what: 'MB of a release for x64, message server included', limit: 81 },
} as const satisfies Readonly<Record<string, Budget>>;

type Figures = Partial<Record<keyof typeof BUDGETS, number>>;

/** Figures above their limits, in words. */
export const overspent = (figures: Figures): string[] =>
  namesOf(figures).flatMap((name) => {
    const { what, limit } = BUDGETS[name];
    const figure = figures[name] ?? 0;
    return figure > limit ? [`${what}: ${figure}, at most ${limit}`] : [];
  });

const namesOf = (figures: Figures) => Object.keys(figures) as (keyof typeof BUDGETS)[];

/**
 * Figures of a device that sells. A question about an open payment is one statement; slow machines have more of them.
 */
export const figuresOf = ({ start, statements, questions, commits }: SaleCost): Figures => ({
  modules: start.modules,
  moduleKilobytes: start.bytes / 1000,
  threads: start.threads,
  routes: start.routes,
  memory: start.rssMb,
  saleStatements: statements - (questions - 1),
  saleCommits: commits,
});

/** The same device's figures where it was traced. */
export const writtenOf = ({ bytes, syncs }: SaleCost): Figures => ({ saleKilobytes: bytes / 1000, saleSyncs: syncs });

const LOOKS = 200;
const LOOK_AGAIN_MS = 200;

/** Memory of a device that has looked at its drawn pictures with the shipped model, run as on a lane. */
export async function memoryAfterLooks(): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-bench-'));
  const firmware = await startFirmware(folder, { ...OF_UNIT.env, LANEWARE_CAMERA_DRIVER: 'replay' }, OF_UNIT);
  for (let seen = 0; seen < LOOKS; ) {
    const look = await fetch(`${firmware.recognition}/v1/recognition`);
    await look.arrayBuffer();
    if (look.ok) seen += 1;
    else await pause(LOOK_AGAIN_MS); // the model is loading
  }
  const memory = firmware.rssMb();
  await firmware.stop();
  rmSync(folder, { recursive: true });
  return { memoryAfterLooks: memory };
}

/** Number of packages in the lock. */
export function packagesLocked(): Figures {
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  );
  const { '': _, ...all } = packages;
  return {
    packages: Object.values(all).filter(({ dev }) => dev !== true).length,
    allPackages: Object.keys(all).length,
  };
}

if (import.meta.main) {
  const sale = await saleCost(10, 2, { isTraced: true });
  const figures = { ...figuresOf(sale), ...writtenOf(sale), ...packagesLocked(), ...(await memoryAfterLooks()) };
  for (const name of namesOf(figures)) {
    const { what, limit, asked }: Budget = BUDGETS[name];
    const columns = [what.padEnd(56), (figures[name] ?? 0).toFixed(1).padEnd(10), `${limit}`.padEnd(10), asked ?? ''];
    process.stdout.write(`${columns.join('').trimEnd()}\n`);
  }
  process.exitCode = overspent(figures).length === 0 ? 0 : 1;
}
