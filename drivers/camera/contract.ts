/**
 * The module of the cameras: what every camera can do, wherever its pictures come from.
 *
 * A camera always offers its newest frame without waiting, with its age; one that is too old is refused here, so that
 * no caller can recognise what lay on the tray before. A camera that fails comes back by itself: callers only ever
 * see a state and typed errors.
 */

import type { LogLine } from '../lib/errors.ts';
import { CodedError } from '../lib/errors.ts';

/**
 * - `starting`: no frame yet, or the camera is being restarted; `reason` then says why
 * - `ready`: frames arrive
 * - `lost`: given up for now; a camera that can come back is still tried, at a slow pace. `reason` says what to do
 * - `closed`: by us, for good
 */
export type CameraState =
  | { readonly name: 'starting'; readonly reason?: string }
  | { readonly name: 'ready' }
  | { readonly name: 'lost'; readonly reason: string }
  | { readonly name: 'closed' };

/**
 * Why there is no frame.
 * - `no-frame`: the camera works, or is starting, and has not given one yet
 * - `stale`: the newest one is older than the camera's limit
 * - `lost`: there is no working camera
 * - `closed`: it was closed
 */
export type CameraErrorCode = 'no-frame' | 'stale' | 'lost' | 'closed';

export class CameraError extends CodedError<CameraErrorCode> {
  readonly kind: string;

  constructor(kind: string, code: CameraErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.kind = kind;
  }
}

export interface Frame {
  /** One whole JPEG file. Shared with other callers: never written to. */
  readonly jpeg: Buffer;
  /** Pixels, as the JPEG's header says. */
  readonly width: number;
  readonly height: number;
  /** Counts up from 1 by one a frame, through every restart of the camera. */
  readonly sequence: number;
  /** When it was taken (as near as can be known, never too late), in milliseconds of `performance.now()`. */
  readonly takenAt: number;
  /** Its age in milliseconds at the moment of the call. */
  readonly ageMs: number;
}

export interface Camera {
  readonly kind: string;
  readonly state: CameraState;
  /** Whether frames follow each other so closely that comparing two shows motion. */
  readonly streaming: boolean;
  /**
   * The newest frame, at once.
   * @throws {CameraError}
   */
  latest(): Frame;
  /**
   * The first frame with a sequence number above `after`; without `after`, above the newest one at the call.
   * Rejects with {@link CameraError} when the camera is or becomes `lost` or `closed`, with the signal's reason when it aborts.
   */
  next(signal: AbortSignal, after?: number): Promise<Frame>;
  /** Ends every process and timer of the camera; never fails. Waiting callers get `closed`. */
  close(): Promise<void>;
}

/** The widest and highest picture that this device works with; the recognition area is given in these coordinates. */
export const FRAME_WIDTH = 1280;
export const FRAME_HEIGHT = 720;
/** No JPEG of a camera, of a folder or from the network is larger. */
export const MAX_JPEG_BYTES = 8 * 1024 * 1024;
/**
 * A picture that claims more is refused before it is decoded: a few bytes can claim 4 gigapixels. A progressive one of
 * this size takes a hundred megabytes while it is decoded.
 */
export const MAX_FRAME_PIXELS = 16 * 1024 * 1024;

/**
 * Why a picture is not taken, as a frame (the one before it stays) or as one to look at.
 * - `too-large`: more than {@link MAX_JPEG_BYTES}
 * - `not-jpeg`: does not begin as a JPEG
 * - `undecodable`: begins as one, but cannot be decoded whole, or claims more than {@link MAX_FRAME_PIXELS}
 */
export type FrameRefusalCode = 'too-large' | 'not-jpeg' | 'undecodable';

export class FrameRefused extends CodedError<FrameRefusalCode> {}

export interface PushCamera extends Camera {
  readonly kind: 'push';
  /**
   * Makes `jpeg` (not to be changed afterwards) the newest frame and gives it back. Those that come at once become it in
   * the order of their calls.
   * @throws {FrameRefused} and the frame before it stays
   * @throws {CameraError} `closed`
   */
  put(jpeg: Buffer): Promise<Frame>;
}

export function isPushCamera(camera: Camera): camera is PushCamera {
  return camera.kind === 'push';
}

/** What can be laid on the tray of a camera of play. */
export const DRAWN_THINGS = Object.freeze([
  'apple-green',
  'banana',
  'milk-carton',
  'orange',
  'tea-box',
  'nothing',
] as const);
export type DrawnThing = (typeof DRAWN_THINGS)[number];

/** A camera of play: a drawn thing lies on its tray, and is chosen by a call. */
export interface DrawnCamera extends Camera {
  readonly kind: 'replay';
  readonly lies: DrawnThing;
  /**
   * Lays a thing in the place of what lies there. The same again lies another way.
   * @throws {CameraError} `closed`
   */
  lay(thing: DrawnThing): Promise<Frame>;
}

export function isDrawnCamera(camera: Camera): camera is DrawnCamera {
  return camera.kind === 'replay' && 'lay' in camera;
}

export interface CameraOptions {
  readonly onState?: (state: CameraState) => void;
  /** One line for the log: restarts, what the camera program says. Never a picture. */
  readonly log?: LogLine;
}
