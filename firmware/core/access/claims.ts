/**
 * Lets a technician into a device at hand: the code on its display, typed or photographed, makes a token, or replaces
 * the PIN. A code works once, for some minutes that no clock setting changes; wrong tries cost their address pauses. No
 * log has the code: only the display shows it.
 */
import { timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { isEverywhere, lanAddress } from '../config/index.ts';
import { replaceFile } from '../files/index.ts';
import { inGroups, type LogLine, randomCharacters, readCharacters, type Timekeeper } from '../host/index.ts';
import { ClaimError } from './errors.ts';
import { BRIEF_PAUSES, Lockouts, networkOf } from './lockouts.ts';
import type { MadeTokens } from './made-tokens.ts';

const DEFAULT_PORTS = { https: 443, http: 80 } as const;
/** An address that a machine gives itself when it gets none. */
const LINK_LOCAL = /^169\.254\./;

function networkAddress(): string | null {
  const address = lanAddress();
  return address === null || LINK_LOCAL.test(address) ? null : address;
}

/**
 * The address at which others reach a port.
 * @param host what the port listens on
 * @returns `https://192.168.1.20:8080`; by its name in the LAN until it has an address
 */
export function networkUrl(host: string, port: number, isTls = true): string {
  const scheme = isTls ? 'https' : 'http';
  const [name = ''] = hostname().split('.');
  const found = isEverywhere(host) ? (networkAddress() ?? `${name}.local`) : host;
  const authority = found.includes(':') ? `[${found}]` : found;
  return `${scheme}://${authority}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;
}

/** The address of the page where a person types the code. */
export const claimAddress = (host: string, port: number): string => `${networkUrl(host, port)}/claim`;

/**
 * The link of a code. The part after `#` is for the page only: no browser sends it, so no log has it. The part after
 * the code is for displays that echo what they got: the ends of such an echo are logged.
 */
export const claimLink = (address: string, code: string): string => `${address}#${code}&for=laneware-technician`;

/** Where a code is shown. */
export interface Sign {
  /** Shows a code. @returns false while the display belongs to a payment or a till: nothing is shown then */
  show(code: string): boolean;
  /** Removes the code, where it is still shown. */
  hide(): void;
  /** Whether the code is still shown: any other picture replaces it at once. */
  readonly isShown: boolean;
  /** Whether there is a display in front of somebody. */
  readonly hasDisplay: boolean;
}

/**
 * A sign that shows its codes on the consoles of the board, too: without them, an absent or broken display would leave
 * a flashed lane without access. A failing console never removes the display's code.
 * @param file in systemd's folder in memory: `key=value` lines, present while the code is valid.
 * `scripts/claim-console.sh`, as root, shows them; it reads these and no others
 * @param address present address of the page where a person types the code
 */
export function onConsole(sign: Sign, file: string, address: () => string, log: LogLine): Sign {
  let shown = '';
  const write = (text: string): void => {
    if (text === shown) return;
    shown = text;
    try {
      if (text === '') rmSync(file, { force: true });
      else replaceFile(file, text);
    } catch (err) {
      log('the consoles of the board do not show the code for a token, or show an old one', { err });
    }
  };
  return {
    get isShown(): boolean {
      return sign.isShown;
    },

    get hasDisplay(): boolean {
      return sign.hasDisplay;
    },

    /**
     * Shows the code on the console first: a display that shows something else at once hides the code, and then it must
     * not come back.
     */
    show(code: string): boolean {
      write(`code=${code}\naddress=${address()}\n`);
      const isShown = sign.show(code);
      if (!isShown) write('');
      return isShown;
    },

    hide(): void {
      write('');
      sign.hide();
    },
  };
}

const CODE_LIFE_MS = 10 * 60_000;
/** 40 bits: two groups of four. */
const CODE_CHARACTERS = 8;
/** How often the code is drawn again, as its link has the address: a newly plugged cable brings another one. */
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
  /** Whether the device has started: a display that comes before is no reason for a code. */
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

  /** Whether no token opens everything from the network, and none ever did. */
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
    // before it is shown: the display reports the change at once
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

  /** Notes that a page on the machine's own screen shows the code. */
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
    if (!wasSeen && this.isUnclaimed) this.showNewCode(); // its display may be brought later
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

  /** The sign draws nothing while the address is the same. */
  #redrawLater(): void {
    this.#stopRedrawing = this.#clock.after(REDRAW_MS, () => {
      if (this.#code === null) return;
      this.#sign.show(inGroups(this.#code.characters));
      this.#redrawLater();
    });
  }
}
