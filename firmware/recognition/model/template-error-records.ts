/** Codes of refused calls about templates and packages of them. */
import { refused } from '../../../drivers/lib/records.ts';
import { numbered } from './numbered-error-records.ts';

export const TEMPLATE_ERRORS = {
  'Templates.NotFound': numbered({
    number: -6303,
    status: 404,
    again: 'no',
    en: {
      meaning: 'the item has no such template',
      todo: '`GET /v1/items/{id}/templates` lists its templates',
      page: 'This picture no longer exists.',
    },
    ru: {
      meaning: 'такого снимка у товара нет',
      todo: 'какие есть, покажет `GET /v1/items/{id}/templates`',
      page: 'Этого снимка уже нет.',
    },
  }),
  'Templates.Locked': numbered({
    number: -6217,
    status: 409,
    again: 'no',
    en: {
      meaning: 'teaching is off on this device',
      todo: 'the technician turns it on: `/api/set_learning_mode`',
      page: 'Teaching is off on this device. A technician can turn it on.',
    },
    ru: {
      meaning: 'обучение на устройстве выключено',
      todo: 'его включает техник: `/api/set_learning_mode`',
      page: 'Обучение на этом устройстве выключено. Его может включить техник.',
    },
  }),
  'Templates.Full': numbered({
    number: -6304,
    status: 409,
    again: 'no',
    en: {
      meaning: 'the item has the maximum number of templates',
      todo: 'delete one first',
      page: 'The item has the maximum number of pictures. Delete one first.',
    },
    ru: {
      meaning: 'у товара максимальное число снимков',
      todo: 'сначала удалите один',
      page: 'У товара максимальное число снимков. Сначала удалите один.',
    },
  }),
  'Templates.Marked': numbered({
    number: -6316,
    status: 409,
    again: 'no',
    en: {
      meaning: 'the item is being deleted from all devices of the store; nothing was added',
      todo: 'the technician ends the deletion at the master (`DELETE /console/api/store/marks/{item}`) and synchronises',
      page: 'The item is being deleted from all devices of the store, so nothing was added. On the master’s Store page, press “End” beside it, then try again.',
    },
    ru: {
      meaning: 'товар удаляется со всех устройств магазина; ничего не добавлено',
      todo: 'техник завершает удаление на главном (`DELETE /console/api/store/marks/{item}`) и синхронизирует',
      page: 'Товар удаляется со всех устройств магазина, поэтому ничего не добавлено. На странице «Магазин» главного устройства нажмите рядом с ним «Завершить» и повторите.',
    },
  }),
  'Templates.Unlike': numbered({
    number: -6319,
    status: 409,
    again: 'no',
    en: {
      meaning: 'it looks different from the item’s other pictures; nothing was added',
      todo: 'ask a person whether it is that item, then send it without `unlike=refuse`',
      page: 'It looks different from the item’s other pictures. Nothing was added.',
    },
    ru: {
      meaning: 'непохоже на прежние снимки товара; ничего не добавлено',
      todo: 'спросите человека, тот ли это товар, и отправьте без `unlike=refuse`',
      page: 'Непохоже на другие снимки товара. Ничего не добавлено.',
    },
  }),
  'Templates.Damaged': numbered({
    number: -6202,
    status: 500,
    again: 'no',
    en: {
      meaning: 'the picture of the template is damaged',
      todo: 'delete the template and teach the item again',
      page: 'This picture is damaged: delete it.',
    },
    ru: {
      meaning: 'снимок повреждён',
      todo: 'удалите его и обучите товар заново',
      page: 'Этот снимок повреждён: удалите его.',
    },
  }),
  'Packages.Running': numbered({
    number: -6305,
    status: 409,
    again: 'later',
    en: {
      meaning: 'an export or import is running',
      todo: 'wait until it ends: `GET /v1/packages/export`, `GET /v1/packages/import`',
      page: 'An export or import is running. Wait until it ends.',
    },
    ru: {
      meaning: 'пакет создаётся или загружается',
      todo: 'дождитесь конца: `GET /v1/packages/export` и `GET /v1/packages/import`',
      page: 'Идёт выгрузка или загрузка: дождитесь её конца.',
    },
  }),
  'Packages.NotFound': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'there is no package of that name; each export replaces the one before',
      todo: 'start an export: `POST /v1/packages/export`',
      page: 'This package is no longer available. Prepare a new one.',
    },
    ru: {
      meaning: 'пакета с таким именем нет; каждая выгрузка заменяет прежний',
      todo: 'начните выгрузку (`POST /v1/packages/export`)',
      page: 'Этого пакета больше нет. Подготовьте новый.',
    },
  }),
  'Packages.BeyondEnd': refused({
    status: 416,
    again: 'mended',
    en: {
      meaning: '`Range` goes beyond the end of the package',
      todo: 'fetch it without `Range`',
      page: 'The package is shorter than expected. Download it again.',
    },
    ru: {
      meaning: '`Range` просит больше, чем есть в пакете',
      todo: 'скачайте без `Range`',
      page: 'Пакет короче, чем ожидалось. Скачайте его заново.',
    },
  }),
} as const;
