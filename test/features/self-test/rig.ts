/** A self-test on a lane that is well, each part of which a test makes ill: a simulated display, made-up pins, board, camera and bank. */
import { join } from 'node:path';
import { MemoryWire } from '../../../drivers/display/wire/memory-wire.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { wordsIn } from '../../../firmware/console/words.ts';
import type { HealthReport } from '../../../firmware/core/host/health.ts';
import type { Lane } from '../../../firmware/features/feature.ts';
import type { Answer, SelfTestState } from '../../../firmware/features/self-test/run.ts';
import { SelfTest, type SelfTestOptions } from '../../../firmware/features/self-test/self-test.ts';
import { Screen } from '../../../firmware/payments/service/screen/screen.ts';
import { StillClock } from '../../still-clock.ts';
import { type TemporaryFolder, temporaryFolder, until } from '../../support.ts';

type Part = HealthReport['parts'][number];
type Flaws = Awaited<ReturnType<SelfTestOptions['recognition']['viewer']['judgeView']>>['flaws'];

export class Rig implements AsyncDisposable {
  readonly folder: TemporaryFolder = temporaryFolder();
  readonly clock = new StillClock();
  readonly display = new SimulatedDisplay();
  readonly wire = new MemoryWire(this.display);
  readonly screen = new Screen({
    ...{ clock: this.clock, idleQR: null, symbolMs: 1000, patienceMs: 1000, log: () => undefined },
    open: (options) => this.wire.open('Serial', options),
  });
  readonly pins = { lamp: true, led: true, lent: 0 };
  readonly warnings: string[] = [];
  camera = 'push';
  readonly trials: Lane['trials'] = new Map();
  light = { evenness: 0.9, flaws: [] as Flaws };
  codes: readonly string[] = ['LANEWARE TEST CARD'];
  isPlayMoney = false;
  bank: () => Promise<{ bankName: string; isAsked: boolean; ms: number; untried: string[] }> = async () => ({
    ...{ bankName: 'CFT', isAsked: true, ms: 120, untried: [] },
  });
  board = {
    model: 'Made-up Board 5' as string | null,
    isSynchronised: true,
    hasClockChip: false,
    guards: { watchdog: true as boolean | null, writableRoot: null },
    disk: { lifeUsedPercent: 10 as number | null, writtenBytes: 5 * 1024 * 1024 },
    supply: { temperatureC: null as number | null, timesSlowed: 0 },
    update: { source: this.folder.path as string | null } as { source: string | null } | null,
  };
  parts: Part[] = [];
  waiting = 0;
  /** What is wired. */
  gpio: SelfTestOptions['gpio'] = { driver: 'onoff', lamp: 17, statusLed: 27, learnButton: 22 };
  path = join(this.folder.path, 'self-test.json');
  storage = this.folder.path;
  readonly #sales = new Set<() => void>();
  #press: () => void = () => undefined;
  #test: SelfTest | null = null;

  get test(): SelfTest {
    this.#test ??= new SelfTest(this.options());
    return this.#test;
  }

  /** As after a restart. */
  forget(): void {
    this.#test = null;
  }

  sell(): void {
    for (const sale of this.#sales) sale();
  }

  press(): void {
    this.#press();
  }

  options(): SelfTestOptions {
    const rig = this;
    const { screen, clock, pins } = this;
    const options = {
      terminal: {
        screen,
        settings: {
          get active() {
            return { profile: {} };
          },
          profileToTry: () => ({}),
        },
        isPlayMoney: () => rig.isPlayMoney,
        tryBank: () => rig.bank(),
        get isAtRest() {
          return rig.waiting === 0 && screen.isIdle;
        },
        onSale: (sale: () => void) => {
          rig.#sales.add(sale);
          return () => rig.#sales.delete(sale);
        },
      },
      recognition: {
        get camera() {
          return { kind: rig.camera };
        },
        viewer: { judgeView: async () => rig.light, codesInSight: async () => rig.codes },
      },
      get board() {
        return rig.board;
      },
      get gpio() {
        return rig.gpio;
      },
      trials: rig.trials,
      panel: {
        lend: (press: () => void) => {
          rig.#press = press;
          pins.lent += 1;
          return {
            setLamp: (on: boolean) => void Object.assign(pins, { lamp: on }),
            setStatusLed: (on: boolean) => void Object.assign(pins, { led: on }),
            release: () => void Object.assign(pins, { lamp: true, led: true, lent: pins.lent - 1 }),
          };
        },
      },
      health: { report: () => ({ parts: rig.parts }) },
      clock,
      get folder() {
        return rig.storage;
      },
      ...{ path: this.path, device: 'LW000042', version: '1.2.0' },
      words: wordsIn,
      log: { warn: (_about: object, message: string) => void this.warnings.push(message) },
    };
    return options as unknown as SelfTestOptions;
  }

  /** Waits until it asks about a step, or is over. */
  async asked(step: string): Promise<SelfTestState> {
    return await until(`a question about ${step}`, () => {
      const { state } = this.test;
      if (state.stage !== 'running') throw new Error(`it is ${state.stage} already`);
      return state.step === step && state.asks !== null ? state : null;
    });
  }

  /** Answers until it is over. @param answers by the step; yes, where it has none */
  async walk(answers: Readonly<Record<string, Answer>> = {}, language: 'en' | 'ru' = 'en'): Promise<SelfTestState> {
    this.test.begin(language);
    return await this.goOn(answers);
  }

  async goOn(answers: Readonly<Record<string, Answer>> = {}): Promise<SelfTestState> {
    return await until('the end', () => {
      const { state } = this.test;
      if (state.stage !== 'running') return state;
      const { step, asks } = state;
      if (step === 'heat' || (step === 'card' && asks === null)) this.clock.go(1000);
      if (step === null || asks === null) return null;
      const answer = answers[step];
      if (asks === 'press' && answer === undefined) this.press();
      else this.test.answer(step, answer ?? 'yes');
      return null;
    });
  }

  async connect(): Promise<this> {
    await this.screen.connect();
    await this.screen.ready();
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#test?.close();
    await this.screen.close();
    this.folder[Symbol.dispose]();
  }
}
