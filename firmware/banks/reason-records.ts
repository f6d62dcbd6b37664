/** Reasons in `/health` about the bank, the way to it and its certificates. */
import { blocking, degraded, reasonsFrom } from '../../drivers/lib/records.ts';

export const BANK_REASONS = {
  'bank-closed': blocking('setUp', ['detail'], {
    en: 'Payments cannot be registered: the bank profile does not work.',
    ru: 'Платежи не регистрируются: профиль банка не работает.',
  }),
  'bank-silent': blocking('network', ['detail'], {
    en: 'The bank is not answering. Check the internet connection.',
    ru: 'Банк не отвечает. Проверьте интернет.',
  }),
  'bank-unauthorised': blocking('setUp', ['detail'], {
    en: 'The bank does not accept the profile’s password, key or certificate.',
    ru: 'Банк не принимает пароль, ключ или сертификат профиля.',
  }),
  'bank-unreachable': blocking('network', ['n', 'today', 'detail'], {
    en: {
      one: 'The last payment could not be registered: no connection to the bank. Check the internet connection and the date ({today}).',
      other:
        'The last {n} payments could not be registered: no connection to the bank. Check the internet connection and the date ({today}).',
    },
    ru: {
      single:
        'Последний платёж не зарегистрирован: нет связи с банком. Проверьте интернет и дату на устройстве ({today}).',
      one: '{n} последний платёж не зарегистрирован: нет связи с банком. Проверьте интернет и дату на устройстве ({today}).',
      many: '{n} последних платежей не зарегистрированы: нет связи с банком. Проверьте интернет и дату на устройстве ({today}).',
      other:
        '{n} последних платежа не зарегистрированы: нет связи с банком. Проверьте интернет и дату на устройстве ({today}).',
    },
  }),
  'bank-refuses': blocking('bank', ['n', 'detail'], {
    en: {
      one: 'The bank refused to register the last payment.',
      other: 'The bank refused to register the last {n} payments.',
    },
    ru: {
      single: 'Банк отказался зарегистрировать последний платёж.',
      one: 'Банк отказался зарегистрировать {n} последний платёж.',
      many: 'Банк отказался зарегистрировать {n} последних платежей.',
      other: 'Банк отказался зарегистрировать {n} последних платежа.',
    },
  }),
  'bank-contradicts': blocking('bank', ['n', 'detail'], {
    en: {
      one: 'The bank’s answer to the last payment contradicts itself: ask the bank.',
      other: 'The bank’s answers to the last {n} payments contradict themselves: ask the bank.',
    },
    ru: {
      single: 'Банк ответил о последнем платеже противоречиво: обратитесь в банк.',
      one: 'Банк ответил о последних платежах ({n}) противоречиво: обратитесь в банк.',
      few: 'Банк ответил о последних платежах ({n}) противоречиво: обратитесь в банк.',
      many: 'Банк ответил о последних платежах ({n}) противоречиво: обратитесь в банк.',
      other: 'Банк ответил о последних платежах ({n}) противоречиво: обратитесь в банк.',
    },
  }),
  'bank-certificate-doubted': blocking('clock', ['n', 'today', 'detail'], {
    en: {
      one: 'The last payment could not be registered: the bank’s certificate is not valid now, or the device’s date ({today}) is wrong.',
      other:
        'The last {n} payments could not be registered: the bank’s certificate is not valid now, or the device’s date ({today}) is wrong.',
    },
    ru: {
      single:
        'Последний платёж не зарегистрирован: у сертификата банка вышел срок, или на устройстве неверная дата ({today}).',
      one: '{n} последний платёж не зарегистрирован: у сертификата банка вышел срок, или на устройстве неверная дата ({today}).',
      many: '{n} последних платежей не зарегистрированы: у сертификата банка вышел срок, или на устройстве неверная дата ({today}).',
      other:
        '{n} последних платежа не зарегистрированы: у сертификата банка вышел срок, или на устройстве неверная дата ({today}).',
    },
  }),
  'certificate-client-ended': blocking('setUp', ['name', 'at', 'today'], {
    en: 'The shop’s certificate for the bank ({name}) expired on {at}: payments fail. If today is not {today}, set the clock.',
    ru: 'Сертификат магазина для банка ({name}) истёк {at}: платежи не проходят. Если сегодня не {today}, переведите часы.',
  }),
  'certificate-authority-ended': blocking('setUp', ['name', 'at', 'today'], {
    en: 'The certificate of the bank’s authority ({name}) expired on {at}: payments fail. If today is not {today}, set the clock.',
    ru: 'Сертификат удостоверяющего центра банка ({name}) истёк {at}: платежи не проходят. Если сегодня не {today}, переведите часы.',
  }),
  'certificate-authority-early': blocking('clock', ['name', 'at', 'today'], {
    en: 'The certificate of the bank’s authority ({name}) is not valid before {at}. The device’s date ({today}) is probably wrong.',
    ru: 'Сертификат удостоверяющего центра банка ({name}) действует только с {at}. Скорее всего, на устройстве неверная дата ({today}).',
  }),
  'bank-stale': degraded('setUp', ['detail'], {
    en: 'The bank’s files have changed and cannot be read: the previous ones are used until a restart.',
    ru: 'Файлы банка изменились и не читаются: до перезагрузки действуют прежние.',
  }),
  'bank-refused': degraded('bank', ['detail'], {
    en: 'The bank refused to register the last payment.',
    ru: 'Банк отказался зарегистрировать последний платёж.',
  }),
  'bank-link-unusual': degraded('bank', ['detail'], {
    en: 'The bank’s payment links look different now. Codes are shown and paid as before; if payers report errors, ask the bank.',
    ru: 'Ссылки банка на оплату теперь выглядят иначе. Коды показываются и оплачиваются, как раньше; если у покупателей ошибки, обратитесь в банк.',
  }),
  'bank-other-closed': degraded('setUp', ['profile', 'detail'], {
    en: 'The bank profile “{profile}”, not in use, cannot be opened.',
    ru: 'Запасной профиль банка «{profile}» не работает.',
  }),
  'bank-other-unauthorised': degraded('setUp', ['profile', 'detail'], {
    en: 'The bank does not accept the password, key or certificate of the profile “{profile}”, not in use.',
    ru: 'Банк не принимает пароль, ключ или сертификат запасного профиля «{profile}».',
  }),
  'certificate-client-early': degraded('clock', ['name', 'at', 'today'], {
    en: 'The shop’s certificate for the bank ({name}) is not valid before {at}. The device’s date ({today}) is probably wrong.',
    ru: 'Сертификат магазина для банка ({name}) действует только с {at}. Скорее всего, на устройстве неверная дата ({today}).',
  }),
  'certificate-client-ending': degraded('setUp', ['name', 'at', 'today'], {
    en: 'The shop’s certificate for the bank ({name}) expires on {at}; today is {today}. Get a new one in time.',
    ru: 'Сертификат магазина для банка ({name}) истекает {at}; сегодня {today}. Получите следующий заранее.',
  }),
  'certificate-authority-ending': degraded('setUp', ['name', 'at', 'today'], {
    en: 'The certificate of the bank’s authority ({name}) expires on {at}; today is {today}. Get a new one in time.',
    ru: 'Сертификат удостоверяющего центра банка ({name}) истекает {at}; сегодня {today}. Получите следующий заранее.',
  }),
};
export const reasonOf = reasonsFrom(BANK_REASONS);
