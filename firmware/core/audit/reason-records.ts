/** Reasons in `/health` about the audit trail. */
import { degraded, reasonsFrom } from '../../../drivers/lib/records.ts';

export const AUDIT_REASONS = {
  'audit-unkept': degraded('room', ['n', 'detail'], {
    en: {
      one: 'The audit trail cannot be written; {n} line is lost. Everything else works.',
      other: 'The audit trail cannot be written; {n} lines are lost. Everything else works.',
    },
    ru: {
      one: 'Журнал действий не записывается; потеряна {n} строка. Остальное работает.',
      many: 'Журнал действий не записывается; потеряно {n} строк. Остальное работает.',
      other: 'Журнал действий не записывается; потеряно {n} строки. Остальное работает.',
    },
  }),
  'audit-damaged': degraded('card', ['n'], {
    en: {
      one: 'Lines of the audit trail were changed or are missing, in {n} place.',
      other: 'Lines of the audit trail were changed or are missing, in {n} places.',
    },
    ru: {
      one: 'Строки журнала действий изменены или пропали: {n} место.',
      many: 'Строки журнала действий изменены или пропали: {n} мест.',
      other: 'Строки журнала действий изменены или пропали: {n} места.',
    },
  }),
};
export const reasonOf = reasonsFrom(AUDIT_REASONS);
