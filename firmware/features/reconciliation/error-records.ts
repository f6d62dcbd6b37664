/** Why a bank's registry, or an account statement, cannot be read. */
import { subReasons } from '../../../drivers/lib/records.ts';

export const RECONCILIATION_ERRORS = subReasons('RequestParams.InvalidField', 400, {
  'unknown-columns': {
    en: 'The columns of this file were not recognised. Select at least the amount and one ID.',
    ru: 'Не удалось распознать столбцы файла. Выберите хотя бы сумму и один из номеров.',
  },
  'unclear-dates': {
    en: 'The date {date} in line {line} may be two days. Select what stands first.',
    ru: 'Дату {date} в строке {line} можно понять двояко. Выберите, что в ней сначала.',
  },
  'statement-unknown': {
    en: 'This is not an account statement for 1C. Choose the format 1C when you download the statement from the bank.',
    ru: 'Это не выписка для 1С. Скачайте в банке выписку в формате 1С.',
  },
  'statement-cut': {
    en: 'The account statement is incomplete at line {line}. Download it from the bank again.',
    ru: 'Выписка по счёту неполная, обрыв в строке {line}. Скачайте её в банке заново.',
  },
  'statement-value': {
    en: 'Line {line} of the account statement: “{key}” is not readable. Download the statement again, or ask the bank.',
    ru: 'Строка {line} выписки: не удалось прочитать «{key}». Скачайте её в банке заново.',
  },
});
