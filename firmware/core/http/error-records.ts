/**
 * Codes of answers that any call of either port may get before its route, or when it fails. Their order in a category
 * gives their numbers.
 */
import { refused, subReasons, unsaid } from '../../../drivers/lib/records.ts';

export const COMMON_ERRORS = {
  'JsonParse.*': refused({
    status: 400,
    again: 'mended',
    en: {
      meaning: 'the body is not JSON',
      todo: 'correct the call as `detail` says',
    },
    ru: {
      meaning: 'тело — не JSON',
      todo: 'исправьте вызов, как сказано в `detail`',
    },
  }),
  'RequestParams.InvalidField': refused({
    status: 400,
    again: 'mended',
    en: {
      meaning: '`field` is missing, wrong or unknown',
      todo: 'correct the call as `detail` says: it names what is missing, and for an unknown name the nearest or all',
      page: 'One of the fields was not accepted: check what you entered.',
    },
    ru: {
      meaning: '`field` отсутствует, неверно или неизвестно',
      todo: 'исправьте вызов, как сказано в `detail`: там названо недостающее, а для неизвестного имени — ближайшее или все',
      page: 'Устройство не приняло одно из полей: проверьте, что вы ввели.',
    },
  }),
  ...unsaid('RequestParams', 400, 'NoDynamicQR'),
  'RequestParams.UnknownPath': refused({
    status: 404,
    again: 'mended',
    en: {
      meaning: 'this call does not exist',
      todo: '`/reference` shows the calls; an unknown payment is `Payments.NotFound`',
      page: 'The device does not know this call. It may have been updated: reload this page.',
    },
    ru: {
      meaning: 'такого вызова нет',
      todo: 'вызовы перечислены в `/reference`; неизвестный платёж — это `Payments.NotFound`',
      page: 'Устройство не знает такого вызова. Возможно, оно обновилось: перезагрузите страницу.',
    },
  }),
  'RequestParams.WrongMethod': refused({
    status: 405,
    again: 'mended',
    en: {
      meaning: 'the path needs another method',
      todo: '`detail` and the header `Allow` name it',
      page: 'The device does not accept this call. It may have been updated: reload this page.',
    },
    ru: {
      meaning: 'для этого пути нужен другой метод',
      todo: 'он назван в `detail` и в заголовке `Allow`',
      page: 'Устройство не принимает такой вызов. Возможно, оно обновилось: перезагрузите страницу.',
    },
  }),
  'RequestParams.UnsupportedMediaType': refused({
    status: 415,
    again: 'mended',
    en: {
      meaning: 'the call does not accept a body of this type',
      todo: 'send the `Content-Type` that `detail` names',
      page: 'The device does not accept this type of file: choose another one.',
    },
    ru: {
      meaning: 'вызов не принимает тело такого типа',
      todo: 'отправьте `Content-Type`, названный в `detail`',
      page: 'Устройство не принимает файлы такого типа: выберите другой.',
    },
  }),
  'RequestParams.TooLarge': refused({
    status: 413,
    again: 'mended',
    en: {
      meaning: 'the body or the headers are too large',
      todo: 'send less',
      page: 'This is too large: choose a smaller file.',
    },
    ru: {
      meaning: 'тело или заголовки слишком велики',
      todo: 'отправьте меньше',
      page: 'Слишком большой размер: выберите файл поменьше.',
    },
  }),
  'RequestParams.Forbidden': refused({
    status: 403,
    again: 'mended',
    en: {
      meaning: 'the token does not allow this call, the caller’s address is not allowed, or TLS is missing',
      todo: 'as `detail` says',
      page: 'This is not allowed here.',
    },
    ru: {
      meaning: 'токен не даёт доступа к этому вызову, с этого адреса вызывать нельзя или нет TLS',
      todo: 'как сказано в `detail`',
      page: 'Здесь это запрещено.',
    },
  }),
  'RequestParams.NotAuthorised': refused({
    status: 401,
    again: 'mended',
    en: {
      meaning: 'no token, or a wrong one',
      todo: 'send `Authorization: Bearer …`',
      page: 'Sign in first.',
    },
    ru: {
      meaning: 'токена нет или он неверен',
      todo: 'отправьте `Authorization: Bearer …`',
      page: 'Сначала войдите.',
    },
  }),
  'RequestParams.InvalidRequest': refused({
    status: 400,
    again: 'mended',
    en: {
      meaning: 'invalid HTTP, not complete in time, or the display was cleared before the code was shown',
      todo: 'send it complete; a sale again, if it is still wanted',
      page: 'The device did not understand the request, or got only part of it: reload this page and try again.',
    },
    ru: {
      meaning: 'это не HTTP, вызов пришёл не целиком или дисплей очистили до показа кода',
      todo: 'отправьте целиком; продажу — ещё раз, если она ещё нужна',
      page: 'Устройство не поняло запрос или получило его не целиком: перезагрузите страницу и повторите.',
    },
  }),
  'RequestParams.TooMany': refused({
    status: 503,
    again: 'later',
    en: {
      meaning: 'earlier calls take too long, or too many wait',
      todo: 'wait a second, or as long as `Retry-After` says',
      page: 'The device is busy. Try again in half a minute.',
    },
    ru: {
      meaning: 'прежние вызовы выполняются слишком долго или слишком много вызовов ждёт',
      todo: 'подождите секунду или сколько сказано в `Retry-After`',
      page: 'Устройство занято. Попробуйте через полминуты.',
    },
  }),
  'Internal.UnexpectedError': refused({
    status: 500,
    again: 'unless-used-up',
    en: {
      meaning: 'the device failed; its log says why',
      todo: 'retry with the same key, or after `repeat: false` with a new one; give the technician `Laneware-Request-Id`',
      page: 'Something went wrong on the device. If it happens again, call the technician.',
    },
    ru: {
      meaning: 'устройство дало сбой; причина — в его журнале',
      todo: 'повторите с тем же ключом, а после `repeat: false` — с новым; передайте технику `Laneware-Request-Id`',
      page: 'Ошибка на устройстве. Если повторится, позовите техника.',
    },
  }),
  'Internal.StorageFull': refused({
    status: 507,
    again: 'mended',
    en: {
      meaning: 'no space left on the device',
      todo: 'call the technician; see `/health`',
      page: 'No space left on the device. Nothing was changed.',
    },
    ru: {
      meaning: 'на устройстве закончилось место',
      todo: 'позовите техника; подробности — в `/health`',
      page: 'На устройстве закончилось место. Ничего не изменено.',
    },
  }),
  'Internal.StorageRefused': refused({
    status: 500,
    again: 'later',
    en: {
      meaning: 'the device cannot write to its storage',
      todo: 'call the technician; see `/health`',
      page: 'The device cannot write to its storage. Nothing was changed.',
    },
    ru: {
      meaning: 'устройство не может сохранить данные',
      todo: 'позовите техника; подробности — в `/health`',
      page: 'Устройство не может сохранить данные. Ничего не изменено.',
    },
  }),
} as const;

/** Whom a call asks for, by `needs`. */
export const RANK_ERRORS = subReasons('RequestParams.Forbidden', 403, {
  supervisor: {
    en: 'Only a supervisor or a technician can do this.',
    ru: 'Это доступно только старшему кассиру или технику.',
  },
  technician: {
    en: 'Only a technician can do this.',
    ru: 'Это доступно только технику.',
  },
});
