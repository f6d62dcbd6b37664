/** What may be wrong with the clock. */
import { later, reasonsFrom } from '../../../drivers/lib/records.ts';

export const HOST_REASONS = {
  'clock-behind': later('clock', ['says', 'known'], {
    en: 'The clock is behind: it shows {says}, but {known} has already passed.',
    ru: 'Часы отстают: показывают {says}, хотя {known} уже прошло.',
  }),
};
export const reasonOf = reasonsFrom(HOST_REASONS);
