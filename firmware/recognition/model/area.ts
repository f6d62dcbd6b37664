/** The part of a frame that is looked at. */
import { FRAME_HEIGHT, FRAME_WIDTH } from '../../../drivers/camera/contract.ts';

/** The size of the frame in whose coordinates areas are given, whatever the camera's own. */
export const AREA_COORDINATES = Object.freeze({ width: FRAME_WIDTH, height: FRAME_HEIGHT });

/** Part of a frame, in those coordinates. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
