/** Why a call of a till cannot be shown. */
import { refusedToPages } from '../../../drivers/lib/records.ts';

export const CALL_ERRORS = {
  'Calls.NotFound': refusedToPages(404, {
    en: 'This call is no longer kept: only the latest are, until a restart.',
    ru: 'Этого вызова больше нет: хранятся только последние, до перезагрузки.',
  }),
} as const;
