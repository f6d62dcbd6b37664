/** What is announced, and what never is, on a lane whose clock is moved. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BootNote } from '../../../firmware/core/files/index.ts';
import {
  type Accepted,
  Announcer,
  NOTE_BYTES,
  SAID_AGAIN_WITHIN_MS,
  SAID_WITHIN_MS,
} from '../../../firmware/features/voice/announcer.ts';
import { temporaryFolder } from '../../support.ts';
import { ended, HandClock, type Lane, openLane, report, restarted, settled } from '../../terminal/harness.ts';

const test = suite('voice: what is announced');

interface Rig {
  readonly announcer: Announcer;
  readonly said: Accepted[];
  readonly problems: string[];
  isOn: boolean;
  isQuiet: boolean;
  /** Lets what is being said come to its end; null: at once. */
  hold: Promise<void> | null;
}

/** A voice on a lane; `path` is of its note. */
function voiceOn(lane: Lane, path: string): Rig {
  const said: Accepted[] = [];
  const problems: string[] = [];
  const rig: Rig = {
    announcer: new Announcer(
      lane.terminal.outbox,
      new BootNote(path, lane.clock, NOTE_BYTES),
      lane.clock,
      {
        isOn: () => rig.isOn,
        isQuiet: () => rig.isQuiet,
        say: async (payment, isDue) => {
          assert.ok(isDue());
          said.push(payment);
          await rig.hold;
        },
      },
      (message) => problems.push(message),
    ),
    said,
    problems,
    isOn: true,
    isQuiet: false,
    hold: null,
  };
  rig.announcer.start();
  return rig;
}

/** The sums that were said, in kopecks. */
const sums = ({ said }: Rig): number[] => said.map(({ kopecks }) => kopecks);

/** A sale that is paid; `n`: the how manieth at the bank. */
async function pay(lane: Lane, amount: number, n = 0): Promise<void> {
  await lane.showQR(amount);
  await report(lane, 'accepted', n);
  await settled();
}

const onVoice = (run: (lane: Lane, rig: Rig, path: string) => Promise<void>) => async (): Promise<void> => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'said');
  await using lane = await openLane();
  await run(lane, voiceOn(lane, path), path);
};

test(
  'a payment that is accepted is said once, with its sum',
  onVoice(async (lane, rig) => {
    await lane.showQR(12_345);
    await settled();
    assert.equal(sums(rig), []);
    await report(lane, 'accepted');
    await settled();
    assert.equal(sums(rig), [12_345]);
    await lane.clock.advance(60_000);
    assert.equal(sums(rig), [12_345]);
  }),
);

for (const verdict of ['rejected', 'canceled'] as const)
  test(
    `a payment that is ${verdict} is not said`,
    onVoice(async (lane, rig) => {
      await lane.showQR(12_345);
      await report(lane, verdict);
      await settled();
      assert.equal(sums(rig), []);
    }),
  );

test(
  'a payment that was accepted after its end is late, and is not said',
  onVoice(async (lane, rig) => {
    await lane.showQR(12_345);
    lane.payments.endSales();
    lane.bank.verdicts.set(lane.bankId(0), 'accepted');
    await ended(lane, 'ACCEPTED').catch(() => false);
    await lane.clock.advance(60_000);
    const [payment] = lane.ledger.queries.recent(1);
    assert.is(payment?.status.state, 'ACCEPTED');
    assert.is(payment?.status.late, true);
    assert.equal(sums(rig), []);
  }),
);

test(
  'refunds, a voice that is off and quiet hours say nothing, later either',
  onVoice(async (lane, rig) => {
    rig.isOn = false;
    await pay(lane, 100, 0);
    assert.is(rig.announcer.last, null);
    rig.isOn = true;
    rig.isQuiet = true;
    await pay(lane, 200, 1);
    assert.is(rig.announcer.last?.kopecks, 200, 'a person may ask for it');
    rig.isQuiet = false;
    await pay(lane, 300, 2);
    const [paid] = lane.ledger.queries.recent(1);
    lane.payments.recordRefundedSum(paid?.orderId ?? '', 300);
    await settled();
    assert.equal(sums(rig), [300]);
  }),
);

test(
  'two within a second queue, and who is not reached within ten seconds is never said',
  onVoice(async (lane, rig) => {
    const talk = Promise.withResolvers<void>();
    rig.hold = talk.promise;
    for (const n of [0, 1, 2]) await pay(lane, 100 * (n + 1), n);
    assert.equal(sums(rig), [100]);
    await lane.clock.advance(SAID_WITHIN_MS - 1000);
    await pay(lane, 400, 3);
    await lane.clock.advance(2000);
    rig.hold = null;
    talk.resolve();
    await settled();
    assert.equal(sums(rig), [100, 400]);
  }),
);

test(
  'a leap of the wall clock changes nothing',
  onVoice(async (lane, rig) => {
    const talk = Promise.withResolvers<void>();
    rig.hold = talk.promise;
    await pay(lane, 100, 0);
    await pay(lane, 200, 1);
    lane.clock.wall = () => Date.parse('2031-01-01') + lane.clock.now;
    rig.hold = null;
    talk.resolve();
    await settled();
    assert.equal(sums(rig), [100, 200]);
  }),
);

test('after a kill between book and voice it is said within ten seconds, else never, and once', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'said');
  for (const [waited, expected] of [
    [SAID_WITHIN_MS - 1000, [200]],
    [SAID_WITHIN_MS, []],
  ] as const) {
    await using lane = await openLane({ clock: new HandClock() });
    const killed = voiceOn(lane, path);
    killed.hold = new Promise(() => undefined); // it dies while it speaks
    await pay(lane, 100, 0);
    await pay(lane, 200, 1);
    assert.equal(sums(killed), [100]);
    lane.clock.now += waited;
    await using next = await restarted(lane);
    const rig = voiceOn(next, path);
    await settled();
    assert.equal(sums(rig), expected);
    await using later = await restarted(next);
    const after = voiceOn(later, path);
    await settled();
    assert.equal(sums(after), []);
    rmSync(path, { force: true });
  }
});

test(
  'after another start of the machine nothing of before is said',
  onVoice(async (lane, rig, path) => {
    rig.hold = new Promise(() => undefined);
    await pay(lane, 100, 0);
    await pay(lane, 200, 1);
    lane.clock.bootId = 'boot-2';
    await using next = await restarted(lane);
    const after = voiceOn(next, path);
    await settled();
    assert.equal(sums(after), []);
    assert.is(after.announcer.last, null);
  }),
);

test('what cannot be noted is not said, and the sale goes on', async () => {
  using folder = temporaryFolder();
  await using lane = await openLane();
  const rig = voiceOn(lane, join(folder.path, 'no-folder', 'said'));
  await pay(lane, 100, 0);
  assert.equal(sums(rig), []);
  assert.ok(rig.problems.length > 0);
});

test(
  'damage of the note is no note',
  onVoice(async (lane, rig, path) => {
    await pay(lane, 100, 0);
    for (const content of ['boot-1 {"waiting":[{}],"last":null}', 'boot-1 {', '\0\0']) {
      writeFileSync(path, content);
      assert.is(voiceOn(lane, path).announcer.last, null);
    }
    assert.equal(sums(rig), [100]);
  }),
);

test(
  'the last one is said again for three minutes, and not what is still to be said',
  onVoice(async (lane, rig) => {
    assert.is(rig.announcer.again(), null);
    await pay(lane, 100, 0);
    assert.is(rig.announcer.again()?.kopecks, 100);
    await settled();
    assert.equal(sums(rig), [100, 100]);
    const talk = Promise.withResolvers<void>();
    rig.hold = talk.promise;
    rig.announcer.again();
    await pay(lane, 200, 1);
    rig.announcer.again();
    rig.hold = null;
    talk.resolve();
    await settled();
    assert.equal(sums(rig), [100, 100, 100, 200]);
    await lane.clock.advance(SAID_AGAIN_WITHIN_MS);
    assert.is(rig.announcer.again(), null);
    assert.is(rig.announcer.last, null);
  }),
);

test(
  'what is refunded is not said, and not again, and another refund changes nothing',
  onVoice(async (lane, rig) => {
    const talk = Promise.withResolvers<void>();
    rig.hold = talk.promise;
    for (const n of [0, 1, 2]) await pay(lane, 100 * (n + 1), n);
    const [third, second, first] = lane.ledger.queries.recent(3).map(({ orderId }) => orderId);
    assert.is(rig.announcer.last?.orderId, third);
    lane.payments.recordRefundedSum(first ?? '', 100);
    assert.is(rig.announcer.last?.orderId, third);
    lane.payments.recordRefundedSum(second ?? '', 100); // a part of it
    rig.hold = null;
    talk.resolve();
    await settled();
    assert.equal(sums(rig), [100, 300]);
    lane.payments.recordRefundedSum(third ?? '', 300);
    assert.is(rig.announcer.last, null);
    assert.is(rig.announcer.again(), null);
    await settled();
    assert.equal(sums(rig), [100, 300]);
  }),
);

test('what a book that was made anew tells again is not said', async () => {
  using folder = temporaryFolder();
  const clock = new HandClock();
  const payment = { id: 'old', amount: 100, test: false, late: false };
  const event = { number: 21, type: 'payment.accepted', at: 0, orderId: 'old', till: null };
  const outbox = { isOpen: true, last: 10, lostTo: 0 };
  let committed = (): void => undefined;
  const said: number[] = [];
  const output = {
    isOn: () => true,
    isQuiet: () => false,
    say: async ({ kopecks }: Accepted) => void said.push(kopecks),
  };
  const events = {
    get isOpen() {
      return outbox.isOpen;
    },
    get last() {
      return outbox.last;
    },
    get lostTo() {
      return outbox.lostTo;
    },
    after: (number: number) => (number < 21 ? [{ ...event, text: JSON.stringify({ payment }) }] : []),
    onAppended: (listener: () => void) => {
      committed = listener;
    },
  };
  const note = new BootNote(join(folder.path, 'said'), clock, NOTE_BYTES);
  const announcer = new Announcer(events, note, clock, output, () => assert.unreachable());
  Object.assign(outbox, { last: 21, lostTo: 20 });
  committed();
  await settled();
  assert.equal([said, announcer.last], [[], null]);
});

test.run();
