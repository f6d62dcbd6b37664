/**
 * Lets a technician into a device at hand: the code on its display, typed or photographed, makes a token, or replaces
 * the PIN. A code works once, for some minutes that no clock setting changes; wrong codes cost their network pauses. No
 * log has the code.
 */
import { timingSafeEqual } from 'node:crypto';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { inGroups, type LogLine, randomCharacters, readCharacters, type Timekeeper } from '../host/index.ts';
import type { Sign } from './claim-sign.ts';
import { ClaimError } from './errors.ts';
import { BRIEF_PAUSES, Lockouts, networkOf } from './lockouts.ts';
import type { MadeTokens } from './made-tokens.ts';

const CODE_LIFE_MS = 10 * 60_000;
/** 40 bits: two groups of four. */
const CODE_CHARACTERS = 8;
/** How often the code is drawn again, as its link has the address: a newly plugged cable brings another address. */
const REDRAW_MS = 3000;

interface Code {
  readonly characters: string;
  /** Stops the timer that makes it void. */
  readonly callOff: () => void;
}

export class Claims {
  readonly #sign: Sign;
  readonly #tokens: Pick<MadeTokens, 'has' | 'problem'>;
  readonly #isConfigured: boolean;
  readonly #clock: Pick<Timekeeper, 'after' | 'monotonic'>;
  readonly #log: LogLine;
  /** One claim at a time: a code in use is used up before the next one is checked. */
  readonly #queue = new SerialQueue();
  readonly #lockouts: Lockouts;
  #code: Code | null = null;
  /** Whether the device has started: a display that is connected earlier is no reason for a code. */
  #hasStarted = false;
  /** Whether a code was ever where somebody could read it. Until then each void code is followed by a new one. */
  #wasSeen = false;
  /** Whether there was a display at the last change: a display that is new since then shows a code. */
  #hadDisplay = false;
  #stopRedrawing: (() => void) | null = null;

  /** @param isConfigured whether the configuration names a technician's token */
  constructor(
    sign: Sign,
    tokens: Pick<MadeTokens, 'has' | 'problem'>,
    isConfigured: boolean,
    clock: Pick<Timekeeper, 'after' | 'monotonic'>,
    log: LogLine,
  ) {
    this.#sign = sign;
    this.#tokens = tokens;
    this.#isConfigured = isConfigured;
    this.#clock = clock;
    this.#log = log;
    this.#lockouts = new Lockouts(() => clock.monotonic(), BRIEF_PAUSES);
  }

  /** Whether there is no technician's token: none in the configuration, none made here, none lost. */
  get isUnclaimed(): boolean {
    return !this.#isConfigured && !this.#tokens.has('technician') && this.#tokens.problem === null;
  }

  /** Shows a code where the device has not been claimed yet. */
  begin(): void {
    this.#hasStarted = true;
    if (this.isUnclaimed) this.showNewCode();
  }

  /** Shows a new code; the one before is void. @returns whether it is shown: a payment is never disturbed */
  showNewCode(): boolean {
    this.#discardCode();
    const characters = randomCharacters(CODE_CHARACTERS);
    // set before the code is shown: the display reports the change at once
    this.#code = { characters, callOff: this.#clock.after(CODE_LIFE_MS, () => this.#expire()) };
    if (!this.#sign.show(inGroups(characters))) {
      this.#discardCode();
      this.#log('no code for a token is shown: the display is in use');
      return false;
    }
    this.#redrawLater();
    this.#log('a code for a token is shown');
    return true;
  }

  /** Call it after each change of the display: of its picture, or of the display itself. */
  displayChanged(): void {
    const { isShown, hasDisplay } = this.#sign;
    const isNew = hasDisplay && !this.#hadDisplay;
    this.#hadDisplay = hasDisplay;
    if (this.#code !== null && !isShown) this.#discardCode(); // another picture has taken its place
    if (this.#code !== null) {
      this.#wasSeen ||= hasDisplay;
      return;
    }
    // a display connected late, before anybody could read a code
    if (isNew && this.#hasStarted && !this.#wasSeen && this.isUnclaimed) this.showNewCode();
  }

  /** Records that a page on the machine's own screen shows the code. */
  markRead(): void {
    this.#wasSeen ||= this.#code !== null;
  }

  /**
   * @param from the sender's address
   * @param typed what a person read from the display
   * @param use the one use of the code: where it fails, the code stays valid
   * @throws {ClaimError} @throws the errors of `use`
   */
  redeem<Made>(from: string, typed: string, use: () => Promise<Made>): Promise<Made> {
    return this.#queue.run(async () => {
      this.#requireRightCode(from, typed);
      const made = await use();
      this.#discardCode();
      return made;
    });
  }

  close(): void {
    this.#discardCode();
  }

  #requireRightCode(from: string, typed: string): void {
    const code = this.#code;
    if (code === null)
      throw new ClaimError(
        'NoCode',
        'the device shows no code now: hold its learn button for ten seconds, or switch it off and on where it has no token yet',
      );
    const given = readCharacters(typed, CODE_CHARACTERS);
    if (given !== null) {
      // a text of another length is no guess
      this.#requireNoPause(from);
      if (timingSafeEqual(Buffer.from(given), Buffer.from(code.characters))) return;
      this.#lockouts.wrong(networkOf(from), given);
    }
    throw new ClaimError('WrongCode', 'this is not the code that the display shows: eight letters and digits');
  }

  /** @throws {ClaimError} `TooManyTries`, for right and wrong codes */
  #requireNoPause(from: string): void {
    const pause = this.#lockouts.left(networkOf(from));
    if (pause === 0) return;
    const seconds = Math.ceil(pause / 1000);
    throw new ClaimError(
      'TooManyTries',
      `too many wrong codes were sent: the next one from ${from} is checked in ${seconds} s`,
      seconds,
    );
  }

  #expire(): void {
    const wasSeen = this.#wasSeen;
    this.#discardCode();
    if (!wasSeen && this.isUnclaimed) this.showNewCode(); // a display may be connected later
  }

  #discardCode(): void {
    const code = this.#code;
    this.#code = null;
    this.#stopRedrawing?.();
    this.#stopRedrawing = null;
    if (code === null) return;
    code.callOff();
    this.#sign.hide();
  }

  /** Shows the code again, for its link to have the present address. The sign draws nothing while that is the same. */
  #redrawLater(): void {
    this.#stopRedrawing = this.#clock.after(REDRAW_MS, () => {
      if (this.#code === null) return;
      this.#sign.show(inGroups(this.#code.characters));
      this.#redrawLater();
    });
  }
}
