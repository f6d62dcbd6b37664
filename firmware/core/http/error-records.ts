/**
 * Codes of answers that any call of either port may get before its route, or when it fails. Their order in a category
 * gives their numbers.
 */
import { refused, unsaid } from '../../../drivers/lib/records.ts';

export const COMMON_ERRORS = {
  'JsonParse.*': refused(400, 'mended', {
    en: 'the body is not JSON | correct the call as `detail` says',
    ru: 'тело — не JSON | исправьте вызов, как сказано в `detail`',
  }),
  'RequestParams.InvalidField': refused(400, 'mended', {
    en: '`field` is missing, wrong or unknown | correct the call as `detail` says: it names what is missing, and for an unknown name the nearest or all | One of the fields was not accepted: check what you entered.',
    ru: '`field` отсутствует, неверно или неизвестно | исправьте вызов, как сказано в `detail`: там названо недостающее, а для неизвестного имени — ближайшее или все | Устройство не приняло одно из полей: проверьте, что вы ввели.',
  }),
  ...unsaid('RequestParams', 400, 'NoDynamicQR'),
  'RequestParams.UnknownPath': refused(404, 'mended', {
    en: 'this call does not exist | `/reference` shows the calls; an unknown payment is `Payments.NotFound` | The device does not know this call. It may have been updated: reload this page.',
    ru: 'такого вызова нет | вызовы перечислены в `/reference`; неизвестный платёж — это `Payments.NotFound` | Устройство не знает такого вызова. Возможно, оно обновилось: перезагрузите страницу.',
  }),
  'RequestParams.WrongMethod': refused(405, 'mended', {
    en: 'the path needs another method | `detail` and the header `Allow` name it | The device does not accept this call. It may have been updated: reload this page.',
    ru: 'для этого пути нужен другой метод | он назван в `detail` и в заголовке `Allow` | Устройство не принимает такой вызов. Возможно, оно обновилось: перезагрузите страницу.',
  }),
  'RequestParams.UnsupportedMediaType': refused(415, 'mended', {
    en: 'the call does not accept a body of this type | send the `Content-Type` that `detail` names | The device does not accept this type of file: choose another one.',
    ru: 'вызов не принимает тело такого типа | отправьте `Content-Type`, названный в `detail` | Устройство не принимает файлы такого типа: выберите другой.',
  }),
  'RequestParams.TooLarge': refused(413, 'mended', {
    en: 'the body or the headers are too large | send less | This is too large: choose a smaller file.',
    ru: 'тело или заголовки слишком велики | отправьте меньше | Слишком большой размер: выберите файл поменьше.',
  }),
  'RequestParams.Forbidden': refused(403, 'mended', {
    en: 'the token does not allow this call, the caller’s address is not allowed, or TLS is missing | as `detail` says | This is not allowed here.',
    ru: 'токен не даёт доступа к этому вызову, с этого адреса вызывать нельзя или нет TLS | как сказано в `detail` | Здесь это запрещено.',
  }),
  'RequestParams.NotAuthorised': refused(401, 'mended', {
    en: 'no token, or a wrong one | send `Authorization: Bearer …` | Sign in first.',
    ru: 'токена нет или он неверен | отправьте `Authorization: Bearer …` | Сначала войдите.',
  }),
  'RequestParams.InvalidRequest': refused(400, 'mended', {
    en: 'invalid HTTP, not complete in time, or the display was cleared before the code was shown | send it complete; a sale again, if it is still wanted | The device did not understand the request, or got only part of it: reload this page and try again.',
    ru: 'это не HTTP, вызов пришёл не целиком или дисплей очистили до показа кода | отправьте целиком; продажу — ещё раз, если она ещё нужна | Устройство не поняло запрос или получило его не целиком: перезагрузите страницу и повторите.',
  }),
  'RequestParams.TooMany': refused(503, 'later', {
    en: 'earlier calls take too long, or too many wait | wait a second, or as long as `Retry-After` says | The device is busy. Try again in half a minute.',
    ru: 'прежние вызовы выполняются слишком долго или слишком много вызовов ждёт | подождите секунду или сколько сказано в `Retry-After` | Устройство занято. Попробуйте через полминуты.',
  }),
  'Internal.UnexpectedError': refused(500, 'unless-used-up', {
    en: 'the device failed; its log says why | retry with the same key, or after `repeat: false` with a new one; give the technician `Laneware-Request-Id` | Something went wrong on the device. If it happens again, call the technician.',
    ru: 'устройство дало сбой; причина — в его журнале | повторите с тем же ключом, а после `repeat: false` — с новым; передайте технику `Laneware-Request-Id` | Ошибка на устройстве. Если повторится, позовите техника.',
  }),
  'Internal.StorageFull': refused(507, 'mended', {
    en: 'no space left on the device | call the technician; see `/health` | No space left on the device. Nothing was changed.',
    ru: 'на устройстве закончилось место | позовите техника; подробности — в `/health` | На устройстве закончилось место. Ничего не изменено.',
  }),
  'Internal.StorageRefused': refused(500, 'later', {
    en: 'the device cannot write to its storage | call the technician; see `/health` | The device cannot write to its storage. Nothing was changed.',
    ru: 'устройство не может сохранить данные | позовите техника; подробности — в `/health` | Устройство не может сохранить данные. Ничего не изменено.',
  }),
} as const;
