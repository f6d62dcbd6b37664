/**
 * Weight of confirmations in a prototype. Each may be a wrong tap, so it counts half a template. Together they count at
 * most half as much as the templates of their view: the templates define the item.
 */
import { WHOLE } from './age.ts';

/** Of an item that are kept, the newest. */
export const MOST_CONFIRMATIONS = 8;
const EACH = WHOLE / 2;
/** Of the templates' weight, at most. */
const SHARE = 1 / 2;

/** An integer, of each of some. @param templates weight of the templates that they stand beside */
export const weightOfEach = (count: number, templates: number): number =>
  Math.min(EACH, Math.floor((templates * SHARE) / count));
