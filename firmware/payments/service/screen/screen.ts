/**
 * Owns the one current picture of the customer's display: a display that reconnects draws this and nothing older. A
 * picture that could not be drawn at once is forgotten, never drawn later.
 */
import {
  CLEAR,
  type Display,
  DisplayError,
  type DisplayOptions,
  type DisplayState,
  type Picture,
} from '../../../../drivers/display/contract.ts';
import { after } from '../../../../drivers/lib/async.ts';
import { because, messageOf } from '../../../../drivers/lib/errors.ts';
import type { LogLine, Timekeeper } from '../../../core/host/index.ts';

export type Outcome = 'success' | 'failure';

/** Owner of the picture: a payment by its order id, an outcome, the till, the technician, a self-test, or nobody (idle). */
type Owner = { readonly payment: string } | 'outcome' | 'till' | 'claim' | 'test' | 'idle';

export interface ScreenOptions {
  readonly clock: Pick<Timekeeper, 'after'>;
  /** The QR code on an idle display; null: none. */
  readonly idleQR: string | null;
  readonly symbolMs: number;
  /** How long to wait for a display that is being connected. */
  readonly patienceMs: number;
  /** Opens the display of a connection. */
  readonly open: (options: DisplayOptions) => Display;
  /** Gets each state of a display, by its name. */
  readonly onState?: (state: DisplayState['name']) => void;
  readonly log: LogLine;
}

const NO_DISPLAY: DisplayState = Object.freeze({ name: 'closed' });

export class Screen {
  readonly #options: ScreenOptions;
  readonly #listeners = new Set<() => void>();
  #display: Display | null = null;
  #displayState: DisplayState = NO_DISPLAY;
  #picture: Picture = CLEAR;
  #owner: Owner = 'idle';
  #endSymbol: (() => void) | null = null;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#picture = this.#idlePicture();
  }

  get picture(): Picture {
    return this.#picture;
  }

  get displayState(): DisplayState {
    return this.#displayState;
  }

  /** The order id of the payment whose code is on the display, or null. */
  get payment(): string | null {
    return typeof this.#owner === 'object' && this.#picture.kind === 'qr' ? this.#owner.payment : null;
  }

  /** Whether the display counts as idle: a technician's code and a self-test give way to everything. */
  get isIdle(): boolean {
    return this.#owner === 'idle' || this.#owner === 'claim' || this.isTested;
  }

  get isTested(): boolean {
    return this.#owner === 'test';
  }

  /** The code for the technician that is shown, or null. */
  get claim(): Picture | null {
    return this.#owner === 'claim' ? this.#picture : null;
  }

  /** Type of the display's driver; null without a display. */
  get kind(): string | null {
    return this.#display?.kind ?? null;
  }

  /** Whether a display is set up, or looked for. */
  get hasDisplay(): boolean {
    return this.#display !== null;
  }

  /** Calls `listener` after every change of the picture or of the link. @returns a function that ends that */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Replaces the display; the picture moves to the new one. */
  async connect(): Promise<void> {
    await this.disconnect();
    const display = this.#options.open({
      current: () => this.#picture,
      onState: (state) => {
        if (this.#display !== null && this.#display !== display) return;
        this.#onState(state);
        this.#changed();
      },
      log: this.#options.log,
    });
    this.#display = display;
    this.#onState(display.state);
    this.#changed();
  }

  async disconnect(): Promise<void> {
    const display = this.#display;
    this.#display = null;
    this.#onState(NO_DISPLAY);
    await display?.close();
  }

  /**
   * Waits for a display that is being connected, as right after a change of settings.
   * @throws {DisplayError} `not-connected` when nothing can be drawn now; its cause says why
   */
  async ready(): Promise<void> {
    await this.#whileConnecting();
    const state = this.#displayState;
    if (this.#display !== null && state.name === 'ready') return;
    const kind = this.#display?.kind ?? 'screen';
    const why = state.name === 'lost' ? { cause: new DisplayError(kind, state.code, state.reason) } : {};
    throw new DisplayError(kind, 'not-connected', `the display is not connected${because(state)}`, why);
  }

  /** Has the display begin to clear while a new code is being written to the ledger. */
  makeRoom(): void {
    this.#display?.clearAhead?.();
  }

  /** The new code is not drawn: draws the current picture again. */
  redrawPicture(): void {
    this.#drawIfReady();
  }

  /** Draws the code of a payment. @throws {DisplayError} the code is then forgotten */
  drawCode(orderId: string, picture: Picture): Promise<void> {
    return this.#draw(picture, { payment: orderId });
  }

  /** Draws a picture that the till sent. @throws {DisplayError} the picture is then forgotten */
  drawForTill(picture: Picture): Promise<void> {
    return this.#draw(picture, 'till');
  }

  /** Removes this very picture, where it is still shown: the idle one follows. */
  removePicture(picture: Picture): void {
    if (this.#picture === picture) this.#toIdle();
  }

  /** Makes a payment's code the current picture again after a restart, without waiting for the display. */
  restore(orderId: string, picture: Picture): void {
    this.#makeCurrent(picture, { payment: orderId });
  }

  /** Shows a technician's code on an idle display; a display that connects later shows it, too. */
  showClaim(picture: Picture): void {
    if (!this.isIdle) throw new Error('the display is in use');
    this.#makeCurrent(picture, 'claim');
    this.#drawIfReady();
  }

  /** Removes the technician's code, where it is still shown. */
  endClaim(): void {
    this.#end('claim');
  }

  /** Draws the picture of a self-test, about which a technician is asked. @throws {DisplayError} */
  drawTest(picture: Picture): Promise<void> {
    return this.#draw(picture, 'test');
  }

  /** Removes the self-test's picture, where it is still shown. */
  endTest(): void {
    this.#end('test');
  }

  /** Shows the idle picture. @throws {DisplayError} the next connection then draws it */
  clear(): Promise<void> {
    return this.#draw(this.#idlePicture(), 'idle');
  }

  /** Clears the display, the idle picture included. */
  blank(): Promise<void> {
    return this.#draw(CLEAR, 'idle');
  }

  /**
   * Shows a symbol for its time, then calls `next`.
   * @throws {DisplayError} the next connection then draws an outcome within its time; a symbol of the till is forgotten
   */
  async flash(status: Outcome, owner: 'outcome' | 'till', next: () => void): Promise<void> {
    const drawn = this.#draw({ kind: 'status', status }, owner);
    this.#endSymbol = this.#options.clock.after(this.#options.symbolMs, () => {
      this.#endSymbol = null;
      next();
    });
    await drawn;
  }

  async close(): Promise<void> {
    this.#endSymbol?.();
    await this.disconnect();
    this.#listeners.clear();
  }

  #onState(state: DisplayState): void {
    this.#displayState = state;
    this.#options.onState?.(state.name);
  }

  #idlePicture(): Picture {
    return this.#options.idleQR === null ? CLEAR : { kind: 'qr', payload: this.#options.idleQR };
  }

  #end(owner: Owner): void {
    if (this.#owner === owner) this.#toIdle();
  }

  #toIdle(): void {
    this.#makeCurrent(this.#idlePicture(), 'idle');
    this.#drawIfReady();
  }

  #makeCurrent(picture: Picture, owner: Owner): void {
    this.#endSymbol?.();
    this.#endSymbol = null;
    this.#picture = picture;
    this.#owner = owner;
    this.#changed();
  }

  /** Draws the present picture without waiting: a display that is absent draws it when it connects. */
  #drawIfReady(): void {
    if (this.#displayState.name !== 'ready') return;
    this.#display
      ?.draw(this.#picture)
      .catch((error: unknown) =>
        this.#options.log('the display has not drawn what it was asked to', { reason: messageOf(error) }),
      );
  }

  #whileConnecting(): Promise<void> {
    if (this.#displayState.name !== 'connecting') return Promise.resolve();
    return new Promise((resolve) => {
      const settle = (): void => {
        callOff();
        unlisten();
        resolve();
      };
      const callOff = after(this.#options.patienceMs, settle);
      const unlisten = this.onChange(() => {
        if (this.#displayState.name !== 'connecting') settle();
      });
    });
  }

  /** Draws a picture. It is current before its first byte goes out: a connection made meanwhile draws it, or nothing. */
  async #draw(picture: Picture, owner: Owner): Promise<void> {
    this.#makeCurrent(picture, owner);
    try {
      await this.#whileConnecting();
      if (this.#picture !== picture) return; // another picture has become current meanwhile
      if (this.#display === null) throw new DisplayError('screen', 'not-connected', 'no display is set up');
      await this.#display.draw(picture);
    } catch (error) {
      const isForgotten = picture.kind === 'qr' || owner === 'till';
      if (this.#picture === picture && isForgotten) this.#makeCurrent(this.#idlePicture(), 'idle');
      throw error;
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
