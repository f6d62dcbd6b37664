/**
 * Codes of banks. A code's place in its category is its number in the answers of the nine calls and in the ledger: a new
 * one stands at the end of its category, and none is taken away.
 */
import { type CategoriesOf, refused, refusedToPages, subReasons, unsaid } from '../../drivers/lib/records.ts';

/** Failures of a bank or of the way to it, and results of its trial. */
export const BANK_ERRORS = {
  'Bank.Unreachable': refused({
    status: 503,
    again: 'unless-used-up',
    en: {
      meaning: 'the bank is not answering',
      todo: 'after `repeat: false` with a new key, if it is still wanted',
      page: 'The bank is not answering. Check the internet connection and try again.',
    },
    ru: {
      meaning: 'банк не отвечает',
      todo: 'после `repeat: false` — с новым ключом, если платёж ещё нужен',
      page: 'Банк не отвечает. Проверьте интернет и повторите.',
    },
  }),
  'Bank.Refused': refused({
    status: 502,
    again: 'no',
    en: {
      meaning: 'the bank refused; `detail` has its words',
      todo: 'check the settings, or ask the bank; then use a new key',
      page: 'The bank refused. If it refuses again, call the technician.',
    },
    ru: {
      meaning: 'банк отказал; его слова — в `detail`',
      todo: 'проверьте настройки или обратитесь в банк; затем повторите с новым ключом',
      page: 'Банк отказал. Если откажет снова, позовите техника.',
    },
  }),
  'Bank.Contradiction': refused({
    status: 502,
    again: 'no',
    en: {
      meaning: 'the bank’s answer is contradictory',
      todo: 'check in your account at the bank whether it was paid before using a new key',
      page: 'The bank’s answer is contradictory. Check in your account at the bank whether it was paid.',
    },
    ru: {
      meaning: 'ответ банка противоречив',
      todo: 'прежде чем брать новый ключ, проверьте в личном кабинете банка, прошла ли оплата',
      page: 'Ответ банка противоречив. Проверьте в личном кабинете банка, прошла ли оплата.',
    },
  }),
  'Bank.PreviousPaid': refused({
    status: 409,
    again: 'later',
    en: {
      meaning: 'earlier `payments` were paid without the till knowing; reported once',
      todo: 'check first whether it was this customer',
      page: 'Earlier payments were paid without the till knowing. Check first whether it was this customer: they are at the top of the Payments page.',
    },
    ru: {
      meaning: 'прежние `payments` оплачены, а кассовая программа не узнала; сообщается один раз',
      todo: 'сначала проверьте, не этот ли покупатель',
      page: 'Прежние платежи оплачены, а кассовая программа об этом не узнала. Сначала проверьте, не этого ли покупателя: они вверху страницы «Платежи».',
    },
  }),
  ...unsaid('Bank', 400, 'SameCode'),
  'Bank.PreviousOpen': refused({
    status: 409,
    again: 'later',
    en: {
      meaning: 'the code of `payment`, for the same sale, can still be paid',
      todo: 'wait as long as `detail` says',
      page: 'The previous code for this sale can still be paid: wait until it expires, or cancel it.',
    },
    ru: {
      meaning: 'код платежа `payment` на ту же покупку ещё могут оплатить',
      todo: 'подождите столько, сколько сказано в `detail`',
      page: 'Прежний код на ту же покупку ещё могут оплатить: дождитесь конца его срока или отмените его.',
    },
  }),
  ...unsaid('Bank', 400, 'GivenBack'),
  'Bank.NoCashLinks': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'this bank offers no printable codes',
      todo: 'nothing',
      page: 'This bank offers no printable codes.',
    },
    ru: {
      meaning: 'у этого банка нет кодов для печати',
      todo: 'ничего',
      page: 'У этого банка нет кодов для печати.',
    },
  }),
  ...unsaid('Bank', 400, 'NotShown'),
  'Bank.NoConsent': refused({
    status: 502,
    again: 'no',
    en: {
      meaning:
        'the bank refused a refund, it seems for want of the shop’s consent; it is the `code` of the refund, whose `state` is `refused`',
      todo: 'have the shop give the consent in its account at the bank, then refund with a new key',
      page: 'The bank refused the refund: the shop’s consent seems to be missing. Give it in the account at the bank (at T-Bank in the settings of the digital rouble account: “Возвраты по операциям с физлицами”), then refund again.',
    },
    ru: {
      meaning: 'банк отказал в возврате: похоже, нет согласия магазина; это `code` возврата, его `state` — `refused`',
      todo: 'пусть магазин даст согласие в личном кабинете банка, затем верните с новым ключом',
      page: 'Банк отказал в возврате: похоже, магазин не дал согласие. Дайте его в личном кабинете банка (в Т-Банке — в настройках счёта цифрового рубля: «Возвраты по операциям с физлицами») и повторите возврат.',
    },
  }),
  'BankTest.NameNotFound': refusedToPages(503, {
    en: 'No host found at this address. Check it for typing errors, then check the device’s network.',
    ru: 'Такого адреса в сети нет. Проверьте, нет ли опечатки, затем проверьте сеть устройства.',
  }),
  'BankTest.NoConnection': refusedToPages(503, {
    en: 'No answer at this address. Check the device’s cable or Wi-Fi, the firewall, and the host and port.',
    ru: 'Адрес не отвечает. Проверьте кабель или Wi-Fi устройства, сетевой экран, имя и порт в адресе.',
  }),
  'BankTest.TimedOut': refusedToPages(503, {
    en: 'The bank did not answer in time. Check the network. Many banks only answer known addresses: ask whether the shop’s is allowed.',
    ru: 'Банк не ответил вовремя. Проверьте сеть. Многие банки отвечают только известным адресам: спросите, открыт ли доступ для адреса магазина.',
  }),
  'BankTest.Interrupted': refusedToPages(503, {
    en: 'The connection broke before the bank answered. Test again; if that does not help, ask the bank whether the shop’s address is allowed.',
    ru: 'Связь оборвалась до ответа банка. Проверьте ещё раз; если не поможет, спросите банк, открыт ли доступ для адреса магазина.',
  }),
  'BankTest.NoEncryption': refusedToPages(502, {
    en: 'The server at this address does not use TLS. Check the host and port.',
    ru: 'Сервер по этому адресу не использует TLS. Проверьте имя и порт.',
  }),
  'BankTest.Untrusted': refusedToPages(502, {
    en: 'The bank’s certificate was issued by an authority that this device does not trust. Choose the authority’s file in “Trusted authorities”. Is this really the bank’s network?',
    ru: 'Сертификат банка выдан центром, которому это устройство не доверяет. Выберите файл центра банка в поле «Доверенные центры». Точно ли это сеть банка?',
  }),
  'BankTest.WrongName': refusedToPages(502, {
    en: 'The server’s certificate is for another name. Enter the address exactly as the bank gave it.',
    ru: 'Сертификат сервера выдан на другое имя. Введите адрес точно так, как его дал банк.',
  }),
  'BankTest.Expired': refusedToPages(502, {
    en: 'By this device’s clock ({clock}), the bank’s certificate has expired. If the clock is wrong, set it on the Device page; otherwise report it to the bank.',
    ru: 'По часам этого устройства ({clock}) сертификат банка просрочен. Установите часы на странице «Устройство»; если они верны, сообщите банку.',
  }),
  'BankTest.NotYetValid': refusedToPages(502, {
    en: 'By this device’s clock ({clock}), the bank’s certificate is not valid yet. Set the clock on the Device page.',
    ru: 'По часам этого устройства ({clock}) сертификат банка ещё не действует. Установите часы на странице «Устройство».',
  }),
  'BankTest.WrongCredentials': refusedToPages(400, {
    en: 'The bank does not accept this. Enter it again as the bank gave it, and check related fields such as the login.',
    ru: 'Банк этого не принимает. Введите заново так, как дал банк; проверьте и связанные поля, например логин.',
  }),
  'BankTest.Refused': refusedToPages(502, {
    en: 'The bank refused: “{said}”. Quote this to the bank.',
    ru: 'Банк отказал: «{said}». Сообщите этот ответ в поддержку банка.',
  }),
  'BankTest.NotABank': refusedToPages(502, {
    en: 'A server answers there, but it is not this bank. Compare the address, including the path, with the bank’s letter.',
    ru: 'Сервер отвечает, но это не этот банк. Сверьте адрес вместе с путём с письмом банка.',
  }),
  'BankTest.Unavailable': refusedToPages(503, {
    en: 'The bank is not available now: “{said}”. Test again in a few minutes.',
    ru: 'Банк сейчас недоступен: «{said}». Проверьте ещё раз через несколько минут.',
  }),
  'BankTest.TooOften': refusedToPages(429, {
    en: 'Banks lock a login that is tested often. Test again in {seconds} s.',
    ru: 'При частых проверках банк может заблокировать логин. Проверьте снова через {seconds} с.',
  }),
} as const;

/** Fields missing in a bank's profile. Their source is that of `original-error-records.ts` of payments. */
export const BANK_SETTINGS_ERRORS = {
  ...unsaid('AlfaBankSettings', 400, 'MissingUserName', 'MissingPassword'),
  ...unsaid('GazprombankSettings', 400, 'MissingAccount', 'MissingMerchantId'),
  ...unsaid('RaiffeisenbankSettings', 400, 'MissingSbpMerchantId', 'MissingSecretKey'),
  ...unsaid('TinkoffBankSettings', 400, 'MissingTerminalKey', 'MissingPassword'),
  ...unsaid('CFTBankSettings', 400, 'MissingAccAlias', 'MissingExtEntityId', 'MissingMerchantId', 'MissingPassword'),
  ...unsaid('YooKassaBankSettings', 400, 'MissingShopId', 'MissingSecretKey'),
  ...unsaid('StaticBankSettings', 400, 'MissingStaticQR'),
} as const;
export type BankSettingsCategory = CategoriesOf<typeof BANK_SETTINGS_ERRORS>;

/** Why a file of certificates or keys is not taken. */
export const CERTIFICATE_ERRORS = subReasons('RequestParams.InvalidField', 400, {
  'too-large': {
    en: 'The file is larger than 64 KiB. Choose the file from the bank; from a bundle of authorities, only the bank’s.',
    ru: 'Файл больше 64 КиБ. Выберите именно тот файл, который дал банк; из набора многих центров — только центр банка.',
  },
  empty: {
    en: 'The file is empty. Choose another one.',
    ru: 'Файл пуст. Выберите другой.',
  },
  'no-certificate': {
    en: 'This file holds no complete certificate or key. Choose a PEM or PKCS #12 (.pfx, .p12) file.',
    ru: 'В этом файле нет целого сертификата или ключа. Выберите файл PEM или PKCS #12 (.pfx, .p12).',
  },
  damaged: {
    en: 'The certificate or key in this file is damaged or cut off. Get the file again.',
    ru: 'Сертификат или ключ в этом файле повреждён или обрезан. Получите файл заново.',
  },
  'is-request': {
    en: 'This is a certificate request. Choose the certificate that the bank issued for it.',
    ru: 'Это запрос на сертификат. Выберите сертификат, который банк по нему выпустил.',
  },
  'not-pkcs12': {
    en: 'Choose certificate and key in one file here (.pfx, .p12). PEM files go into the fields “Client certificate” and “Key of the client certificate”.',
    ru: 'Здесь нужен один файл с сертификатом и ключом (.pfx, .p12). Файлы PEM выбирают в полях «Клиентский сертификат» и «Ключ клиентского сертификата».',
  },
  'not-pem': {
    en: 'This is a PKCS #12 file (.pfx, .p12); a PEM file is needed here. If it is the client certificate, choose it in the field “Client certificate with key”.',
    ru: 'Это PKCS #12 (.pfx, .p12), а здесь нужен файл PEM. Если это клиентский сертификат, выберите его в поле «Клиентский сертификат с ключом».',
  },
  'lacks-certificate': {
    en: 'This file holds a key but no certificate. Choose the certificate file.',
    ru: 'В этом файле есть ключ, но нет сертификата. Выберите файл сертификата.',
  },
  'lacks-key': {
    en: 'This file holds a certificate but no key. Choose the key file.',
    ru: 'В этом файле есть сертификат, но нет ключа. Выберите файл ключа.',
  },
  'other-key': {
    en: 'This key does not belong to the client certificate. Choose the key that the certificate was requested with.',
    ru: 'Это ключ не от этого клиентского сертификата. Выберите ключ, с которым сертификат запрашивали.',
  },
  'other-of-pair': {
    en: 'A certificate and its key go together: choose this file too.',
    ru: 'Сертификат и ключ нужны вместе: выберите и этот файл.',
  },
  'old-cipher': {
    en: 'The file uses an old cipher that is no longer supported. Ask the bank for a new one.',
    ru: 'Файл зашифрован устаревшим способом. Попросите у банка новый.',
  },
  unopened: {
    en: 'This file cannot be opened. Choose another one.',
    ru: 'Этот файл не открывается. Выберите другой.',
  },
  'not-rsa': {
    en: 'An RSA key is required.',
    ru: 'Здесь нужен ключ RSA.',
  },
  'not-kept': {
    en: 'This file is no longer stored on the device. Choose it again.',
    ru: 'Этот файл на устройстве больше не хранится. Выберите его ещё раз.',
  },
  'not-base64': {
    en: 'The file arrived incomplete: choose it again.',
    ru: 'Файл дошёл не целиком: выберите его ещё раз.',
  },
  'wrong-password': {
    en: 'This password does not open the certificate or key. Check the password and the file.',
    ru: 'Этот пароль не открывает сертификат или ключ. Проверьте пароль и файл.',
  },
});
