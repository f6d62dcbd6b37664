/**
 * Codes of refused calls about camera, tray, model, templates, items and the store of devices: deletion marks and the
 * exchange of templates raise those of the store, too. The calls of the original device answer with a record's number:
 * a negative code of the device family where one fits (docs/sources.md, "The recognition interface: error codes"), our own
 * from -6301 on. Several codes may have one number.
 */
import { refused, subReasons } from '../../../drivers/lib/records.ts';

const numbered = (number: number, ...record: Parameters<typeof refused>) => ({ ...refused(...record), number });

export const RECOGNITION_ERRORS = {
  'Items.NotFound': refused(404, 'no', {
    en: {
      meaning: 'there is no such item',
      todo: 'create it: `PUT /v1/items/{id}`',
      page: 'There is no such item on this device.',
    },
    ru: {
      meaning: 'такого товара нет',
      todo: 'создайте его: `PUT /v1/items/{id}`',
      page: 'Такого товара на этом устройстве нет.',
    },
  }),
  'Items.NoPicture': refused(404, 'no', {
    en: {
      meaning: 'the item has no picture',
      todo: 'show none',
      page: 'The item has no picture.',
    },
    ru: {
      meaning: 'у товара нет картинки',
      todo: 'не показывайте её',
      page: 'У товара нет картинки.',
    },
  }),
  'Items.PictureUnusable': refused(422, 'mended', {
    en: {
      meaning: 'not a JPEG or PNG, too large, or incomplete',
      todo: 'send another picture',
      page: 'The picture cannot be used: choose a complete JPEG or PNG.',
    },
    ru: {
      meaning: 'это не JPEG и не PNG, файл слишком большой или неполный',
      todo: 'отправьте другую картинку',
      page: 'Картинка не подходит: нужен целый файл JPEG или PNG.',
    },
  }),
  'Items.BarcodeTaken': refused(409, 'mended', {
    en: {
      meaning: 'another item has that barcode; nothing was changed',
      todo: 'ask a person which item it belongs to: remove the `barcode` from the `item` in the answer (`PATCH /v1/items/{id}` with its other `barcodes`) and retry, or leave it out here',
      page: 'Barcode {barcode} belongs to item {item}. Nothing was changed.',
    },
    ru: {
      meaning: 'такой штрихкод уже есть у другого товара; ничего не изменено',
      todo: 'спросите человека, чей он: удалите `barcode` у товара `item` из ответа (`PATCH /v1/items/{id}` с остальными `barcodes`) и повторите или не указывайте его здесь',
      page: 'Штрихкод {barcode} уже есть у товара {item}. Ничего не изменено.',
    },
  }),
  'Items.IllegalFile': refused(400, 'mended', {
    en: {
      meaning: 'the file cannot be read; nothing was changed',
      todo: 'correct it as `detail` says',
      page: 'Cannot read this table: the first line must name the columns, including id.',
    },
    ru: {
      meaning: 'файл не читается; ничего не изменено',
      todo: 'исправьте его, как сказано в `detail`',
      page: 'Таблица не читается: в первой строке должны быть названия столбцов, среди них id.',
    },
  }),
  'Deletions.NotFound': refused(404, 'no', {
    en: {
      meaning: 'this deletion no longer exists: it was done or undone',
      todo: '`GET /console/api/deletions` lists those that can be undone',
      page: 'Too late: it was deleted, or restored elsewhere.',
    },
    ru: {
      meaning: 'такого удаления больше нет: оно выполнено или отменено',
      todo: 'что можно отменить, покажет `GET /console/api/deletions`',
      page: 'Уже поздно: удалено или восстановлено в другом окне.',
    },
  }),
  'Templates.NotFound': numbered(-6303, 404, 'no', {
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
  'Templates.Locked': numbered(-6217, 409, 'no', {
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
  'Templates.Full': numbered(-6304, 409, 'no', {
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
  'Templates.Marked': numbered(-6316, 409, 'no', {
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
  'Templates.Unlike': numbered(-6319, 409, 'no', {
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
  'Templates.Damaged': numbered(-6202, 500, 'no', {
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
  'Packages.Running': numbered(-6305, 409, 'later', {
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
  'Packages.NotFound': refused(404, 'no', {
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
  'Packages.BeyondEnd': refused(416, 'mended', {
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
  'Tray.Empty': numbered(-6308, 409, 'mended', {
    en: {
      meaning: 'the tray is empty',
      todo: 'put the item on it and retry',
      page: 'The tray is empty: put an item on it.',
    },
    ru: {
      meaning: 'лоток пуст',
      todo: 'положите товар и повторите',
      page: 'Лоток пуст: положите на него товар.',
    },
  }),
  'Tray.NotEmpty': numbered(-6317, 409, 'mended', {
    en: {
      meaning: 'something is on the tray, so it was not learned as empty; the earlier one stays',
      todo: 'take everything off, hands too, and retry; if the tray itself has changed, have a person check the picture, then send it with `things=ignore`',
      page: 'There is something on the tray, so nothing was learned. Take everything off, your hand too, and press again.',
    },
    ru: {
      meaning: 'на лотке что-то есть, поэтому пустым он не запомнен; прежний остаётся',
      todo: 'уберите всё, и руку тоже, и повторите; если изменился сам лоток, пусть человек посмотрит на снимок, затем отправьте с `things=ignore`',
      page: 'На лотке что-то есть, поэтому ничего не запомнено. Уберите всё, и руку тоже, и нажмите ещё раз.',
    },
  }),
  'Tray.NotLearned': numbered(-6318, 404, 'no', {
    en: {
      meaning: 'the empty tray has not been learned',
      todo: '`PUT /console/api/camera/empty-tray`',
      page: 'The empty tray has not been learned.',
    },
    ru: {
      meaning: 'пустой лоток ещё не запоминали',
      todo: '`PUT /console/api/camera/empty-tray`',
      page: 'Пустой лоток ещё не запоминали.',
    },
  }),
  'Recognition.AnsweredOtherwise': numbered(-6310, 409, 'no', {
    en: {
      meaning: 'this recognition already has other feedback, which stands',
      todo: 'recognise again',
      page: 'This picture was answered differently before, and that answer stands. Try again.',
    },
    ru: {
      meaning: 'для этого распознавания уже есть другой отзыв, и он в силе',
      todo: 'распознайте ещё раз',
      page: 'На этот снимок уже дали другой ответ, и он в силе. Снимите ещё раз.',
    },
  }),
  'Recognition.NotFound': numbered(-6310, 404, 'no', {
    en: {
      meaning: 'no recognition of the last 15 minutes has this id, or it has no such `thing`',
      todo: 'recognise again',
      page: 'This picture is too old. Try again.',
    },
    ru: {
      meaning: 'за последние 15 минут такого распознавания не было, или в нём нет такого `thing`',
      todo: 'распознайте ещё раз',
      page: 'Этот снимок слишком старый. Снимите ещё раз.',
    },
  }),
  'Uncertain.NotFound': refused(404, 'no', {
    en: {
      meaning: 'this answer, or its assignment, is no longer kept',
      todo: '`GET /console/api/recognition/uncertain` and `GET /v1/contradictions` list what is kept',
      page: 'One of these pictures is no longer kept. Check the list again.',
    },
    ru: {
      meaning: 'этот ответ или его разбор больше не хранится',
      todo: 'что есть, покажут `GET /console/api/recognition/uncertain` и `GET /v1/contradictions`',
      page: 'Одного из этих снимков уже нет. Посмотрите список снова.',
    },
  }),
  'Uncertain.AnsweredOtherwise': refused(409, 'no', {
    en: {
      meaning: 'one of the answers was assigned differently before; nothing was added',
      todo: 'leave it out, or undo the assignment (`DELETE /console/api/recognition/uncertain/assignments/{id}`)',
      page: 'One of these pictures was assigned differently before. Nothing was added: check the list again.',
    },
    ru: {
      meaning: 'один из ответов уже отнесли к другому товару; ничего не добавлено',
      todo: 'уберите его или отмените это (`DELETE /console/api/recognition/uncertain/assignments/{id}`)',
      page: 'Один из этих снимков уже отнесли к другому товару. Ничего не добавлено: посмотрите список снова.',
    },
  }),
  'Store.NotMaster': numbered(-6301, 409, 'no', {
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
  'Store.NoDevice': refused(404, 'no', {
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
  'Store.WrongName': refused(409, 'mended', {
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
  'Store.NotSynchronised': numbered(-6312, 409, 'mended', {
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
  'Store.NoCode': numbered(-6313, 409, 'mended', {
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
  'Store.Refused': numbered(-6313, 409, 'mended', {
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
  'Store.Unreachable': numbered(-6207, 503, 'later', {
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
  'Store.Late': numbered(-6214, 503, 'later', {
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
  'Camera.Lost': numbered(-6103, 503, 'later', {
    en: {
      meaning: 'the camera is not connected',
      todo: 'call the technician; see `/health`',
      page: 'No camera: Health says why. The device reconnects automatically.',
    },
    ru: {
      meaning: 'камера не подключена',
      todo: 'позовите техника; подробности — в `/health`',
      page: 'Нет камеры: причина — в «Состоянии». Устройство подключится само.',
    },
  }),
  'Camera.NoPicture': numbered(-6308, 503, 'later', {
    en: {
      meaning: 'no usable picture yet',
      todo: 'wait a second',
      page: 'No picture from the camera yet.',
    },
    ru: {
      meaning: 'пригодного изображения пока нет',
      todo: 'подождите секунду',
      page: 'Изображения с камеры пока нет.',
    },
  }),
  'Camera.NotDrawn': numbered(-6320, 404, 'no', {
    en: {
      meaning: 'the device has a camera or uses a folder of pictures: it has no drawn tray',
      todo: 'put the item under the camera',
      page: 'This device has no drawn tray: put the item under the camera.',
    },
    ru: {
      meaning: 'у устройства есть камера или папка со снимками: нарисованного лотка нет',
      todo: 'положите товар под камеру',
      page: 'На этом устройстве нет нарисованного лотка: положите товар под камеру.',
    },
  }),
  'Model.NotReady': numbered(-6209, 503, 'later', {
    en: {
      meaning: 'the model is loading, or takes too long',
      todo: 'wait a second',
      page: 'The model is not ready yet. Try again in a moment.',
    },
    ru: {
      meaning: 'модель загружается или не успевает ответить',
      todo: 'подождите секунду',
      page: 'Модель ещё не готова. Попробуйте чуть позже.',
    },
  }),
} as const;

/** Why a table of items cannot be read. */
export const ITEM_FILE_ERRORS = subReasons('Items.IllegalFile', 400, {
  'column-twice': {
    en: 'Cannot read this table: the first line has the column {field} twice.',
    ru: 'Таблица не читается: в первой строке столбец {field} назван дважды.',
  },
  'too-many': {
    en: 'This table has more than {most} items. Split it, and import the parts one by one.',
    ru: 'Таблица слишком велика: в ней больше {most} товаров. Разделите её и загрузите по частям.',
  },
  cells: {
    en: 'Cannot read this table: line {line} has more or fewer cells than there are columns. Is there a comma too many?',
    ru: 'Таблица не читается: в строке {line} ячеек больше или меньше, чем столбцов. Лишняя запятая?',
  },
  'no-csv': {
    en: 'Cannot read this table: it is not CSV, or a quotation mark in line {line} is stray or not closed.',
    ru: 'Таблица не читается: это не CSV, или в строке {line} лишняя или не закрыта кавычка.',
  },
});
