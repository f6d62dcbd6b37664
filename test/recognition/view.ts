/** What the model sees of an area first. */
import { type Area, modelViews, type View } from '../../firmware/recognition/vision/frame.ts';

export async function firstView(
  jpeg: Uint8Array,
  area: Area | null,
  input: Parameters<typeof modelViews>[2],
): Promise<View> {
  const [first] = await modelViews(jpeg, area, input, 'fast');
  return first;
}
