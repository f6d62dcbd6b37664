/**
 * What confirmations weigh in a prototype. Each may be a wrong tap, so that it counts half a template, and all together half as
 * much as the templates of the view that they stand in: that is what the item is, whatever people confirm.
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
