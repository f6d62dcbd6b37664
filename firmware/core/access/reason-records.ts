/** Reasons in `/health` about tokens, PINs, and settings from the card. */
import { later, reasonsFrom } from '../../../drivers/lib/records.ts';

export const ACCESS_REASONS = {
  'access-loopback': later('claim', [], {
    en: 'A phone cannot create a token: the pages open on this device only.',
    ru: 'С телефона токен не создать: страницы открываются только на самом устройстве.',
  }),
  'access-unencrypted': later('claim', [], {
    en: 'A phone cannot create a token: encryption is off.',
    ru: 'С телефона токен не создать: шифрование выключено.',
  }),
  'access-unclaimed': later('claim', [], {
    en: 'No technician’s token yet: scan the code on the display when the device starts.',
    ru: 'Токена техника ещё нет: отсканируйте код на дисплее при включении.',
  }),
  'access-lost': later('access', [], {
    en: 'The tokens created here are lost: create new ones.',
    ru: 'Созданные здесь токены потеряны: создайте новые.',
  }),
  'console-pins-lost': later('pins', [], {
    en: 'The PINs are lost: their file or the device’s key was damaged. Until they are set again, the pages on this device are open to everyone.',
    ru: 'PIN потеряны: повреждён их файл или ключ устройства. Пока их не задать заново, на самом устройстве страницы открыты всем.',
  }),
  'network-lost': later('access', [], {
    en: 'Whether the device is open to the network was lost: its file was damaged. It is closed until it is opened again.',
    ru: 'Потеряно, открыто ли устройство для сети: файл повреждён. Оно закрыто, пока его не откроют снова.',
  }),
  'card-refused': later('config', ['detail'], {
    en: 'Some options on the card were not accepted.',
    ru: 'Некоторые параметры с карты не приняты.',
  }),
  'card-unpaired': later('store', ['master', 'detail'], {
    en: 'Not paired yet with the master {master} named on the card.',
    ru: 'Ещё не подключено к главному устройству {master}, указанному на карте.',
  }),
  'card-token': later('access', ['role'], {
    en: 'A token on the card ({role}) was not accepted.',
    ru: 'Токен с карты ({role}) не принят.',
  }),
};
export const reasonOf = reasonsFrom(ACCESS_REASONS);
