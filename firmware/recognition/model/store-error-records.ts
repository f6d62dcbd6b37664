/**
 * Codes of refused calls about the store of devices. They are of the lowest part that raises some of them: deletion marks and
 * the exchange of templates, which are recognition's.
 */
import { refused } from '../../../drivers/lib/records.ts';
import { numbered } from './numbered-error-records.ts';

export const STORE_ERRORS = {
  'Store.NotMaster': numbered({
    number: -6301,
    status: 409,
    again: 'no',
    en: {
      meaning: 'only the master of a store can do this',
      todo: 'send it to the master: `GET /console/api/store` has its address',
      page: 'Only the master of a store can do this.',
    },
    ru: {
      meaning: 'это можно сделать только на главном устройстве магазина',
      todo: 'отправьте вызов главному: его адрес — в `GET /console/api/store`',
      page: 'Это можно сделать только на главном устройстве магазина.',
    },
  }),
  'Store.NoDevice': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'no device with this serial number is paired',
      todo: '`GET /console/api/store` lists paired devices',
      page: 'No device with this serial number is paired.',
    },
    ru: {
      meaning: 'устройство с таким серийным номером не подключено',
      todo: 'подключённые покажет `GET /console/api/store`',
      page: 'Устройства с таким серийным номером нет в магазине.',
    },
  }),
  'Store.WrongName': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'this is not the master’s serial number; nothing was deleted',
      todo: 'check that it is the right device and enter its serial number (`master` of `GET /console/api/store`)',
      page: 'This is not the master’s serial number. Nothing was deleted.',
    },
    ru: {
      meaning: 'это не серийный номер главного устройства; ничего не удалено',
      todo: 'проверьте, то ли это устройство, и введите его серийный номер (`master` в `GET /console/api/store`)',
      page: 'Это не серийный номер главного устройства. Ничего не удалено.',
    },
  }),
  'Store.NotSynchronised': numbered({
    number: -6312,
    status: 409,
    again: 'mended',
    en: {
      meaning: 'this device is not in a store, or cannot synchronise now',
      todo: 'make it a master, or pair it with one; see `/health`',
      page: 'This device is not in a store.',
    },
    ru: {
      meaning: 'устройство не входит в магазин или сейчас не синхронизируется',
      todo: 'сделайте его главным или подключите к главному; подробности — в `/health`',
      page: 'Устройство не входит в магазин.',
    },
  }),
  'Store.NoCode': numbered({
    number: -6313,
    status: 409,
    again: 'mended',
    en: {
      meaning: 'no pairing code was seen',
      todo: 'show it on the master’s page, hold it in front of the camera, larger and without glare, and retry',
      page: 'No pairing code seen. Hold it in front of the camera, larger and without glare, and try again.',
    },
    ru: {
      meaning: 'код подключения не виден',
      todo: 'покажите его на странице главного устройства, поднесите к камере крупнее, без бликов, и повторите',
      page: 'Код подключения не виден. Поднесите его к камере крупнее, без бликов, и повторите.',
    },
  }),
  'Store.Refused': numbered({
    number: -6313,
    status: 409,
    again: 'mended',
    en: {
      meaning:
        'the device at this address refused: the code is not its present one, or another device has this serial number',
      todo: 'show a new code on the master and take the address from the same device; if two devices have one serial number, change one',
      page: 'The device at this address refused. Show a new code on the master, check that this is its address, and that no other device has this serial number.',
    },
    ru: {
      meaning: 'устройство по этому адресу отказало: код не его или истёк, или такой серийный номер уже есть',
      todo: 'покажите на главном новый код и возьмите адрес этого же устройства; если у двух устройств один серийный номер, смените один',
      page: 'Устройство по этому адресу отказало. Покажите на главном новый код, проверьте, что это его адрес и что такого серийного номера больше ни у кого нет.',
    },
  }),
  'Store.Unreachable': numbered({
    number: -6207,
    status: 503,
    again: 'later',
    en: {
      meaning: 'no master answers at this address',
      todo: 'check the address, that the device is on, on the same network, and the master on its page “Store”',
      page: 'No master answers at this address. Check the address, that the device is on, on the same network, and the master on its page “Store”.',
    },
    ru: {
      meaning: 'по этому адресу не отвечает никакое главное устройство',
      todo: 'проверьте адрес и что устройство включено, в той же сети и главное (на его странице «Магазин»)',
      page: 'По этому адресу главное устройство не отвечает. Проверьте адрес и что устройство включено, в той же сети и главное (на его странице «Магазин»).',
    },
  }),
  'Store.Late': numbered({
    number: -6214,
    status: 503,
    again: 'later',
    en: {
      meaning: 'the master did not answer in time',
      todo: 'retry',
      page: 'The master did not answer in time. Try again.',
    },
    ru: {
      meaning: 'главное устройство не ответило вовремя',
      todo: 'повторите',
      page: 'Главное устройство не ответило вовремя. Повторите.',
    },
  }),
} as const;
