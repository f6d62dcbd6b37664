/** Which column of a bank's registry is which, by what banks call theirs: a guess, for a person or a program to confirm. */
import type { RegistryColumns } from '../../config/index.ts';

const NO_RATE = /%|ставк|тариф|процент/;

/** The surest first; a column is taken once, by the first of the fields. */
const WORDS: Readonly<Record<keyof RegistryColumns, readonly RegExp[]>> = {
  refund: [/возврат.*(?:id|номер|№|идент)|(?:id|номер|№|идент).*возврат|refund.?id/],
  order: [/(?:id|номер|№|идент).*заказ|заказ.*(?:id|номер|№)|order.?(?:id|number|no)/, /^(?:заказ|order)$/],
  payout: [
    /к (?:перечислению|выплате|возмещению|зачислению)/,
    /сумма (?:перечисл|возмещ|выплат|зачисл)/,
    /payout|^net\b/,
  ],
  commission: [/сумма комиссии|комиссия.*(?:₽|руб)/, /комисси|вознаграждени|\bfee\b|commission/],
  amount: [
    /^сумма (?:операции|платежа|транзакции|покупки|оплаты)/,
    /^сумма(?:$|[ ,(]+(?:в )?(?:₽|руб|rub))/,
    /^(?:transaction |payment )?(?:amount|sum)\b/,
  ],
  transaction: [/(?:id|номер|№|код|идент).*(?:операци|транзакци)/, /transaction.?(?:id|number)|\btrx/],
  bank: [/^qr|(?:id|номер|№).*qr/, /(?:id|номер|№|идент).*плат[её]ж/, /payment.?id/],
  date: [
    /дата.*(?:операции|платежа|оплаты|транзакции)/,
    /^дата(?!.*(?:перечисл|возмещ|выплат|зачисл|отч[её]т))/,
    /^(?:date|paid at)/,
  ],
  type: [/^(?:тип|вид)(?: операции| транзакции)?$/, /^(?:operation |transaction )?type$/],
};

/** @param header cells of a line that may name the columns @returns those that are known by their names, and stand there once */
export function guessedColumns(header: readonly string[]): RegistryColumns {
  const names = header.filter((name) => name !== '' && header.indexOf(name) === header.lastIndexOf(name));
  const free = new Set(names.filter((name) => !NO_RATE.test(name.toLowerCase())));
  const guessed: { -readonly [field in keyof RegistryColumns]: string } = {};
  for (const [field, words] of Object.entries(WORDS) as [keyof RegistryColumns, readonly RegExp[]][]) {
    const found = words.map((word) => [...free].find((name) => word.test(name.toLowerCase().replaceAll(/\s+/g, ' '))));
    const name = found.find((each) => each !== undefined);
    if (name === undefined) continue;
    guessed[field] = name;
    free.delete(name);
  }
  return guessed;
}
