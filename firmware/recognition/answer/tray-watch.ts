/**
 * Watches the tray while it has readers, and a while longer: it reports each change and, once the tray lies still, what
 * lies there. A minute after the last reader it stops, and no frame is decoded.
 */
import { after as afterMachine } from '../../../drivers/lib/async.ts';
import { type LogLine, type OwnFailures, pauseBy } from '../../core/host/index.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import { isMoving } from '../vision/background.ts';
import type { View } from '../vision/frame.ts';
import { isSameTray } from '../vision/thing-finder.ts';
import { TrayFeed } from '../vision/tray-feed.ts';
import { TrayChoices } from './tray-choices.ts';
import { type Chosen, EMPTY, isSameAnswer, lost, type TakenBack, type TrayState } from './tray-state.ts';
import type { Look, Viewer } from './viewer.ts';

/**
 * The time between looks. Two looks show that the tray lies still, and the answer must be on the screen within 300 ms.
 */
export const OBSERVE_EVERY_MS = 100;
/** The time between two recognitions of an unmoved tray: while an item is taught, each template may change the answer. */
export const AGAIN_EVERY_MS = 1000;
/** How long the watch continues without readers: a reader that returns within it has missed no event. */
export const LINGER_MS = 60_000;

/** Names of events: the change itself, or the state that resulted. */
export const TRAY_EVENTS = Object.freeze([
  'tray.changed',
  'item.recognised',
  'item.unknown',
  'tray.empty',
  'camera.lost',
  'item.chosen',
  'item.taken_back',
  'item.contradicted',
] as const);
type TrayEvent = (typeof TRAY_EVENTS)[number];

const EVENT_OF: Readonly<Record<TrayState['state'], TrayEvent>> = {
  item: 'item.recognised',
  unknown: 'item.unknown',
  empty: 'tray.empty',
  lost: 'camera.lost',
};

interface TrayWatchOptions {
  readonly viewer: Pick<Viewer, 'observe'>;
  /** Recognises what lies there now. @throws {RecognitionError} */
  readonly recognise: () => Promise<TrayState>;
  /** An earlier state with the present names, codes and prices of its candidates. */
  readonly soldNow: (tray: TrayState) => TrayState;
  /** Number of the newest recognition, of any caller; 0 before the first. */
  readonly newestRecognition: () => number;
  /** A number that changes whenever an answer may change: a template, a name or a setting was changed. */
  readonly revision: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The timer of looks and of the watch's end; the machine's time when left out. */
  readonly after?: typeof afterMachine;
  readonly log: LogLine;
  /** Counts the looks that fail by an error of the program. */
  readonly own: OwnFailures;
}

/** The state that was reported last. */
export interface ReportedState {
  readonly number: number;
  readonly at: number;
  readonly tray: TrayState;
}

export class TrayWatch {
  readonly feed: TrayFeed;
  readonly #options: TrayWatchOptions;
  #reported: ReportedState | null = null;
  /** The view when the state was reported. */
  #reportedView: View | null = null;
  #lastView: View | null = null;
  /** The last look; null: the next one is not skipped, even if the frame is the same. */
  #lastLook: Pick<Look, 'sequence' | 'trayRevision'> | null = null;
  #isChanging = false;
  readonly #choices = new TrayChoices();
  /** Value of `revision` at the last recognition. */
  #revision = 0;
  /** The reported names, codes and prices. */
  #sold = '';
  /** Whether `AGAIN_EVERY_MS` have passed since the unmoved tray was recognised again. */
  #isPauseOver = true;
  /** How many answers of people are being processed. */
  #answers = 0;
  #running: AbortController | null = null;
  readonly #after: typeof afterMachine;
  #cancelEnd: () => void = () => undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(options: TrayWatchOptions) {
    this.#options = options;
    this.#after = options.after ?? afterMachine;
    this.feed = new TrayFeed(options.now(), (count) => this.#readersChanged(count));
  }

  /** The present state; null until the tray has been looked at, and while it changes. */
  get reported(): ReportedState | null {
    if (this.#reported === null || this.#isChanging) return null;
    return { ...this.#reported, tray: this.#options.soldNow(this.#reported.tray) };
  }

  /** Whether the reported answer may be out of date, so that the tray is recognised again. */
  get isBehind(): boolean {
    const isSeen = this.#reported?.tray.state === 'unknown' || this.#reported?.tray.state === 'item';
    return isSeen && !this.#isAnswered && this.#revision !== this.#options.revision();
  }

  /**
   * Reports a person's choice, unless it concerns an earlier tray.
   * @param answered `number` of the recognition; `isRepeated`: the answer was given before, and is then reported only
   * where the thing was taken back
   */
  reportChosen(chosen: Chosen, answered: { readonly number: number; readonly isRepeated: boolean }): void {
    if (this.#choices.choose(chosen, answered)) this.#append('item.chosen', `${chosen.thing}`, { chosen });
  }

  /**
   * Reports once that a person took an answer or choice back, unless it concerns an earlier tray.
   * @param answered `number` of the recognition
   */
  reportTakenBack(takenBack: TakenBack, answered: { readonly number: number }): void {
    if (this.#choices.takeBack(takenBack, answered))
      this.#append('item.taken_back', `${takenBack.thing}`, { takenBack });
  }

  /** Reports that a person chose another item than the certain one, whatever lies there now. @param id of the contradiction */
  reportContradicted(id: string, contradicted: object): void {
    this.#append('item.contradicted', `contradicted ${id}`, { contradicted });
  }

  /** Processes a person's answer: what it teaches is no reason to look again. */
  async answer<T>(work: () => Promise<T>): Promise<T> {
    this.#answers += 1;
    try {
      return await work();
    } finally {
      this.#answers -= 1;
    }
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#done;
  }

  /** @param note as in `TrayFeed.append` */
  #append(type: TrayEvent, note: string, data: object): void {
    const at = new Date(this.#options.now()).toISOString();
    this.feed.append(type, (number) => ({ number, type, at, ...data }), note);
  }

  #readersChanged(count: number): void {
    this.#cancelEnd();
    if (count > 0) this.#start();
    else if (this.#running !== null) this.#cancelEnd = this.#after(LINGER_MS, () => this.#stop());
  }

  #start(): void {
    if (this.#running !== null) return;
    this.#running = new AbortController();
    this.#done = this.#run(this.#running.signal);
  }

  #stop(): void {
    this.#cancelEnd();
    if (this.#running === null) return;
    this.#running.abort();
    this.#running = null;
    this.#reported = null;
    this.#reportedView = null;
    this.#lastView = null;
    this.#lastLook = null;
    this.#isChanging = false;
    this.feed.breakOff();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { log, own } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#observe(signal);
        own.done('look');
      } catch (error) {
        if (!(error instanceof RecognitionError)) {
          own.failed('look', error);
          log('the tray cannot be watched', { reason: String(error) });
        }
      }
      await pauseBy({ after: this.#after }, OBSERVE_EVERY_MS, signal);
    }
  }

  async #observe(signal: AbortSignal): Promise<void> {
    try {
      const look = await this.#options.viewer.observe(this.#mayDiffer() ? null : this.#lastLook);
      if (look === null || signal.aborted) return;
      const { view, sequence, trayRevision, isEmpty, isStreaming } = look;
      const before = this.#lastView;
      this.#lastView = view;
      this.#lastLook = { sequence, trayRevision };
      if (isEmpty) return this.#report(EMPTY, view);
      const isKnown =
        this.#reportedView !== null && this.#reported?.tray.state !== 'empty' && isSameTray(this.#reportedView, view);
      if (isKnown && !this.#isChanging) return await this.#recogniseAgain(view, signal);
      this.#reportChange();
      if (isStreaming && (before === null || isMoving(before, view))) return; // until it lies still
      this.#revision = this.#options.revision();
      const tray = await this.#options.recognise();
      if (!signal.aborted) this.#report(tray, view);
    } catch (error) {
      if (!(error instanceof RecognitionError) || error.codeName !== 'Camera.Lost') {
        this.#lastLook = null; // tries the same frame again: a camera that does not stream may give no other
        throw error;
      }
      if (!signal.aborted) this.#report(lost(error.message), null);
    }
  }

  /** Whether a person has answered, or is answering: nothing else counts until the tray changes. */
  get #isAnswered(): boolean {
    return this.#choices.isChosen || this.#answers > 0;
  }

  /** Whether the answer may have changed: templates were learned or forgotten, here or by another device. */
  #mayDiffer(): boolean {
    return this.#isPauseOver && !this.#isChanging && this.isBehind;
  }

  /** Reports the tray again when the answer or its price has changed, though nothing has moved. */
  async #recogniseAgain(view: View, signal: AbortSignal): Promise<void> {
    if (!this.#mayDiffer()) return this.#reportSold();
    this.#isPauseOver = false;
    this.#after(AGAIN_EVERY_MS, () => {
      this.#isPauseOver = true;
    });
    const revision = this.#options.revision();
    const newestBefore = this.#options.newestRecognition();
    const tray = await this.#options.recognise();
    this.#revision = revision; // not before: until here the reported answer is one of the earlier gallery
    if (signal.aborted || this.#isAnswered || this.#reported === null) return;
    if (isSameAnswer(tray, this.#reported.tray)) {
      this.#reportSold();
      this.feed.wake(); // callers that wait for an answer of the present gallery have it
      return;
    }
    this.#reportChange(newestBefore);
    this.#report(tray, view);
  }

  /** Reports the same answer again where its names, codes or prices were changed meanwhile. */
  #reportSold(): void {
    if (this.#reported?.tray.state !== 'item' || this.#isAnswered) return;
    if (JSON.stringify(this.#options.soldNow(this.#reported.tray)) === this.#sold) return;
    this.#reportTray(this.#reported.tray);
  }

  /** @param earlier number of the newest recognition that belongs to the earlier tray */
  #reportChange(earlier = this.#options.newestRecognition()): void {
    if (this.#isChanging) return;
    this.#isChanging = true;
    this.#choices.beginTray(earlier);
    const at = this.#options.now();
    this.feed.append('tray.changed', (number) => ({ number, type: 'tray.changed', at: new Date(at).toISOString() }));
  }

  #report(tray: TrayState, view: View | null): void {
    this.#reportedView = view;
    if (view === null) this.#lastLook = null;
    const before = this.#reported?.tray;
    // a lost camera is reported once for each reason, an empty tray once
    const isAsBefore = tray.state === before?.state && tray.reason === before.reason && view === null;
    const isReported = isAsBefore || (tray.state === 'empty' && before?.state === 'empty');
    if (isReported && !this.#isChanging) return; // after `tray.changed` a reader gets a result, even the same one
    if (tray.state === 'empty' && before !== undefined) this.#reportChange();
    if (tray.id === null) this.#choices.beginTray(this.#options.newestRecognition());
    this.#isChanging = false;
    this.#reportTray(tray);
  }

  #reportTray(tray: TrayState): void {
    const at = this.#options.now();
    const type = EVENT_OF[tray.state];
    this.#reported = { number: this.feed.last + 1, at, tray };
    this.#sold = JSON.stringify(this.#options.soldNow(tray));
    this.feed.append(type, (number) => ({
      number,
      type,
      at: new Date(at).toISOString(),
      tray: this.#options.soldNow(tray),
    }));
  }
}
