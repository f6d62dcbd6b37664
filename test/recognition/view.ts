/** What the model sees of an area first. */

import type { Area } from '../../firmware/recognition/model/area.ts';
import { modelViews } from '../../firmware/recognition/vision/frame.ts';

export async function firstView(jpeg: Uint8Array, area: Area | null, input: Parameters<typeof modelViews>[2]) {
  const [first] = await modelViews(jpeg, area, input, 'fast');
  return first;
}
