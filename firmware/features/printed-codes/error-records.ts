/** Why a code that a scale has printed says nothing. */
import { refused } from '../../../drivers/lib/records.ts';

export const PRINTED_CODE_ERRORS = {
  'PrintedCodes.WrongCheckDigit': refused(422, 'mended', {
    en: 'the last digit does not fit the others | scan the label again, or type all 13 digits again | The last digit does not fit: scan the label again, or type its digits again.',
    ru: 'последняя цифра не подходит к остальным | отсканируйте этикетку ещё раз или введите все 13 цифр заново | Последняя цифра не подходит: отсканируйте этикетку ещё раз или введите цифры заново.',
  }),
  'PrintedCodes.NoLayout': refused(404, 'mended', {
    en: 'no layout of this shop fits the code | look it up as a barcode; if a scale of the shop printed it, the technician adds its layout (**Device**, **Scale labels**) | No layout fits this code: add the layout of the scale that printed it.',
    ru: 'к этому коду не подходит ни одна раскладка магазина | ищите его как штрихкод; если его напечатали весы магазина, раскладку добавит техник (**Устройство**, **Этикетки весов**) | К этому коду не подходит ни одна раскладка: добавьте раскладку весов, которые его напечатали.',
  }),
} as const;
