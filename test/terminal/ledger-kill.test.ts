/**
 * A process that takes payments, killed at random moments; after each, one of the ledger's files is lost too. Whatever was
 * acknowledged is there. LANEWARE_LEDGER_KILLS=n kills more often, SEED=n repeats a run.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seeded } from '../../scripts/seeded.ts';
import { Program } from '../process.ts';
import { temporaryFolder } from '../support.ts';
import { openLedger } from './ledger-rig.ts';

const KILLS = Number(process.env.LANEWARE_LEDGER_KILLS ?? 4);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const LATEST_KILL_MS = 250;

const test = suite(`SIGKILL while the ledger is written (${KILLS} kills, SEED=${SEED})`);

const LOSSES: readonly (readonly string[])[] = [
  [],
  ['ledger.db', 'ledger.db-wal', 'ledger.db-shm'],
  ['ledger.journal', 'ledger.journal.before'],
  ['ledger.copy.db'],
  ['ledger.db-wal'],
];

const acknowledgedBy = ({ output }: Program): number[] =>
  [...output.matchAll(/"acknowledged":(\d+)\}/g)].map(([, n]) => Number(n));

/** What the ledger holds of each payment once some of its files are lost: state and amount. */
function after(folder: string, lost: readonly string[]): Map<number, string> {
  using copy = temporaryFolder();
  cpSync(folder, copy.path, { recursive: true });
  for (const file of lost) rmSync(join(copy.path, file), { force: true });
  const ledger = openLedger(copy.path);
  try {
    const rows = ledger.after(0, 100_000);
    return new Map(rows.map(({ id, amount, settled, status }) => [id, `${status.state} ${settled} ${amount}`]));
  } finally {
    ledger.close();
  }
}

const ended = (n: number): string => {
  if (n % 5 === 4) return `PENDING false ${1_000_000 + n}`;
  return `${n % 3 === 0 ? 'REJECTED' : 'ACCEPTED'} true ${1_000_000 + n}`;
};

test('every payment that was acknowledged is there, whichever file is lost besides', async () => {
  const random = seeded(SEED);
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const acknowledged: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await using program = new Program(['test/terminal/ledger-child.ts', data]);
    await program.line((line) => (line.ready === true ? true : null));
    await pause(random() * LATEST_KILL_MS);
    await program.kill('SIGKILL');
    acknowledged.push(...acknowledgedBy(program));
    for (const lost of LOSSES) {
      const found = after(data, lost);
      const missing = lost.join(', ') || 'nothing';
      for (const n of acknowledged) assert.is(found.get(n), ended(n), `payment ${n}, with ${missing} lost`);
    }
  }
  assert.ok(acknowledged.length > 0);
  process.stdout.write(`  ${acknowledged.length} payments acknowledged over ${KILLS} kills, none lost\n`);
});

test.run();
