/** Reasons in `/health` about payments: settings, display, ledger, refunds. */
import { blocking, degraded, reasonsFrom } from '../../../drivers/lib/records.ts';

export const TERMINAL_REASONS = {
  'settings-missing': blocking('setUp', [], {
    en: 'Not set up yet: neither a bank nor a display.',
    ru: 'Ещё ничего не настроено: ни банк, ни дисплей.',
  }),
  'settings-unreadable': blocking('setUp', ['detail'], {
    en: 'The bank and display settings cannot be read: set them up again.',
    ru: 'Настройки банка и дисплея не читаются: задайте их заново.',
  }),
  'settings-unconfirmed': blocking('setUp', ['detail'], {
    en: 'The settings were damaged, and those left may be outdated. Sales are stopped until you check the recipient’s account and save the settings again.',
    ru: 'Настройки были повреждены, сохранившиеся могут быть старыми. Продажи остановлены, пока вы не проверите счёт получателя и не сохраните настройки заново.',
  }),
  'display-lost': blocking('cable', ['detail'], {
    en: 'The customer display is not connected. The device reconnects automatically.',
    ru: 'Дисплей покупателя не подключён. Устройство подключится к нему само.',
  }),
  'display-held': blocking('taker', ['detail'], {
    en: 'Another program is using the customer display. The device takes it over when it is free.',
    ru: 'Дисплей покупателя занимает другая программа. Устройство подключится к нему, когда он освободится.',
  }),
  'payments-unanswered': blocking('network', ['n'], {
    en: {
      one: 'The bank has not answered {n} time. Check the internet connection.',
      other: 'The bank has not answered {n} times in a row. Check the internet connection.',
    },
    ru: {
      one: 'Банк не ответил {n} раз подряд. Проверьте интернет.',
      many: 'Банк не ответил {n} раз подряд. Проверьте интернет.',
      other: 'Банк не ответил {n} раза подряд. Проверьте интернет.',
    },
  }),
  'storage-full': blocking('room', [], {
    en: 'No space left on the device: payments are not possible.',
    ru: 'На устройстве нет места: платежи не принимаются.',
  }),
  'storage-refused': blocking('card', ['detail'], {
    en: 'The ledger cannot be written: payments are not possible. The card may be failing.',
    ru: 'Журнал платежей не записывается: платежи не принимаются. Возможно, карта неисправна.',
  }),
  'storage-foreign': blocking('rights', ['detail'], {
    en: 'The ledger belongs to another user of this computer: payments are not possible.',
    ru: 'Журнал платежей принадлежит другому пользователю системы: платежи не принимаются.',
  }),
  'settings-doubtful': degraded('template', ['detail'], {
    en: 'The bank’s printed code looks wrong: customers may not be able to pay with it.',
    ru: 'Похоже, в печатном коде банка ошибка: заплатить по нему могут не все.',
  }),
  'bank-test': degraded('setUp', ['bank'], {
    en: 'TEST: no money moves. The bank profile in use is for tests.',
    ru: 'ТЕСТ: деньги не списываются. Выбран тестовый профиль банка.',
  }),
  'bank-consents': degraded('setUp', ['bank', 'detail'], {
    en: 'At this bank ({bank}) a payment in digital roubles may look unpaid until the shop has given two consents. Give them, then set “Consents” in the bank profile.',
    ru: 'В этом банке ({bank}) оплата цифровыми рублями может выглядеть неоплаченной, пока магазин не дал два согласия. Дайте их и укажите это в профиле банка: «Согласия».',
  }),
  'payments-late': degraded('payments', ['n'], {
    en: {
      one: '{n} payment was paid late, or the till missed it: check whether the customer needs a refund.',
      other: '{n} payments were paid late, or the till missed them: check whether the customers need refunds.',
    },
    ru: {
      one: '{n} платёж прошёл с опозданием, или кассовая программа его не увидела: выясните, нужен ли возврат.',
      many: '{n} платежей прошли с опозданием, или кассовая программа их не увидела: выясните, нужен ли возврат.',
      other: '{n} платежа прошли с опозданием, или кассовая программа их не увидела: выясните, нужен ли возврат.',
    },
  }),
  'payments-paid-again': degraded('payments', ['n'], {
    en: {
      one: 'The code of {n} payment was paid more than once: give the customer’s other payment back in your account at the bank.',
      other:
        'The codes of {n} payments were paid more than once: give the customers’ other payments back in your account at the bank.',
    },
    ru: {
      one: 'Код {n} платежа оплатили не один раз: верните лишнюю оплату в личном кабинете банка.',
      few: 'Коды {n} платежей оплатили не один раз: верните лишние оплаты в личном кабинете банка.',
      many: 'Коды {n} платежей оплатили не один раз: верните лишние оплаты в личном кабинете банка.',
      other: 'Коды {n} платежей оплатили не один раз: верните лишние оплаты в личном кабинете банка.',
    },
  }),
  'payments-silent': degraded('bank', ['n'], {
    en: {
      one: 'The bank answers, but not about {n} payment. If this lasts, ask the bank.',
      other: 'The bank answers, but not about {n} payments. If this lasts, ask the bank.',
    },
    ru: {
      one: 'Банк отвечает, но не по {n} платежу. Если это не пройдёт, обратитесь в банк.',
      few: 'Банк отвечает, но не по {n} платежам. Если это не пройдёт, обратитесь в банк.',
      many: 'Банк отвечает, но не по {n} платежам. Если это не пройдёт, обратитесь в банк.',
      other: 'Банк отвечает, но не по {n} платежам. Если это не пройдёт, обратитесь в банк.',
    },
  }),
  'payments-untold': degraded('bank', ['n', 'detail'], {
    en: {
      one: 'The bank does not report the outcome of {n} payment: ask the bank.',
      other: 'The bank does not report the outcome of {n} payments: ask the bank.',
    },
    ru: {
      one: 'Банк не сообщает итог {n} платежа: обратитесь в банк.',
      few: 'Банк не сообщает итог {n} платежей: обратитесь в банк.',
      many: 'Банк не сообщает итог {n} платежей: обратитесь в банк.',
      other: 'Банк не сообщает итог {n} платежей: обратитесь в банк.',
    },
  }),
  'refunds-undecided': degraded('payments', ['n'], {
    en: {
      one: '{n} refund has no outcome: check in your account at the bank whether the money went back, and mark it here.',
      other:
        '{n} refunds have no outcome: check in your account at the bank whether the money went back, and mark them here.',
    },
    ru: {
      one: '{n} возврат без итога: посмотрите в личном кабинете банка, ушли ли деньги, и отметьте это.',
      many: '{n} возвратов без итога: посмотрите в личном кабинете банка, ушли ли деньги, и отметьте это.',
      other: '{n} возврата без итога: посмотрите в личном кабинете банка, ушли ли деньги, и отметьте это.',
    },
  }),
  'refunds-done-after-all': degraded('payments', ['n'], {
    en: {
      one: 'The bank paid out {n} refund that was marked as refused: mark it again.',
      other: 'The bank paid out {n} refunds that were marked as refused: mark them again.',
    },
    ru: {
      one: 'По данным банка, прошёл {n} возврат, отмеченный отклонённым: отметьте итог ещё раз.',
      many: 'По данным банка, прошли {n} возвратов, отмеченных отклонёнными: отметьте итог ещё раз.',
      other: 'По данным банка, прошли {n} возврата, отмеченные отклонёнными: отметьте итог ещё раз.',
    },
  }),
  'refunds-refused-after-all': degraded('payments', ['n'], {
    en: {
      one: 'The bank refused {n} refund that was marked as paid out: mark it again.',
      other: 'The bank refused {n} refunds that were marked as paid out: mark them again.',
    },
    ru: {
      one: 'Банк отклонил {n} возврат, отмеченный прошедшим: отметьте итог ещё раз.',
      many: 'Банк отклонил {n} возвратов, отмеченных прошедшими: отметьте итог ещё раз.',
      other: 'Банк отклонил {n} возврата, отмеченные прошедшими: отметьте итог ещё раз.',
    },
  }),
  'refunds-unexplained': degraded('payments', ['n'], {
    en: {
      one: 'More of {n} payment was refunded than this device knows: check your account at the bank.',
      other: 'More of {n} payments was refunded than this device knows: check your account at the bank.',
    },
    ru: {
      one: 'По {n} платежу вернулось больше, чем знает устройство: посмотрите в личном кабинете банка.',
      few: 'По {n} платежам вернулось больше, чем знает устройство: посмотрите в личном кабинете банка.',
      many: 'По {n} платежам вернулось больше, чем знает устройство: посмотрите в личном кабинете банка.',
      other: 'По {n} платежам вернулось больше, чем знает устройство: посмотрите в личном кабинете банка.',
    },
  }),
  'ledger-aside': degraded('file', ['file'], {
    en: 'The ledger was damaged and set aside as {file}; it was restored from its copies. Give that file to the accountant.',
    ru: 'Журнал платежей был повреждён и отложен как {file}; он восстановлен из копий. Передайте этот файл бухгалтеру.',
  }),
  'ledger-beside': degraded('file', ['file'], {
    en: 'A file of the ledger was damaged and set aside as {file}.',
    ru: 'Файл рядом с журналом платежей был повреждён и отложен как {file}.',
  }),
  'ledger-sought': degraded('card', ['detail'], {
    en: 'Ledger entries are damaged, and are being looked for in the journal.',
    ru: 'Записи журнала платежей повреждены; идёт поиск их копий.',
  }),
  'ledger-damaged': degraded('compare', ['detail'], {
    en: 'Ledger entries are damaged, and there is no copy of them.',
    ru: 'Записи журнала платежей повреждены, и копий не осталось.',
  }),
  'ledger-lost': degraded('compare', ['detail'], {
    en: 'Ledger entries are lost.',
    ru: 'Записи журнала платежей потеряны.',
  }),
  'ledger-unbalanced': degraded('compare', ['detail'], {
    en: 'After a restored backup, shifts and ledger have different sums. Tell the accountant.',
    ru: 'После восстановления из копии суммы смен и журнала платежей расходятся. Сообщите бухгалтеру.',
  }),
  'ledger-conflicting': degraded('compare', ['file'], {
    en: 'The ledger and its journal contradict each other. The journal was set aside as {file}.',
    ru: 'Журнал платежей и его резервная запись расходятся. Запись отложена как {file}.',
  }),
  'ledger-repaired': degraded('card', ['detail'], {
    en: 'Ledger entries were damaged and restored from a copy.',
    ru: 'Записи журнала платежей были повреждены и восстановлены из копии.',
  }),
  'ledger-journal': degraded('card', ['detail'], {
    en: 'The ledger’s journal is damaged, lacks lines, or cannot be written.',
    ru: 'Резервная запись журнала платежей повреждена, неполна или не ведётся.',
  }),
  'ledger-rule': degraded('log', ['detail'], {
    en: 'A change of the ledger was refused, as it would have broken a rule of money.',
    ru: 'Запись в журнал платежей отклонена: она нарушила бы правила учёта денег.',
  }),
  'ledger-sums': degraded('log', ['detail'], {
    en: 'The sums of a day or a shift were not those of its payments. They are counted again.',
    ru: 'Суммы дня или смены расходились с платежами. Они подсчитаны заново.',
  }),
  'ledger-copy': degraded('folder', ['path', 'detail'], {
    en: 'The copy of the ledger in {path} is behind.',
    ru: 'Копия журнала платежей в {path} отстаёт.',
  }),
};
export const reasonOf = reasonsFrom(TERMINAL_REASONS);
