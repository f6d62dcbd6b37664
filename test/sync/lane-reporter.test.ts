/** Payments of a lane on their way to the master of its store, over a line that is cut, slow or refuses. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LanePayments } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { SyncError, type SyncErrorCode } from '../../firmware/sync/errors.ts';
import { LaneReporter } from '../../firmware/sync/lane-reporter.ts';
import { each, opening, temporaryFolder, until } from '../support.ts';
import { TestLane } from '../terminal/lane-rig.ts';
import { seeded } from '../tools/seeded.ts';

const test = suite('payments of a lane on their way to its master');

type Manner = SyncErrorCode | 'lost' | 'taken' | 'refusal' | 'nonsense';

/** A lane, and a master that answers as set. */
class Line implements Disposable {
  readonly #folder = temporaryFolder();
  readonly lane = new TestLane('LW2', this.#folder.path);
  readonly log: string[] = [];
  readonly clock = { at: 0, wall: () => 1, monotonic: () => this.clock.at };
  master = this.another('lanes.db');
  isSlave = true;
  /** How often the reporter has looked whether it is to report. */
  looks = 0;
  requests = 0;
  records = 0;
  manner: () => Manner = () => 'taken';
  #hear: () => void = () => undefined;

  another(name: string): LanePayments {
    return new LanePayments({ path: join(this.#folder.path, name), clock: this.clock });
  }

  async requestFromMaster(subject: string, body: string) {
    assert.is(subject, 'laneware.lane-payments.iTFcy');
    this.requests += 1;
    const manner = this.manner();
    await Promise.resolve();
    const batch = JSON.parse(body);
    const answer = (said: unknown) => ({ string: () => JSON.stringify(said) }) as never;
    if (manner === 'refusal') return answer({ refusal: 'the disk is full' });
    if (manner === 'nonsense') return answer({ place: { payments: -1 } });
    if (manner !== 'taken' && manner !== 'lost') throw new SyncError(manner, `made-up: ${manner}`);
    this.records += batch.payments.length;
    const place = this.master.store('LW2', batch);
    if (manner === 'lost') throw new SyncError('timeout', 'made-up: lost');
    return answer({ place });
  }

  onLine(listener: () => void): () => void {
    this.#hear = listener;
    return () => undefined;
  }

  /** Connected anew. */
  connect(): void {
    this.#hear();
  }

  report(): LaneReporter & AsyncDisposable {
    const reporter = new LaneReporter(
      {
        serial: 'LW2',
        clock: this.clock,
        log: { warn: (details, message) => this.log.push(`${message}: ${'reason' in details ? details.reason : ''}`) },
      },
      this.lane.feed,
      this,
      () => {
        this.looks += 1;
        return this.isSlave;
      },
      0.0001,
    );
    reporter.start();
    return Object.assign(reporter, { [Symbol.asyncDispose]: () => reporter.close() });
  }

  get here(): number {
    return this.master.acceptedBetween(0, Number.MAX_SAFE_INTEGER, 1000, null).length;
  }

  [Symbol.dispose](): void {
    this.lane.close();
    this.master.close();
    this.#folder[Symbol.dispose]();
  }
}

const laid = () => new Line();
const it = each(test, opening(laid));

it('what is sold is reported, once, and what is sold later, too', async (line) => {
  line.lane.sell(100);
  line.lane.sell(200);
  await using _reporter = line.report();
  await until('both', () => line.here === 2);
  line.lane.sell(300);
  await until('the third', () => line.here === 3);
  await until('its end', () => line.master.reports()[0]?.isNow);
  assert.is(line.records, 3, 'nothing was sent twice');
  assert.equal(line.log, []);
});

it('with any fault of the line, all comes, and the trouble is logged', async (line) => {
  const manners = ['taken', 'lost', 'timeout', 'unreachable', 'refusal', 'nonsense', 'taken'] as const;
  const random = seeded(38);
  line.manner = () => manners[Math.floor(random() * manners.length)] ?? 'taken';
  for (let n = 0; n < 15; n++) line.lane.sell(100);
  await using _reporter = line.report();
  await until('all', () => line.here === 15);
  for (let n = 0; n < 15; n++) line.lane.sell(100);
  await until('the others', () => line.here === 30);
});

it('a refusal is logged once, and a master that is away not at all', async (line) => {
  line.lane.sell(100);
  line.manner = () => 'unreachable';
  await using reporter = line.report();
  await until('some tries', () => line.requests > 3);
  assert.equal([line.log, reporter.problem], [[], null]);
  line.manner = () => 'refusal';
  const before = line.requests;
  await until('more tries', () => line.requests > before + 3);
  assert.equal(line.log, ['payments are not reported to the master; it is tried again: the disk is full']);
  assert.is(reporter.problem, 'the disk is full');
  line.manner = () => 'nonsense';
  await until('another trouble', () => line.log.length === 2);
  assert.match(line.log[1] ?? '', /what answers is no master of a store$/);
  assert.match(reporter.problem ?? '', /no master/);
  line.manner = () => 'timeout';
  const seen = line.requests;
  await until('it is away', () => line.requests > seen + 2);
  assert.match(reporter.problem ?? '', /no master/, 'what it said last');
  line.manner = () => 'taken';
  await until('it takes all', () => line.here === 1);
  await until('nothing is wrong', () => reporter.problem === null);
});

it('a device that belongs to no store any more has no trouble with its master', async (line) => {
  line.manner = () => 'refusal';
  line.lane.sell(100);
  await using reporter = line.report();
  await until('a refusal', () => reporter.problem === 'the disk is full');
  line.isSlave = false;
  await until('none', () => reporter.problem === null);
});

it('a lane with nothing to say reports each minute, and between them says nothing', async (line) => {
  await using _reporter = line.report();
  await until('its first report', () => line.master.reports()[0]?.isNow);
  const { requests } = line;
  line.clock.at += 5; // of the six that a scaled minute has
  const { looks } = line;
  await until('some looks', () => line.looks > looks + 3);
  assert.is(line.requests, requests);
  line.clock.at += 1;
  await until('the next report', () => line.requests === requests + 1);
});

it('another master gets all again, and one that is connected anew goes on where it stands', async (line) => {
  for (let n = 0; n < 5; n++) line.lane.sell(100);
  await using _reporter = line.report();
  await until('all', () => line.here === 5);
  const before = line.requests;
  line.connect();
  await until('it asks where the master stands', () => line.requests >= before + 2);
  assert.is(line.records, 5);
  line.master.close();
  line.master = line.another('another.db');
  line.connect();
  await until('all again', () => line.here === 5);
  assert.is(line.records, 10);
});

it('a master that has lost its file within a connection gets all again with the next sale', async (line) => {
  for (let n = 0; n < 5; n++) line.lane.sell(100);
  await using _reporter = line.report();
  await until('all', () => line.here === 5);
  await until('its end', () => line.master.reports()[0]?.isNow);
  line.master.close();
  line.master = line.another('another.db');
  line.lane.sell(100);
  await until('all again', () => line.here === 6);
});

it('a device that is no slave reports to nobody', async (line) => {
  line.isSlave = false;
  line.lane.sell(100);
  await using _reporter = line.report();
  await until('some looks', () => line.looks > 3);
  assert.is(line.requests, 0);
  line.isSlave = true;
  await until('it reports as a slave', () => line.here === 1);
});

test.run();
