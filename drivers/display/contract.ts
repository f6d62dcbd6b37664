/**
 * The QR displays: what every display can do, over any wire.
 *
 * A display shows exactly one picture. The caller decides which (`current`), so a display that comes back after a lost
 * link asks for the picture and never draws an old one.
 */

import type { LogLine } from '../lib/errors.ts';
import { CodedError } from '../lib/errors.ts';

/** `waiting`: a wire display has no such symbol and shows nothing. */
export type ShownStatus = 'success' | 'failure' | 'waiting';

/** What a customer sees. Amounts are in kopecks. `payload.ts` says what a QR payload may hold. */
export type Picture =
  | { readonly kind: 'clear' }
  | {
      readonly kind: 'qr';
      readonly payload: string;
      readonly amount?: number;
      readonly purpose?: string;
      /** Of a code that gives a technician's token: its text for the page. A wire display draws the payload alone. */
      readonly claim?: { readonly code: string; readonly address: string };
      /** Of the code of a receipt: the till's words for the page. A wire display draws the payload alone. */
      readonly receipt?: { readonly words: string | null };
    }
  | { readonly kind: 'status'; readonly status: ShownStatus };

export const CLEAR: Picture = Object.freeze({ kind: 'clear' });

/** `reason` and `code` of `connecting`: why the attempt before it failed. */
export type DisplayState =
  | { readonly name: 'connecting'; readonly reason?: string; readonly code?: DisplayErrorCode }
  | { readonly name: 'ready' }
  | { readonly name: 'lost'; readonly reason: string; readonly code: DisplayErrorCode }
  | { readonly name: 'closed' };

/**
 * Why a display call failed.
 * - `not-connected`: there is no link now; nothing was sent
 * - `lost`: the link broke while the picture was being sent; part of it may have been seen
 * - `timeout`: the display took no bytes within the deadline; the link is given up
 * - `not-found`: no such port or device; `permission`: we may not open it; `busy`: another process holds it
 * - `adapter`: no Bluetooth adapter or service; `protocol`: the device is not a QR display; `closed`: we closed it
 * - `payload`: the picture cannot be shown on any display
 */
export type DisplayErrorCode =
  | 'not-connected'
  | 'lost'
  | 'timeout'
  | 'not-found'
  | 'permission'
  | 'busy'
  | 'adapter'
  | 'protocol'
  | 'closed'
  | 'payload';

export class DisplayError extends CodedError<DisplayErrorCode> {
  /** Type of the display's driver. */
  readonly kind: string;

  constructor(kind: string, code: DisplayErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.kind = kind;
  }
}

export interface Display {
  /** Type of its driver. */
  readonly kind: string;
  readonly state: DisplayState;
  /**
   * Draws a picture now; settles after its last byte has left. One picture at a time, in the order of the calls.
   * Never queues across a lost link: without one it fails at once (`not-connected`).
   * @throws {DisplayError}
   */
  draw(picture: Picture): Promise<void>;
  /**
   * Starts clearing the display for a code that follows at once, on wires that clear before a code. Fails as `draw` of
   * that code then does.
   */
  clearAhead?(): void;
  /** Closes the link; never fails, settles within a second. */
  close(): Promise<void>;
}

export interface DisplayOptions {
  /** Returns the picture that a new connection must show; called at that moment. */
  readonly current: () => Picture;
  readonly onState?: (state: DisplayState) => void;
  /** One line for the log: raw replies of the device, lost links. Never holds a payload. */
  readonly log?: LogLine;
}
