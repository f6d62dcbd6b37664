/**
 * A process that only takes payments, killed at random moments; after each, a file of the ledger is lost too. What was
 * acknowledged is there.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Program } from '../process.ts';
import { temporaryFolder, until } from '../support.ts';
import { openKept } from '../terminal/ledger-rig.ts';
import { draw } from './killable.ts';

const { kills, random, label } = draw(4);
/** It is killed after so many payments at most. */
const MOST_PAYMENTS = 40;

const test = suite(`SIGKILL while the ledger is written (${kills} kills, ${label})`);

const LOSSES: readonly (readonly string[])[] = [
  [],
  ['money.db', 'money.db-wal', 'money.db-shm'],
  ['money.journal'],
  ['money.db-wal'],
];

const acknowledgedBy = ({ output }: Program): number[] =>
  [...output.matchAll(/"acknowledged":(\d+)\}/g)].map(([, n]) => Number(n));

/** What the ledger holds of each payment once some of its files are lost: state and amount. */
async function after(folder: string, lost: readonly string[]): Promise<Map<number, string>> {
  using copy = temporaryFolder();
  cpSync(folder, copy.path, { recursive: true });
  for (const file of lost) rmSync(join(copy.path, file), { force: true, recursive: true });
  await using kept = await openKept(copy.path);
  const rows = kept.payments.after(0, 100_000);
  return new Map(rows.map(({ id, amount, settled, status }) => [id, `${status.state} ${settled} ${amount}`]));
}

const ended = (n: number): string => {
  if (n % 5 === 4) return `PENDING false ${1_000_000 + 100 * n}`;
  return `${n % 3 === 0 ? 'REJECTED' : 'ACCEPTED'} true ${1_000_000 + 100 * n}`;
};

test('every payment that was acknowledged is there, with any file lost besides', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const acknowledged: number[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    await using program = new Program(['test/kill/ledger-process.ts', data]);
    const enough = random() * MOST_PAYMENTS;
    await until('some payments', () => acknowledgedBy(program).length > enough);
    await program.kill('SIGKILL');
    acknowledged.push(...acknowledgedBy(program));
    for (const lost of LOSSES) {
      const found = await after(data, lost);
      const missing = lost.join(', ') || 'nothing';
      for (const n of acknowledged) assert.is(found.get(n), ended(n), `payment ${n}, with ${missing} lost`);
    }
  }
  process.stdout.write(`  ${acknowledged.length} payments acknowledged over ${kills} kills, none lost\n`);
});

test.run();
