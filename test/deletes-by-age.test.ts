/** What is deleted by its age is deleted by the time that has certainly passed: a clock that is ten years ahead removes nothing of this week. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Journal } from '../firmware/core/audit/journal.ts';
import { openDatabase } from '../firmware/core/files/database.ts';
import { CertainTime } from '../firmware/core/host/certain-time.ts';
import { type Clock, certainTime, machineTime, SystemClock } from '../firmware/core/host/clock.ts';
import { Outbox } from '../firmware/payments/events/outbox.ts';
import { LedgerMaintenance } from '../firmware/payments/money/ledger-maintenance.ts';
import { Money } from '../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../firmware/payments/money/money-schema.ts';
import { RankStatistics } from '../firmware/recognition/feedback/rank-statistics.ts';
import { TemplatesFile } from '../firmware/recognition/templates/templates-database.ts';
import { auditEvent, openTrail } from './audit/support.ts';
import { each, inFolder, type TemporaryFolder, temporaryFolder } from './support.ts';
import { NOW, payMany } from './terminal/ledger-rig.ts';

const test = suite('what is deleted by its age');
const it = each(test, inFolder);

const DAY_MS = 86_400_000;
const TEN_YEARS_MS = 3653 * DAY_MS;

/** A machine's time that is set by hand. */
class Machine {
  wall = NOW;
  monotonic = 0;
  bootId = 'boot-1';
  isVouched = false;

  open(folder: TemporaryFolder): { readonly clock: SystemClock; readonly saved: CertainTime } {
    const source = { ...machineTime(), bootId: this.bootId, wall: () => this.wall, monotonic: () => this.monotonic };
    const clock = new SystemClock(NOW, source);
    const isVouched = () => this.isVouched;
    const fail = (error: unknown): void => assert.unreachable(String(error));
    return { clock, saved: new CertainTime(clock, join(folder.path, 'certain-time'), isVouched, fail) };
  }
}

it('age passes while the machine runs; a clock moves it only where a time server vouches', (folder) => {
  const machine = new Machine();
  const days = (clock: Clock): number => Math.round((certainTime(clock) - NOW) / DAY_MS);
  let { clock, saved } = machine.open(folder);
  const restart = (): void => {
    saved.close();
    ({ clock, saved } = machine.open(folder));
  };
  machine.wall += TEN_YEARS_MS;
  assert.is(days(clock), 0);
  machine.monotonic += 2 * DAY_MS;
  assert.is(days(clock), 2);
  restart();
  machine.monotonic += DAY_MS;
  assert.is(days(clock), 3, 'another process of the same boot');
  saved.close();
  [machine.bootId, machine.monotonic, machine.wall] = ['boot-2', 0, NOW + 40 * DAY_MS];
  ({ clock, saved } = machine.open(folder));
  assert.is(days(clock), 3, 'how long it was off is not certain');
  machine.isVouched = true;
  assert.is(days(clock), 40);
  machine.isVouched = false;
  machine.wall += TEN_YEARS_MS;
  machine.monotonic += DAY_MS;
  assert.is(days(clock), 41);
  saved.close();
});

/** Each: fills something by a clock of now, has it deleted by a given clock, and says how much is left. */
const DELETES: Readonly<Record<string, (folder: TemporaryFolder, later: Clock) => Promise<number>>> = {
  'events of payments': async (_, later) => {
    const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
    const money = Money.over(db, { payment: () => ({}), refund: () => ({}) });
    const outbox = new Outbox(money.payments, later, () => ({}));
    outbox.begin();
    payMany(money.payments, 1, 3);
    while (outbox.pruneOutdated(outbox.last));
    return outbox.countAfter(0);
  },
  'days of the journal of the book of money': async (folder, later) => {
    let now = NOW;
    using money = Money.open({ path: join(folder.path, 'money.db'), secondFolder: null, now: () => now });
    const clock = { wall: () => now, ...(later.certain && { certain: later.certain }) };
    const nothing = () => undefined;
    const keeper = new LedgerMaintenance(money.book, clock, 5, { onRepaired: nothing, onOpened: nothing }, nothing);
    const rest = async (): Promise<void> => {
      await keeper.passMinute();
      await keeper.passMinute();
    };
    for (let day = 1; day <= 3; day += 1) {
      payMany(money.payments, day, day);
      await rest();
      now += DAY_MS;
    }
    for (let n = 4; n <= 6; n += 1) {
      now = later.wall() + n * 200 * DAY_MS; // each a quarter after the last
      payMany(money.payments, n, n);
      await rest();
    }
    await keeper.close();
    return readdirSync(join(folder.path, 'money.journal')).filter((name) => name.includes('-2026-')).length;
  },
  'lines of the audit trail': async (folder, later) => {
    for (const n of [1, 2, 3]) {
      const journal = new Journal(folder.path, 'lane', 2 ** 20, 90);
      await journal.append([JSON.stringify({ n })], n, NOW + n * DAY_MS);
      await journal.close();
    }
    const { trail } = openTrail(folder.path, { clock: later });
    await trail.record('lane', auditEvent('later'));
    await trail.close();
    return readdirSync(folder.path).filter((name) => /^lane-.*-2026-/.test(name)).length;
  },
  'figures of recognition': async (folder, later) => {
    const file = new TemplatesFile(join(folder.path, 'templates.db'), 10, NOW);
    await new RankStatistics(file, { ...later, wall: () => NOW }).count('apple', 1);
    await new RankStatistics(file, later).forget();
    const { items } = new RankStatistics(file, later).report({ from: null, to: null, item: null });
    await file.close();
    return items.length;
  },
};

for (const [what, deleteOld] of Object.entries(DELETES)) {
  const ahead = { bootId: 'boot', wall: () => NOW + TEN_YEARS_MS, monotonic: () => 0 };
  it(`${what}: a clock that is ten years ahead removes none`, async (folder) => {
    const left = await deleteOld(folder, { ...ahead, certain: () => NOW + 3 * DAY_MS });
    assert.ok(left > 0, String(left));
    using other = temporaryFolder();
    const gone = await deleteOld(other, { ...ahead, certain: ahead.wall });
    assert.ok(gone < left, `${gone} of ${left} are left where the years have passed`);
  });
}

test.run();
