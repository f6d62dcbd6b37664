/** Words of the device's own pages: `/errors`, and the buttons of a printed page. */
import type { Texts } from '../../../drivers/lib/languages.ts';
import type { Again } from '../../../drivers/lib/records.ts';

export const PRINT_WORDS = {
  ru: { print: 'Распечатать', back: 'Назад' },
  en: { print: 'Print', back: 'Back' },
} as const satisfies Texts<object>;

/** Whether to send the same again. */
export const AGAIN: Texts<Readonly<Record<Again, string>>> = {
  en: { no: 'no', mended: 'once that is corrected', later: 'yes', 'unless-used-up': 'yes, unless `repeat` is `false`' },
  ru: { no: 'нет', mended: 'когда исправлено', later: 'да', 'unless-used-up': 'да, кроме `repeat`: `false`' },
};

export const ERROR_PAGE_WORDS = {
  en: {
    title: 'Errors of /v1',
    words:
      '<code>detail</code> in the response says what was wrong with the call. If a code is not listed, go by the HTTP status: 4xx needs a person, 5xx can be retried later.',
    columns: ['Code', 'HTTP', 'What happened', 'Retry', 'What to do'],
    facts: ['What happened', 'HTTP', 'Retry the same call?', 'What to do'],
    all: 'All codes of this port',
    calls: 'its calls',
    other: {
      statuses: '4xx, 5xx',
      meaning: 'a failure of the bank, the display, the settings or the device, as `detail` says',
      again: 'by HTTP status: 4xx no, 5xx later',
      todo: 'as `detail` says; `repeat` says whether to retry the key of a failed sale',
    },
  },
  ru: {
    title: 'Ошибки /v1',
    words:
      'Что не так с вызовом, сказано в <code>detail</code> ответа (по-английски). Если кода здесь нет, смотрите на статус HTTP: 4xx — нужен человек, 5xx — повторите позже.',
    columns: ['Код', 'HTTP', 'Что случилось', 'Повторять', 'Что делать'],
    facts: ['Что случилось', 'HTTP', 'Повторять тот же вызов?', 'Что делать'],
    all: 'Все коды этого порта',
    calls: 'его вызовы',
    other: {
      statuses: '4xx, 5xx',
      meaning: 'сбой банка, дисплея, настроек или устройства; какой — в `detail`',
      again: 'по статусу HTTP: 4xx — нет, 5xx — позже',
      todo: 'как сказано в `detail`; можно ли повторить ключ неудавшейся продажи, сказано в `repeat`',
    },
  },
} as const satisfies Texts<object>;
