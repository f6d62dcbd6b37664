/** When a rollout goes on, waits, and is held. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { offeredTo, placeOf } from '../../../firmware/chain/channel.ts';
import { badNews, believed, type Lane, lineOf, step, tally } from '../../../scripts/chain/rollout/decide.ts';
import { channelOf, type Rollout } from '../../../scripts/chain/rollout/state.ts';
import { seeded } from '../../tools/seeded.ts';
import { HOUR_MS, type Kind, laneOf, lanesOf, NEW, NOW, OLD, ROLLOUT } from './lanes.ts';

const test = suite('chain: a rollout is decided');

type Row = readonly [name: string, outcome: string, ...kinds: (readonly [Kind, number])[]];

const TABLE: readonly Row[] = [
  ['all run it', 'done', ['new', 100]],
  ['one of ten is behind', 'done', ['new', 90], ['old', 10]],
  ['more are behind', 'waits anew', ['new', 89], ['old', 11]],
  ['one of ten is silent', 'done', ['new', 90], ['silent-old', 10]],
  ['more are silent', 'waits', ['new', 89], ['silent-new', 11]],
  ['all are silent', 'waits', ['silent-new', 100]],
  ['silent and behind together', 'waits', ['new', 88], ['silent-new', 6], ['old', 6]],
  ['no lane is there', 'waits anew'],
  ['no lane that follows the channel', 'waits anew', ['plain', 50]],
  ['those that run a newer one are not asked', 'done', ['new', 20], ['newer', 80]],
  ['machines without an updater are not asked', 'done', ['new', 20], ['plain', 80]],
  ['one of one has undone it', 'held', ['undone', 1]],
  ['one of two has', 'held', ['undone', 1], ['new', 1]],
  ['one of three is chance', 'done', ['undone', 1], ['new', 2]],
  ['two of ninety are too many', 'held', ['undone', 2], ['new', 88]],
  ['two of a hundred are not', 'done', ['undone', 2], ['new', 98]],
  ['three of a hundred are', 'held', ['undone', 3], ['new', 97]],
  ['what was undone counts where it was tried in vain, not where it waits', 'held', ['undone', 3], ['old', 97]],
  ['one of one is failed', 'held', ['failed-new', 1], ['old', 9]],
  ['two of twenty more than the others', 'done', ['failed-new', 2], ['new', 18]],
  ['three of twenty', 'held', ['failed-new', 3], ['new', 17]],
  ['as many as without it', 'waits anew', ['failed-new', 3], ['new', 17], ['failed-old', 3], ['old', 17]],
  ['others are worse', 'done', ['new', 90], ['failed-old', 10]],
  ['those with it accept as many payments', 'done', ['selling-new', 90], ['selling-old', 10]],
  ['they accept none', 'held', ['mute-new', 90], ['selling-old', 10]],
  ['the first of them accepts none', 'held', ['mute-new', 1], ['selling-old', 99]],
  ['it has run for too short a time to be sure', 'waits anew', ['young-mute-new', 4], ['selling-old', 96]],
  ['many of them have, together', 'held', ['young-mute-new', 5], ['selling-old', 95]],
  ['a quarter is a quiet lane', 'done', ['quiet-new', 90], ['selling-old', 10]],
  ['less than a quarter', 'held', ['quiet-new', 89], ['mute-new', 1], ['selling-old', 10]],
  ['at night no lane sells', 'done', ['mute-new', 90], ['mute-old', 10]],
  ['others of an earlier release report no count', 'done', ['mute-new', 90], ['old', 10]],
  ['nor are those asked that report none', 'done', ['new', 90], ['selling-old', 10]],
  ['silent ones are not counted', 'waits', ['selling-new', 80], ['silent-new', 11], ['selling-old', 9]],
];

function outcomeOf(rollout: Rollout, lanes: readonly Lane[], now = NOW): string {
  const { rollout: next } = step(rollout, lanes, now);
  if (next.phase !== 'running') return next.phase;
  if (next.ring > rollout.ring) return 'further';
  return next.ripeSince === null ? 'waits anew' : 'waits';
}

for (const [name, outcome, ...kinds] of TABLE)
  test(`${name}: ${outcome}`, () => {
    assert.is(outcomeOf(ROLLOUT, lanesOf(...kinds)), outcome);
  });

test('it is watched for as long as was said, from when enough run it', () => {
  const lanes = lanesOf(['new', 100]);
  const { rollout } = step({ ...ROLLOUT, ripeSince: null }, lanes, NOW);
  assert.is(rollout.ripeSince, NOW);
  const at = (hours: number) => lanes.map((lane) => ({ ...lane, heardAt: NOW + hours * HOUR_MS }));
  assert.is(outcomeOf(rollout, at(23.9), NOW + 23.9 * HOUR_MS), 'waits');
  assert.is(outcomeOf(rollout, at(24), NOW + 24 * HOUR_MS), 'done');
  // a night without them is no reason to begin anew, nor to go on
  assert.is(outcomeOf(rollout, lanes, NOW + 24 * HOUR_MS), 'waits');
});

test('a first ring of few has one device, and the same line names it at the device and at the chain', () => {
  const lanes = lanesOf(['old', 100]);
  const below = lineOf(NEW, 1, lanes, NOW);
  const channel = channelOf({ ...ROLLOUT, ring: 0, below });
  const offered = lanes.filter((lane) => offeredTo(channel, lane)?.version === NEW);
  assert.is(offered.length, 1);
  assert.is(tally({ ...ROLLOUT, below }, lanes, NOW).ring, 1);
  assert.is(lineOf(NEW, 100, lanes, NOW), 1);
  assert.is(lanes.filter((lane) => placeOf(NEW, lane) < lineOf(NEW, 10, lanes, NOW)).length, 10);
  // silent ones are not chosen: a ring of devices that are off would never end
  const silent = lanes.map((lane) => (lane === offered[0] ? { ...lane, heardAt: 0 } : lane));
  assert.ok(lineOf(NEW, 1, silent, NOW) > below);
});

test('a line never goes back, though devices have come meanwhile', () => {
  const few = { ...ROLLOUT, ring: 0, below: 0.5 };
  const { rollout } = step(few, lanesOf(['new', 1000]), NOW);
  assert.is(rollout.ring, 1);
  assert.is(rollout.below, 0.5);
});

test('a store that makes devices up has the word of a hundred', () => {
  const honest = lanesOf(['undone', 9], ['new', 91]);
  const liar = Array.from({ length: 5000 }, (_, number) => ({ ...laneOf(number, 'new'), account: 'LIAR' }));
  assert.is(believed([...honest, ...liar]).length, 200);
  assert.is(outcomeOf(ROLLOUT, [...honest, ...liar]), 'done');
  assert.is(outcomeOf(ROLLOUT, believed([...honest, ...liar])), 'held');
});

test('another release begins with other devices', () => {
  const lanes = lanesOf(['old', 1000]);
  const first = (version: string) => lanes.filter((lane) => placeOf(version, lane) < 0.1).map(({ serial }) => serial);
  const [one, two] = [first('1.1.0'), new Set(first('1.2.0'))];
  assert.ok(one.length > 60 && one.length < 140, String(one.length));
  assert.ok(one.filter((serial) => two.has(serial)).length < 30);
});

test('held, stopped and done ones stay so; what is held or stopped is not offered', () => {
  for (const phase of ['held', 'stopped', 'done'] as const)
    assert.equal(step({ ...ROLLOUT, phase }, lanesOf(['undone', 100]), NOW).rollout, { ...ROLLOUT, phase });
  const offersOf = (phase: Rollout['phase']) =>
    channelOf({ ...ROLLOUT, phase, base: { version: OLD, below: 1, source: null } }).offers.map(
      ({ version }) => version,
    );
  assert.equal(
    [offersOf('running'), offersOf('done')],
    [
      [NEW, OLD],
      [NEW, OLD],
    ],
  );
  assert.equal([offersOf('held'), offersOf('stopped')], [[OLD], [OLD]]);
});

test('what a person has let go on is not held for the same again, but for more', () => {
  const forgiving = { ...ROLLOUT, forgiven: { undone: 3, failed: 3 } };
  assert.is(outcomeOf(forgiving, lanesOf(['undone', 3], ['new', 60])), 'done');
  assert.is(outcomeOf(forgiving, lanesOf(['undone', 4], ['new', 60])), 'held');
  assert.is(outcomeOf(forgiving, lanesOf(['failed-new', 3], ['new', 3])), 'done');
  assert.is(outcomeOf(forgiving, lanesOf(['failed-new', 4], ['new', 3])), 'held');
});

test('far fewer payments that a person has let go on hold the next ring, and not the same again', () => {
  const lanes = lanesOf(['mute-new', 90], ['selling-old', 10]);
  const at = (fewerInRing: number) => ({ ...ROLLOUT, forgiven: { undone: 0, failed: 0, fewerInRing } });
  assert.equal([outcomeOf(at(ROLLOUT.ring), lanes), outcomeOf(at(ROLLOUT.ring - 1), lanes)], ['done', 'held']);
});

test('one device that makes payments up holds nothing', () => {
  const [liar, ...honest] = lanesOf(['selling-old', 20], ['selling-new', 80]);
  assert.ok(liar?.inventory);
  const accepted = Array<number>(24).fill(1_000_000);
  const lying = { ...liar, inventory: { ...liar.inventory, counts: { accepted } } };
  assert.is(outcomeOf(ROLLOUT, [lying, ...honest]), 'waits anew');
});

test('over any course of a chain it never goes on while something is bad, never back, and a ring at a time', () => {
  const kinds: readonly Kind[] = [
    'old',
    'new',
    'new',
    'new',
    'new',
    'undone',
    'newer',
    'silent-new',
    'failed-new',
    'plain',
  ];
  const seen = { further: 0, held: 0, done: 0 };
  for (let seed = 1; seed <= 400; seed++) {
    const random = seeded(seed);
    const many = 1 + Math.floor(random() * 60);
    const spread = random() < 0.5 ? 5 : kinds.length;
    const start = lanesOf(['old', many]);
    let now = NOW;
    let rollout: Rollout = { ...ROLLOUT, ring: 0, below: lineOf(NEW, 1, start, now), ripeSince: null };
    for (let at = 0; at < 20; at++) {
      now += HOUR_MS * 13;
      const lanes = start.map((_lane, number) =>
        laneOf(number, kinds[Math.floor(random() * (random() < 0.1 ? kinds.length : spread))] ?? 'new', now),
      );
      const { rollout: next } = step(rollout, lanes, now);
      const found = tally(rollout, lanes, now);
      const isFurther = next.ring > rollout.ring || (next.phase === 'done' && rollout.phase === 'running');
      assert.ok(next.below >= rollout.below && next.ring >= rollout.ring && next.ring <= rollout.ring + 1);
      if (isFurther) {
        assert.is(badNews(rollout, found), null);
        assert.ok(found.undone <= 1 || found.undone <= found.tried * 0.02, JSON.stringify(found));
        assert.ok(found.behind + found.silent <= found.ring * 0.1, JSON.stringify(found));
        assert.ok(rollout.ripeSince !== null && now - rollout.ripeSince >= rollout.soakMs);
      }
      if (rollout.phase !== 'running') assert.equal(next, rollout);
      if (next.ring > rollout.ring) seen.further += 1;
      rollout = next;
    }
    if (rollout.phase === 'held') seen.held += 1;
    if (rollout.phase === 'done') seen.done += 1;
  }
  assert.ok(seen.further > 20 && seen.held > 20 && seen.done > 5, JSON.stringify(seen));
});

test.run();
