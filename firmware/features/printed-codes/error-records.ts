/** Why a code that a scale has printed cannot be read. */
import { refused } from '../../../drivers/lib/records.ts';

export const PRINTED_CODE_ERRORS = {
  'PrintedCodes.OwnCode': refused({
    status: 404,
    again: 'mended',
    en: {
      meaning: 'an item has the whole code as its own: its barcode, id or PLU',
      todo: 'find that item by `GET /v1/items?code=`; where a scale has printed the code, take it from the item',
      page: 'An item has this code as its own: it is not read as a label.',
    },
    ru: {
      meaning: 'у одного из товаров это собственный код: штрихкод, номер или PLU',
      todo: 'найдите этот товар по `GET /v1/items?code=`; если код напечатали весы, уберите его у товара',
      page: 'Это собственный код одного из товаров: как этикетка весов он не разбирается.',
    },
  }),
  'PrintedCodes.WrongCheckDigit': refused({
    status: 422,
    again: 'mended',
    en: {
      meaning: 'the last digit does not fit the others',
      todo: 'scan the label again, or type all 13 digits again',
      page: 'The last digit does not fit: scan the label again, or type its digits again.',
    },
    ru: {
      meaning: 'последняя цифра не подходит к остальным',
      todo: 'отсканируйте этикетку ещё раз или введите все 13 цифр заново',
      page: 'Последняя цифра не подходит: отсканируйте этикетку ещё раз или введите цифры заново.',
    },
  }),
  'PrintedCodes.NoLayout': refused({
    status: 404,
    again: 'mended',
    en: {
      meaning: 'no layout of this shop fits the code',
      todo: 'look it up as a barcode; if a scale of the shop printed it, the technician adds its layout (**Device**, **Scale labels**)',
      page: 'No layout fits this code: add the layout of the scale that printed it.',
    },
    ru: {
      meaning: 'к этому коду не подходит ни один формат магазина',
      todo: 'ищите его как штрихкод; если его напечатали весы магазина, формат добавит техник (**Устройство**, **Этикетки весов**)',
      page: 'К этому коду не подходит ни один формат: добавьте формат весов, которые его напечатали.',
    },
  }),
  'PrintedCodes.NoAmount': refused({
    status: 422,
    again: 'mended',
    en: {
      meaning: 'the label has a weight or a price of 0',
      todo: 'weigh the item again and print another label; where all labels have it, the technician corrects the layout (**Device**, **Scale labels**)',
      page: 'The label has a weight or a price of 0: print another one, or correct the layout.',
    },
    ru: {
      meaning: 'вес или цена на этикетке — ноль',
      todo: 'взвесьте товар ещё раз и напечатайте новую этикетку; если так на всех этикетках, техник исправит формат (**Устройство**, **Этикетки весов**)',
      page: 'Вес или цена на этикетке — ноль: напечатайте новую этикетку или исправьте формат.',
    },
  }),
} as const;
