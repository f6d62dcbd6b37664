/** Reasons in `/health` about the clock. */
import { later, reasonsFrom } from '../../../drivers/lib/records.ts';

export const HOST_REASONS = {
  'zone-unset': later('shop', ['zone'], {
    en: 'No time zone was chosen: days and reports begin by {zone}. Choose the shop’s time zone.',
    ru: 'Часовой пояс не выбран: сутки и отчёты считаются по {zone}. Выберите часовой пояс магазина.',
  }),
  'clock-behind': later('clock', ['says', 'known'], {
    en: 'The clock is behind: it shows {says}, but {known} has already passed.',
    ru: 'Часы отстают: показывают {says}, хотя {known} уже прошло.',
  }),
};
export const reasonOf = reasonsFrom(HOST_REASONS);
