/** Why a code that a scale has printed cannot be read. */
import { refused } from '../../../drivers/lib/records.ts';

export const PRINTED_CODE_ERRORS = {
  'PrintedCodes.OwnCode': refused(404, 'mended', {
    en: 'an item has the whole code as its own: its barcode, id or PLU | find that item by `GET /v1/items?code=`; where a scale has printed the code, take it from the item | An item has this code as its own: it is not read as a label.',
    ru: 'у одного из товаров это собственный код: штрихкод, номер или PLU | найдите этот товар по `GET /v1/items?code=`; если код напечатали весы, уберите его у товара | Это собственный код одного из товаров: как этикетка весов он не разбирается.',
  }),
  'PrintedCodes.WrongCheckDigit': refused(422, 'mended', {
    en: 'the last digit does not fit the others | scan the label again, or type all 13 digits again | The last digit does not fit: scan the label again, or type its digits again.',
    ru: 'последняя цифра не подходит к остальным | отсканируйте этикетку ещё раз или введите все 13 цифр заново | Последняя цифра не подходит: отсканируйте этикетку ещё раз или введите цифры заново.',
  }),
  'PrintedCodes.NoLayout': refused(404, 'mended', {
    en: 'no layout of this shop fits the code | look it up as a barcode; if a scale of the shop printed it, the technician adds its layout (**Device**, **Scale labels**) | No layout fits this code: add the layout of the scale that printed it.',
    ru: 'к этому коду не подходит ни один формат магазина | ищите его как штрихкод; если его напечатали весы магазина, формат добавит техник (**Устройство**, **Этикетки весов**) | К этому коду не подходит ни один формат: добавьте формат весов, которые его напечатали.',
  }),
  'PrintedCodes.NoAmount': refused(422, 'mended', {
    en: 'the label has a weight or a price of 0 | weigh the item again and print another label; where all labels have it, the technician corrects the layout (**Device**, **Scale labels**) | The label has a weight or a price of 0: print another one, or correct the layout.',
    ru: 'вес или цена на этикетке — ноль | взвесьте товар ещё раз и напечатайте новую этикетку; если так на всех этикетках, техник исправит формат (**Устройство**, **Этикетки весов**) | Вес или цена на этикетке — ноль: напечатайте новую этикетку или исправьте формат.',
  }),
} as const;
