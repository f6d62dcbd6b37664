/** The self-test: each step with what is well and what is ill, a sale that begins, a person who goes away, reports that are kept. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeviceRefusal } from '../../../firmware/core/host/host.ts';
import type { Answer, SelfTestState, Verdict } from '../../../firmware/features/self-test/run.ts';
import { reasonOf } from '../../../firmware/features/voice/reason-records.ts';
import { listening } from '../../ports.ts';
import { each, thrown, until } from '../../support.ts';
import { Rig } from './rig.ts';

const test = suite('the self-test');
const it = each(test, (run: (rig: Rig) => Promise<void>) => async () => {
  await using rig = await new Rig().connect();
  await run(rig);
});

const verdictOf = (state: SelfTestState, step: string) => state.results.find((result) => result.step === step)?.verdict;
const saidOf = (state: SelfTestState, step: string) => state.results.find((result) => result.step === step);
const codesOf = (state: SelfTestState, step: string) =>
  saidOf(state, step)?.says.flatMap(({ code }) => (code.startsWith('advice-') ? [] : code));

it('a lane that is well passes each step, shows each frame, and has a report', async (rig) => {
  rig.test.begin('en');
  const shown: Record<string, unknown> = {};
  for (const step of ['code', 'success', 'failure', 'blank']) {
    await rig.asked(step);
    shown[step] = rig.display.picture;
    rig.test.answer(step, 'yes');
  }
  assert.equal(shown, {
    code: { kind: 'qr', payload: 'https://qr.nspk.ru/LANEWARE-SELF-TEST' },
    success: { kind: 'status', status: 'success' },
    failure: { kind: 'status', status: 'failure' },
    blank: { kind: 'clear' },
  });
  const state = await rig.goOn();
  assert.equal(
    { stage: state.stage, why: state.why, report: state.report, step: state.step, asks: state.asks },
    { stage: 'done', why: null, report: 1, step: null, asks: null },
  );
  const walked = state.results.map(({ step }) => step);
  assert.equal(walked, state.steps);
  const unwell = state.results.filter(({ verdict }) => verdict !== 'pass').map(({ step, verdict }) => [step, verdict]);
  assert.equal(unwell, [
    ['voice', 'absent'],
    ['heat', 'absent'],
  ]);
  assert.is(saidOf(state, 'storage')?.says[0]?.about.kb, 544);
  const reports = state.reports.map(({ number, version, verdict }) => [number, version, verdict]);
  assert.equal(reports, [[1, '1.2.0', 'pass']]);
  assert.equal(readdirSync(rig.folder.path).sort(), ['self-test.json', 'self-test.json.copy']);
});

/** Makes a part of the rig other than well. */
const made =
  (part: 'light' | 'gpio' | 'board', more: object) =>
  (rig: Rig): void =>
    void Object.assign(rig[part], more);

/** What is made ill, the step that finds it, what it makes of it, and what it says. */
const FAULTS: readonly (readonly [
  what: string,
  harm: (rig: Rig) => void,
  step: string,
  verdict: Verdict,
  codes: readonly string[],
])[] = [
  ['a dark tray', made('light', { flaws: ['dark'] }), 'light', 'fail', ['light', 'dark']],
  ['glare', made('light', { flaws: ['glare'] }), 'light', 'fail', ['light', 'glare']],
  ['uneven light', made('light', { evenness: 0.49 }), 'light', 'warn', ['light']],
  ['even light', made('light', { evenness: 0.5 }), 'light', 'pass', ['light']],
  ['no focus', made('light', { flaws: ['blurred'] }), 'card', 'fail', ['blurred', 'card']],
  ['no code', (rig) => void Object.assign(rig, { codes: [] }), 'card', 'fail', ['card-unread']],
  ['no camera', (rig) => void Object.assign(rig, { camera: 'none' }), 'card', 'absent', []],
  ['no lamp', made('gpio', { lamp: null }), 'lamp', 'absent', []],
  ['no LED', made('gpio', { statusLed: null }), 'led', 'absent', []],
  ['no button', made('gpio', { learnButton: null }), 'button', 'absent', []],
  ['no voice', () => undefined, 'voice', 'absent', []],
  [
    'a voice that is heard',
    (rig) => void rig.trials.set('voice', async () => ({ problem: null })),
    'voice',
    'pass',
    [],
  ],
  ['a speaker that is silent', silenced, 'voice', 'fail', []],
  ['no pins', made('gpio', { driver: 'none' }), 'lamp', 'absent', []],
  ['a bank that refuses', refusing, 'bank', 'fail', []],
  ['a slow bank', (rig) => withBank(rig, { ms: 5001 }), 'bank', 'warn', ['bank']],
  ['play money', playing, 'bank', 'warn', ['bank', 'bank-play']],
  ['a fixed code', (rig) => withBank(rig, { isAsked: false }), 'bank', 'pass', ['bank-unasked']],
  ['no time server', made('board', { isSynchronised: false }), 'time', 'warn', ['time-none']],
  ['a clock chip', made('board', { isSynchronised: false, hasClockChip: true }), 'time', 'pass', ['time-chip']],
  ['storage that is gone', (rig) => void Object.assign(rig, { storage: `${rig.path}.none` }), 'storage', 'fail', []],
  ['a watchdog that is off', made('board', watched(false)), 'watchdog', 'fail', ['watchdog-off']],
  ['no watchdog', made('board', watched(null)), 'watchdog', 'absent', []],
  ['no updater', made('board', { update: null }), 'updates', 'absent', []],
  ['no source', made('board', { update: { source: null } }), 'updates', 'warn', ['source-none']],
  ['a lost source', made('board', { update: { source: '/nonexistent' } }), 'updates', 'fail', ['source-lost']],
  ['a silent one', made('board', { update: { source: 'http://127.0.0.1:9/' } }), 'updates', 'fail', ['source-lost']],
  ['a fault of another part', (rig) => ailing(rig, 'model', 'model-stopped', 'sells-look-later'), 'rest', 'warn', []],
  ['a bank that is closed', (rig) => ailing(rig, 'bank', 'bank-closed', 'does-not-sell'), 'bank', 'fail', ['bank']],
  ['a remark', (rig) => ailing(rig, 'model', 'native-failed', 'sells'), 'rest', 'pass', []],
];

function watched(watchdog: boolean | null): object {
  return { guards: { watchdog, writableRoot: null } };
}

function silenced(rig: Rig): void {
  rig.trials.set('voice', async () => ({ problem: reasonOf('voice-no-player', {}) }));
}

function refusing(rig: Rig): void {
  rig.bank = () => Promise.reject(new Error('wrong password'));
}

function playing(rig: Rig): void {
  rig.isPlayMoney = true;
}

function withBank(rig: Rig, more: Partial<Awaited<ReturnType<Rig['bank']>>>): void {
  rig.bank = async () => ({ bankName: 'CFT', isAsked: true, ms: 5000, untried: [], ...more });
}

function ailing(rig: Rig, part: string, code: string, sales: 'sells' | 'sells-look-later' | 'does-not-sell'): void {
  rig.parts.push({ part, state: 'degraded', sales, reason: 'made up', reasons: [{ code, sales, about: {} }] });
}

for (const [what, harm, step, verdict, codes] of FAULTS)
  it(`${what}: ${step} ${verdict}`, async (rig) => {
    harm(rig);
    const state = await rig.walk();
    assert.equal(
      { stage: state.stage, verdict: verdictOf(state, step), codes: codesOf(state, step) },
      { stage: 'done', verdict, codes },
    );
    const advises = saidOf(state, step)?.says.some(({ code }) => code === `advice-${step}`);
    const isKnown = saidOf(state, step)?.reasons.length !== 0;
    assert.is(advises, ['warn', 'fail'].includes(verdict) && !isKnown, 'what to do');
    assert.is(state.reports[0]?.verdict, verdict === 'absent' ? 'pass' : verdict, 'the worst is that of the report');
  });

it('what a person does not see has failed, and what they pass over is no failure', async (rig) => {
  const steps = ['code', 'success', 'failure', 'blank', 'lamp', 'led', 'button'];
  const all = (answer: Answer) => Object.fromEntries(steps.map((step) => [step, answer]));
  for (const [answer, verdict] of [
    ['no', 'fail'],
    ['skip', 'asked'],
  ] as const) {
    const state = await rig.walk(all(answer));
    for (const step of steps) assert.is(verdictOf(state, step), verdict, step);
  }
  const state = await rig.walk({ light: 'skip', card: 'skip' });
  const found = [verdictOf(state, 'light'), verdictOf(state, 'card'), state.reports[0]?.verdict];
  assert.equal(found, ['asked', 'asked', 'asked']);
});

it('a display that is unplugged fails without a question; without one nothing is asked', async (rig) => {
  rig.wire.state = 'unplugged';
  await until('the loss', () => rig.screen.displayState.name === 'lost');
  const state = await rig.walk();
  assert.is(verdictOf(state, 'code'), 'fail');
  assert.match(saidOf(state, 'code')?.detail ?? '', /it was unplugged$/);
  await rig.screen.disconnect();
  assert.is(verdictOf(await rig.walk(), 'code'), 'absent');
});

it('lamp and LED blink while they are asked about, and are given back; a press is the button’s', async (rig) => {
  rig.test.begin('en');
  for (const step of ['code', 'success', 'failure', 'blank', 'light', 'card']) {
    await rig.asked(step);
    rig.press(); // no question was about the button
    rig.test.answer(step, 'yes');
  }
  for (const [step, pin] of [
    ['lamp', 'lamp'],
    ['led', 'led'],
  ] as const) {
    await rig.asked(step);
    const seen = new Set<boolean>();
    for (let turn = 0; turn < 4; turn++) {
      seen.add(rig.pins[pin]);
      rig.clock.go(700);
    }
    assert.is(seen.size, 2, step);
    rig.test.answer(step, 'yes');
  }
  await rig.asked('button');
  assert.equal(rig.pins, { lamp: true, led: true, lent: 1 });
  rig.press();
  assert.is(verdictOf(await rig.goOn(), 'button'), 'pass');
  assert.equal(rig.pins, { lamp: true, led: true, lent: 0 });
});

it('the board is loaded for half a minute: how warm it becomes, and whether it slows down', async (rig) => {
  const heats = async (degrees: readonly number[], timesSlowed = 0) => {
    let look = 0;
    const { board } = rig;
    Object.defineProperty(board, 'supply', {
      configurable: true,
      get: () => ({
        temperatureC: degrees[Math.min(look++, degrees.length - 1)],
        timesSlowed: look > 4 ? timesSlowed : 0,
      }),
    });
    const state = await rig.walk();
    const { before, most } = saidOf(state, 'heat')?.says[0]?.about ?? {};
    return [verdictOf(state, 'heat'), before, most, codesOf(state, 'heat')?.length];
  };
  assert.equal(await heats([50, 50, 50, 75, 60]), ['pass', 50, 75, 1]);
  assert.equal(await heats([50, 50, 50, 76, 60]), ['warn', 50, 76, 1]);
  assert.equal(await heats([50, 50, 50, 80, 60]), ['fail', 50, 80, 1]);
  assert.equal(await heats([50, 50, 50, 60, 60], 1), ['fail', 50, 60, 2]);
});

it('a web server that answers anything is a source', async (rig) => {
  await using server = await listening(createServer((_request, response) => response.writeHead(403).end()));
  rig.board.update = { source: `http://127.0.0.1:${server.port}/` };
  assert.is(verdictOf(await rig.walk(), 'updates'), 'pass');
});

it('a sale ends it at each question: display and lamp are restored, and there is no report', async (rig) => {
  const steps = ['code', 'success', 'failure', 'blank', 'light', 'card', 'lamp', 'led', 'button'];
  for (const [at, step] of steps.entries()) {
    rig.test.begin('en');
    for (const before of steps.slice(0, at)) {
      await rig.asked(before);
      rig.test.answer(before, 'yes');
    }
    await rig.asked(step);
    rig.clock.go(700);
    rig.sell();
    const { stage, why, report, asks, reports } = await until('the end', () =>
      rig.test.state.stage === 'running' ? null : rig.test.state,
    );
    assert.equal(
      { stage, why, report, asks, reports },
      { stage: 'broken', why: 'sale', report: null, asks: null, reports: [] },
      step,
    );
    const after = [rig.screen.isTested, rig.screen.picture, rig.pins];
    assert.equal(after, [false, { kind: 'clear' }, { lamp: true, led: true, lent: 0 }]);
    await until('an idle display', () => rig.display.picture.kind === 'clear');
    rig.clock.go(60_000);
    assert.is(rig.pins.lamp, true, 'nothing blinks any more');
  }
  assert.not(existsSync(rig.path));
});

it('a sale in the middle of a measurement breaks it off at once, and its outcome is none', async (rig) => {
  const trial = Promise.withResolvers<never>();
  rig.bank = () => trial.promise;
  rig.test.begin('en');
  const reached = rig.goOn();
  await until('the trial', () => rig.test.state.step === 'bank');
  rig.sell();
  assert.equal([(await reached).why, rig.test.state.results.some(({ step }) => step === 'bank')], ['sale', false]);
  trial.reject(new Error('too late'));
});

it('what a till shows breaks it off, and stays', async (rig) => {
  rig.test.begin('en');
  await rig.asked('code');
  await rig.screen.drawForTill({ kind: 'qr', payload: 'https://till.example/' });
  await until('the end', () => rig.test.state.why === 'sale' && rig.test.state.stage === 'broken');
  assert.equal(rig.display.picture, { kind: 'qr', payload: 'https://till.example/' });
});

it('it does not begin while a payment is waited for, or its outcome is shown', async (rig) => {
  rig.waiting = 1;
  assert.is(thrown(DeviceRefusal, () => rig.test.begin('en')).code, 'SaleRuns');
  rig.waiting = 0;
  await rig.screen.flash('success', 'outcome', () => undefined);
  assert.is(thrown(DeviceRefusal, () => rig.test.begin('en')).code, 'SaleRuns');
  assert.equal([rig.test.state.stage, rig.pins.lent], ['rest', 0]);
});

it('it runs once: who begins again goes on, and an answer to another question is passed over', async (rig) => {
  rig.test.begin('en');
  await rig.asked('code');
  rig.test.begin('ru');
  rig.test.answer('success', 'no');
  assert.equal([rig.test.state.step, rig.pins.lent], ['code', 1]);
  rig.test.answer('code', 'yes');
  rig.test.answer('code', 'no'); // a second tap
  await rig.asked('success');
  assert.is(verdictOf(rig.test.state, 'code'), 'pass');
  rig.test.stop();
  assert.equal([(await rig.goOn()).why, rig.clock.waiting], ['stopped', 0]);
});

it('a question that is left for ten minutes ends it; one that was answered does not', async (rig) => {
  rig.test.begin('en');
  await rig.asked('code');
  rig.clock.go(599_000);
  rig.test.answer('code', 'yes');
  await rig.asked('success');
  rig.clock.go(599_000);
  assert.is(rig.test.state.stage, 'running');
  rig.clock.go(1000);
  assert.equal([(await rig.goOn()).why, rig.screen.isTested], ['unanswered', false]);
});

it('five reports are kept, over a restart too; the sixth takes the place of the first', async (rig) => {
  for (let count = 0; count < 6; count++) await rig.walk();
  rig.forget();
  const numbers = rig.test.state.reports.map(({ number }) => number);
  assert.equal(numbers, [6, 5, 4, 3, 2]);
  assert.match(rig.test.report(2), 'Self-test report no. 2, device LW000042');
  assert.is(thrown(DeviceRefusal, () => rig.test.report(1)).code, 'NoReport');
});

it('a report that cannot be written is none, and those before stay', async (rig) => {
  const folder = join(rig.folder.path, 'kept');
  mkdirSync(folder);
  rig.path = join(folder, 'self-test.json');
  await rig.walk();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  const state = await rig.walk();
  assert.equal([state.stage, state.why, state.report], ['broken', 'unkept', null]);
  const numbers = state.reports.map(({ number }) => number);
  assert.equal(numbers, [1]);
  assert.equal(rig.warnings, ['the report of the self-test could not be kept']);
});

it('a damaged file of reports is as none', async (rig) => {
  writeFileSync(rig.path, '{"reports": 7}');
  assert.equal((await rig.walk()).reports.length, 1);
});

test.run();
