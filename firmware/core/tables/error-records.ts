/** Why a table cannot be read, by `fault`, whatever call gets it. */
import { subReasons } from '../../../drivers/lib/records.ts';

export const TABLE_ERRORS = subReasons('table', 400, {
  'old-workbook': {
    en: 'This workbook has a password, or is an old one (.xls). Save it as .xlsx without a password.',
    ru: 'Книга Excel с паролем или в старом формате (.xls). Сохраните её без пароля в формате .xlsx.',
  },
  page: {
    en: 'This is a page or XML named like a table. Open it in a spreadsheet and save it as .xlsx.',
    ru: 'Это страница или XML с именем таблицы. Откройте файл в Excel и сохраните в формате .xlsx.',
  },
  account: {
    en: 'This is an account statement for 1C, not a table.',
    ru: 'Это выписка по счёту для 1С, а не таблица.',
  },
  binary: {
    en: 'This is not a table. Save the table as .xlsx or CSV.',
    ru: 'Это не таблица. Сохраните таблицу в формате .xlsx или CSV.',
  },
  'too-long': {
    en: 'Line {line} of the table is too long. Is a quotation mark not closed?',
    ru: 'Строка {line} таблицы слишком длинная. Не закрыта кавычка?',
  },
  workbook: {
    en: 'This workbook is damaged. Open it in a spreadsheet and save it as .xlsx again.',
    ru: 'Книга Excel повреждена. Откройте её и сохраните в формате .xlsx ещё раз.',
  },
  slow: {
    en: 'This table takes too long to read. Send a part of it.',
    ru: 'Таблица читается слишком долго. Отправьте её по частям.',
  },
});
