/** The steps of a self-test in their order: what each measures or asks, and the limits of its verdict. */

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { CLEAR, type Picture } from '../../../drivers/display/contract.ts';
import type { GpioConfig } from '../../../drivers/gpio/contract.ts';
import { type Board, HOT_C, type SupplyFacts } from '../../core/board/index.ts';
import { lanAddress } from '../../core/config/index.ts';
import { pauseBy, type Timekeeper } from '../../core/host/index.ts';
import type { Terminal } from '../../payments/index.ts';
import type { LentPins, Recognition } from '../../recognition/index.ts';
import type { Lane } from '../feature.ts';
import type { Answer, Outcome, QuestionKind, Remark } from './run.ts';
import { measureStorage, SLOW_SYNC_MS, STUCK_SYNC_MS } from './storage.ts';

/** From this temperature a warm shop can make the board slow down. */
const WARM_C = 75;
/** Time in which a board with a cooler nearly reaches its final temperature. */
const LOAD_MS = 30_000;
const POLL_MS = 1000;

/** Temperatures of the board under load, and whether it has slowed itself down. */
interface Heat {
  readonly before: number;
  readonly most: number;
  readonly isSlowed: boolean;
}

/** Loads each core with a thread of the lowest priority, so that the device's own work is not delayed. */
async function heatUnderLoad(
  look: () => SupplyFacts,
  clock: Pick<Timekeeper, 'after'>,
  signal: AbortSignal,
): Promise<Heat> {
  const degrees = (): number => Math.round(look().temperatureC ?? 0);
  const before = degrees();
  const timesBefore = look().timesSlowed;
  let most = before;
  const load = new URL('./heat-worker.ts', import.meta.url);
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(load, { name: 'heat' }));
  try {
    for (let passed = 0; passed < LOAD_MS && !signal.aborted; passed += POLL_MS) {
      await pauseBy(clock, POLL_MS, signal);
      most = Math.max(most, degrees());
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return { before, most, isSlowed: look().timesSlowed > timesBefore };
}

/** What a step may use. */
export interface Bench {
  readonly terminal: Pick<Terminal, 'screen' | 'settings' | 'isPlayMoney' | 'tryBank'>;
  readonly recognition: Pick<Recognition, 'camera' | 'viewer'>;
  readonly board: Pick<Board, 'disk' | 'supply' | 'guards' | 'isSynchronised' | 'hasClockChip' | 'model' | 'update'>;
  readonly gpio: GpioConfig;
  readonly pins: LentPins;
  readonly folder: string;
  readonly clock: Pick<Timekeeper, 'after'>;
  readonly trials: Pick<Lane['trials'], 'get'>;
  readonly ask: (kind: QuestionKind) => Promise<Answer>;
  /** Aborted when the run ends early. */
  readonly signal: AbortSignal;
}

export interface Step {
  readonly name: string;
  /** Parts of `/health` that belong to the step; null: all parts that no other step has. */
  readonly parts: readonly string[] | null;
  readonly run: (bench: Bench) => Promise<Outcome>;
}

const outcome = (verdict: Outcome['verdict'], ...says: Remark[]): Outcome => ({ verdict, says, detail: '' });
const remark = (code: string, about: Remark['about'] = {}): Remark => ({ code, about });
const ABSENT = outcome('absent');
const VERDICT_OF = { yes: 'pass', no: 'fail', skip: 'asked' } as const;
const answered = (answer: Answer): Outcome => outcome(VERDICT_OF[answer]);

/** Content of a code like that of a payment, which leads nowhere. */
const CODE = 'https://qr.nspk.ru/LANEWARE-SELF-TEST';
const AMOUNT = 12_300;
const BLINK_MS = 700;
/** Least light of the darkest ninth of the tray, in per cent of the brightest. */
const EVEN_PERCENT = 50;
const CARD_LOOKS = 6;
const LOOK_AGAIN_MS = 500;
const SLOW_BANK_MS = 5000;
const SOURCE_LIMIT_MS = 5000;
const MB = 1024 * 1024;

const frame = (name: string, picture: Picture): Step => ({
  name,
  parts: ['display'],
  run: async ({ terminal: { screen }, ask }) => {
    if (!screen.hasDisplay) return ABSENT;
    await screen.drawTest(picture);
    return answered(await ask('see'));
  },
});

async function light({ recognition: { camera, viewer }, ask }: Bench): Promise<Outcome> {
  if (camera.kind === 'none') return ABSENT;
  if ((await ask('ready')) !== 'yes') return outcome('asked');
  const { evenness, flaws } = await viewer.judgeView();
  const percent = Math.round(evenness * 100);
  const seen = remark('light', { percent, limit: EVEN_PERCENT });
  const lit = flaws.filter((flaw) => flaw === 'dark' || flaw === 'glare').map((flaw) => remark(flaw));
  if (lit.length > 0) return outcome('fail', seen, ...lit);
  return outcome(percent < EVEN_PERCENT ? 'warn' : 'pass', seen);
}

/**
 * Reads the codes on the tray, several times: a hand may still be in the picture, and the reader may still be loading.
 * @returns empty where none was read
 */
async function codesOnTray({ recognition, clock, signal }: Bench): Promise<readonly string[]> {
  for (let look = 0; look < CARD_LOOKS && !signal.aborted; look++) {
    const codes = await recognition.viewer.codesInSight();
    if (codes.length > 0) return codes;
    await pauseBy(clock, LOOK_AGAIN_MS, signal);
  }
  return [];
}

async function card(bench: Bench): Promise<Outcome> {
  const { recognition, ask } = bench;
  if (recognition.camera.kind === 'none') return ABSENT;
  if ((await ask('ready')) !== 'yes') return outcome('asked');
  const codes = await codesOnTray(bench);
  const { flaws } = await recognition.viewer.judgeView();
  const blurred = flaws.includes('blurred') ? [remark('blurred')] : [];
  if (codes.length === 0) return outcome('fail', remark('card-unread'), ...blurred);
  return outcome(blurred.length > 0 ? 'fail' : 'pass', ...blurred, remark('card'));
}

const blinking = (name: string, pin: 'lamp' | 'statusLed', set: (pins: LentPins, on: boolean) => void): Step => ({
  name,
  parts: ['pins'],
  run: async ({ gpio, pins, clock, ask, signal }) => {
    if (gpio.driver === 'none' || gpio[pin] === null) return ABSENT;
    let callOff = (): void => undefined;
    const turn = (on: boolean): void => {
      if (signal.aborted) return;
      set(pins, on);
      callOff = clock.after(BLINK_MS, () => turn(!on));
    };
    turn(false);
    const answer = await ask('see');
    callOff();
    set(pins, true);
    return answered(answer);
  },
});

async function button({ gpio, ask }: Bench): Promise<Outcome> {
  return gpio.driver === 'none' || gpio.learnButton === null ? ABSENT : answered(await ask('press'));
}

async function voice({ trials, ask }: Bench): Promise<Outcome> {
  const tried = (await trials.get('voice')?.()) ?? null;
  if (tried === null) return ABSENT;
  if (tried.problem !== null) return { ...outcome('fail'), detail: String(tried.problem) };
  return answered(await ask('see'));
}

async function bank({ terminal }: Bench): Promise<Outcome> {
  const { settings } = terminal;
  if (settings.active === null) return ABSENT;
  const { bankName, isAsked, ms } = await terminal.tryBank(settings.profileToTry(null, null));
  const about = { bank: bankName, ms, limit: SLOW_BANK_MS };
  if (terminal.isPlayMoney(null)) return outcome('warn', remark('bank', about), remark('bank-play'));
  if (!isAsked) return outcome('pass', remark('bank-unasked', about));
  return outcome(ms > SLOW_BANK_MS ? 'warn' : 'pass', remark('bank', about));
}

async function network(): Promise<Outcome> {
  const address = lanAddress();
  return address === null ? outcome('warn', remark('network-none')) : outcome('pass', remark('network', { address }));
}

async function time({ board }: Bench): Promise<Outcome> {
  if (board.isSynchronised) return outcome('pass', remark('time-server'));
  return board.hasClockChip ? outcome('pass', remark('time-chip')) : outcome('warn', remark('time-none'));
}

async function storage({ folder, board }: Bench): Promise<Outcome> {
  const { syncMs, rate, kilobytes } = await measureStorage(folder);
  const { lifeUsedPercent, writtenBytes } = board.disk;
  const worn = lifeUsedPercent === null ? [] : [remark('worn', { percent: lifeUsedPercent })];
  const written = writtenBytes === null ? [] : [remark('written', { mb: Math.round(writtenBytes / MB) })];
  const verdict = syncMs > STUCK_SYNC_MS ? 'fail' : syncMs > SLOW_SYNC_MS ? 'warn' : 'pass';
  return outcome(
    verdict,
    remark('storage', { ms: syncMs, limit: SLOW_SYNC_MS, rate, kb: kilobytes }),
    ...worn,
    ...written,
  );
}

async function heat({ board, clock, signal }: Bench): Promise<Outcome> {
  if (board.supply.temperatureC === null) return ABSENT;
  const { before, most, isSlowed } = await heatUnderLoad(() => board.supply, clock, signal);
  const seen = remark('heat', { before, most, limit: HOT_C });
  if (isSlowed || most >= HOT_C) return outcome('fail', seen, ...(isSlowed ? [remark('slowed')] : []));
  return outcome(most > WARM_C ? 'warn' : 'pass', seen);
}

async function watchdog({ board }: Bench): Promise<Outcome> {
  const isOn = board.guards.watchdog;
  if (isOn === null) return ABSENT;
  return isOn ? outcome('pass', remark('watchdog')) : outcome('fail', remark('watchdog-off'));
}

/** Whether the server of releases can be reached; any answer of it suffices. */
async function updates({ board: { update }, signal }: Bench): Promise<Outcome> {
  if (update === null) return ABSENT;
  const { source } = update;
  if (source === null) return outcome('warn', remark('source-none'));
  if (!/^https?:/.test(source))
    return existsSync(source) ? outcome('pass', remark('source')) : outcome('fail', remark('source-lost'));
  try {
    const limit = AbortSignal.any([AbortSignal.timeout(SOURCE_LIMIT_MS), signal]);
    await fetch(source, { method: 'HEAD', redirect: 'manual', signal: limit });
    return outcome('pass', remark('source'));
  } catch (error) {
    return { ...outcome('fail', remark('source-lost')), detail: String(error) };
  }
}

export const STEPS: readonly Step[] = [
  frame('code', { kind: 'qr', payload: CODE, amount: AMOUNT }),
  frame('success', { kind: 'status', status: 'success' }),
  frame('failure', { kind: 'status', status: 'failure' }),
  frame('blank', CLEAR),
  { name: 'light', parts: ['camera', 'tray'], run: light },
  { name: 'card', parts: ['camera', 'barcodes'], run: card },
  blinking('lamp', 'lamp', (pins, on) => pins.setLamp(on)),
  blinking('led', 'statusLed', (pins, on) => pins.setStatusLed(on)),
  { name: 'button', parts: ['pins'], run: button },
  { name: 'voice', parts: ['voice'], run: voice },
  { name: 'bank', parts: ['settings', 'bank'], run: bank },
  { name: 'network', parts: ['access', 'tls'], run: network },
  { name: 'time', parts: ['clock'], run: time },
  { name: 'storage', parts: ['disk', 'ledger'], run: storage },
  { name: 'heat', parts: ['board'], run: heat },
  { name: 'watchdog', parts: [], run: watchdog },
  { name: 'updates', parts: ['update'], run: updates },
  { name: 'rest', parts: null, run: async () => outcome('pass') },
];
