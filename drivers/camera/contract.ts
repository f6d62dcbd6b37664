/**
 * The cameras: what every camera can do, wherever its pictures come from.
 *
 * A camera always offers its newest frame, with its age, without waiting. A frame that is too old is refused here, so
 * that no caller recognises an earlier tray. A camera that fails recovers by itself: callers see only its state and
 * typed errors.
 */

import type { LogLine } from '../lib/errors.ts';
import { CodedError } from '../lib/errors.ts';

/**
 * - `starting`: no frame yet, or the camera is being restarted; `reason` then says why
 * - `ready`: frames arrive
 * - `lost`: there is no working camera. One that can come back is tried at long intervals. `reason` says what to do
 * - `closed`: closed by this program, for good
 *
 * `isHeld`: another program holds the camera.
 */
export type CameraState =
  | { readonly name: 'starting'; readonly reason?: string; readonly isHeld?: true }
  | { readonly name: 'ready' }
  | { readonly name: 'lost'; readonly reason: string; readonly isHeld?: true }
  | { readonly name: 'closed' };

/**
 * Why there is no frame.
 * - `no-frame`: the camera works or is starting, and has given no frame yet
 * - `stale`: the newest frame is older than the camera's limit
 * - `lost`: there is no working camera
 * - `closed`: the camera was closed
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
  /** One whole JPEG file. Other callers share it: nobody may write to it. */
  readonly jpeg: Buffer;
  /** Pixels, as the JPEG's header says. */
  readonly width: number;
  readonly height: number;
  /** Number of the frame, counted from 1; a restart of the camera does not reset it. */
  readonly sequence: number;
  /** When the frame was taken (as near as can be known, never too late), in milliseconds of `performance.now()`. */
  readonly takenAt: number;
  /** Its age in milliseconds at the moment of the call. */
  readonly ageMs: number;
}

export interface Camera {
  readonly kind: string;
  readonly state: CameraState;
  /** Whether frames come fast enough that comparing two of them shows motion. */
  readonly streaming: boolean;
  /** The newest frame, at once. @throws {CameraError} */
  latest(): Frame;
  /**
   * The first frame with a sequence number above `after`; without `after`, above the newest one at the call.
   * Rejects with {@link CameraError} when the camera is or becomes `lost` or `closed`, with the signal's reason when it aborts.
   */
  next(signal: AbortSignal, after?: number): Promise<Frame>;
  /** Ends every process and timer of the camera; never fails. Waiting callers get `closed`. */
  close(): Promise<void>;
}

/** The largest picture that this device works with, in pixels; the recognition area is given in these coordinates. */
export const FRAME_WIDTH = 1280;
export const FRAME_HEIGHT = 720;
/** The largest JPEG that is accepted from a camera, a folder or the network. */
export const MAX_JPEG_BYTES = 8 * 1024 * 1024;
/**
 * A picture whose header claims more is refused before it is decoded: a few bytes can claim 4 gigapixels. A progressive
 * one of this size takes a hundred megabytes while it is decoded.
 */
export const MAX_FRAME_PIXELS = 16 * 1024 * 1024;

/**
 * Why a picture is refused, as a frame (the previous frame stays) or as a picture to look at.
 * - `too-large`: more than {@link MAX_JPEG_BYTES}
 * - `not-jpeg`: does not begin as a JPEG
 * - `undecodable`: begins as one, but cannot be decoded whole, or claims more than {@link MAX_FRAME_PIXELS}
 */
export type FrameRefusalCode = 'too-large' | 'not-jpeg' | 'undecodable';

export class FrameRefused extends CodedError<FrameRefusalCode> {}

export interface PushCamera extends Camera {
  readonly kind: 'push';
  /**
   * Makes `jpeg` (not to be changed afterwards) the newest frame and returns it. Simultaneous calls are handled in
   * their order.
   * @throws {FrameRefused} the previous frame then stays
   * @throws {CameraError} `closed`
   */
  put(jpeg: Buffer): Promise<Frame>;
}

export function isPushCamera(camera: Camera): camera is PushCamera {
  return camera.kind === 'push';
}

/** What can be laid on the tray of a simulated camera. */
export const DRAWN_THINGS = Object.freeze([
  'apple-green',
  'banana',
  'milk-carton',
  'orange',
  'tea-box',
  'nothing',
] as const);
export type DrawnThing = (typeof DRAWN_THINGS)[number];

/** A simulated camera: a drawn thing lies on its tray, and a call chooses which. */
export interface DrawnCamera extends Camera {
  readonly kind: 'replay';
  readonly lies: DrawnThing;
  /** Replaces what lies on the tray. The same thing laid again lies another way. @throws {CameraError} `closed` */
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
