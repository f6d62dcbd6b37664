/** Codes of refusals of a display's code, a token, a sign-in or a PIN; reasons in `/health` about them and settings of the card. */
import { degraded, reasonsFrom, refused } from '../../../drivers/lib/records.ts';

export const ACCESS_REASONS = {
  'access-loopback': degraded('claim', [], {
    en: 'A phone cannot create a token: the pages open on this device only.',
    ru: 'С телефона токен не создать: страницы открываются только на самом устройстве.',
  }),
  'access-unencrypted': degraded('claim', [], {
    en: 'A phone cannot create a token: encryption is off.',
    ru: 'С телефона токен не создать: шифрование выключено.',
  }),
  'access-unclaimed': degraded('claim', [], {
    en: 'No technician’s token yet: scan the code on the display when the device starts.',
    ru: 'Токена техника ещё нет: отсканируйте код на дисплее при включении.',
  }),
  'access-lost': degraded('access', [], {
    en: 'The tokens created here are lost: create new ones.',
    ru: 'Созданные здесь токены потеряны: создайте новые.',
  }),
  'console-pins-lost': degraded('pins', [], {
    en: 'The PINs are lost: their file or the device’s key was damaged. Until they are set again, the pages on this device are open to everyone.',
    ru: 'PIN потеряны: повреждён их файл или ключ устройства. Пока их не задать заново, на самом устройстве страницы открыты всем.',
  }),
  'network-lost': degraded('access', [], {
    en: 'Whether the device is open to the network was lost: its file was damaged. It is closed until it is opened again.',
    ru: 'Потеряно, открыто ли устройство для сети: файл повреждён. Оно закрыто, пока его не откроют снова.',
  }),
  'card-refused': degraded('config', ['detail'], {
    en: 'Some options on the card were not accepted.',
    ru: 'Некоторые параметры с карты не приняты.',
  }),
  'card-unpaired': degraded('store', ['master', 'detail'], {
    en: 'Not paired yet with the master {master} named on the card.',
    ru: 'Ещё не подключено к главному устройству {master}, указанному на карте.',
  }),
  'card-token': degraded('access', ['role'], {
    en: 'A token on the card ({role}) was not accepted.',
    ru: 'Токен с карты ({role}) не принят.',
  }),
};
export const reasonOf = reasonsFrom(ACCESS_REASONS);

export const ACCESS_ERRORS = {
  'Claim.NoCode': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'the device is not showing a code',
      todo: 'hold the learn button for ten seconds while no payment is shown, or switch a device that has no token yet off and on',
      page: 'The display shows no code. Hold the button at the tray for ten seconds, then enter the code from the display.',
    },
    ru: {
      meaning: 'устройство сейчас не показывает код',
      todo: 'удерживайте кнопку десять секунд, пока на дисплее нет платежа; устройство без токена выключите и включите',
      page: 'На дисплее нет кода. Удерживайте кнопку у лотка десять секунд и введите код с дисплея.',
    },
  }),
  'Claim.WrongCode': refused({
    status: 403,
    again: 'mended',
    en: {
      meaning: 'the code on the display is different',
      todo: 'check it again, or have a new one shown',
      page: 'Wrong code. Check the display again.',
    },
    ru: {
      meaning: 'на дисплее другой код',
      todo: 'посмотрите ещё раз или вызовите новый',
      page: 'Неверный код. Посмотрите на дисплей ещё раз.',
    },
  }),
  'Claim.TooManyTries': refused({
    status: 429,
    again: 'later',
    en: {
      meaning: 'too many wrong codes from this address: none is checked for `seconds` seconds',
      todo: 'wait; the code stays valid for its ten minutes, and for other addresses',
      page: 'Too many wrong codes. Try again in {seconds} s.',
    },
    ru: {
      meaning: 'с этого адреса пришло слишком много неверных кодов: `seconds` секунд они не проверяются',
      todo: 'подождите; код действует десять минут, с других адресов тоже',
      page: 'Слишком много неверных кодов. Повторите через {seconds} с.',
    },
  }),
  'Claim.TokenInUse': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'another role has this token',
      todo: 'choose another one, or let the device create it',
      page: 'This token is already in use: choose another one.',
    },
    ru: {
      meaning: 'такой токен уже есть у другой роли',
      todo: 'выберите другой или дайте устройству создать его',
      page: 'Этот токен уже используется: выберите другой.',
    },
  }),
  'SignIn.WrongPin': refused({
    status: 403,
    again: 'mended',
    en: {
      meaning: 'no role has this PIN; after five wrong ones each costs a pause',
      todo: 'enter it again, or sign in with a token',
      page: 'Wrong PIN.',
    },
    ru: {
      meaning: 'такого PIN ни у кого нет; после пяти неверных каждый стоит паузы',
      todo: 'введите ещё раз или войдите по токену',
      page: 'Неверный PIN.',
    },
  }),
  'SignIn.WrongToken': refused({
    status: 403,
    again: 'mended',
    en: {
      meaning: 'unknown token',
      todo: 'send the token of `api.tokens`, `api.tills` or `api.token`, or one created on the device',
      page: 'Wrong token.',
    },
    ru: {
      meaning: 'неизвестный токен',
      todo: 'отправьте токен из `api.tokens`, `api.tills` или `api.token` либо созданный на устройстве',
      page: 'Неверный токен.',
    },
  }),
  'SignIn.TooManyTries': refused({
    status: 429,
    again: 'later',
    en: {
      meaning: 'too many wrong PINs from this address: none is checked for `seconds` seconds',
      todo: 'wait, or sign in with a token',
      page: 'Too many attempts. Try again in {seconds} s.',
    },
    ru: {
      meaning: 'с этого адреса введено слишком много неверных PIN: `seconds` секунд они не проверяются',
      todo: 'подождите или войдите по токену',
      page: 'Слишком много попыток. Повторите через {seconds} с.',
    },
  }),
  'SignIn.EasyPin': refused({
    status: 422,
    again: 'mended',
    en: {
      meaning: 'the PIN is easy to guess, such as 0000, 1234 or 1985',
      todo: 'choose another one',
      page: 'This PIN is too easy to guess. Choose another one.',
    },
    ru: {
      meaning: 'такой PIN легко угадать, как 0000, 1234 или 1985',
      todo: 'выберите другой',
      page: 'Этот PIN слишком легко угадать. Выберите другой.',
    },
  }),
  'SignIn.PinInUse': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'another role has this PIN, and the device knows people by it alone',
      todo: 'choose another one',
      page: 'This PIN is already in use. Choose another one.',
    },
    ru: {
      meaning: 'такой PIN уже есть у другой роли: устройство узнаёт человека только по нему',
      todo: 'выберите другой',
      page: 'Этот PIN уже используется. Выберите другой.',
    },
  }),
  'SignIn.TechnicianFirst': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'nobody could sign in as technician any more, by PIN or by token',
      todo: "set the technician's PIN before the cashier's, and remove it last",
      page: 'Set a technician’s PIN or token first, or you will not be able to get back in.',
    },
    ru: {
      meaning: 'никто не сможет войти как техник: ни по PIN, ни по токену',
      todo: 'задайте PIN техника раньше PIN кассира, а удалите последним',
      page: 'Сначала задайте PIN или токен техника, иначе снова войти сюда не получится.',
    },
  }),
} as const;
