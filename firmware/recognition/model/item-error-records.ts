/** Codes of refused calls about items, their tables and their deletion. */
import { refused, subReasons } from '../../../drivers/lib/records.ts';

export const ITEM_ERRORS = {
  'Items.NotFound': refused({
    status: 404,
    again: 'no',
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
  'Items.NoPicture': refused({
    status: 404,
    again: 'no',
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
  'Items.PictureUnusable': refused({
    status: 422,
    again: 'mended',
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
  'Items.BarcodeTaken': refused({
    status: 409,
    again: 'mended',
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
  'Items.IllegalFile': refused({
    status: 400,
    again: 'mended',
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
  'Deletions.NotFound': refused({
    status: 404,
    again: 'no',
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
