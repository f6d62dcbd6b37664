/** One judgement of a cell of a registry, from CSV and a workbook alike: a value, nothing, or a difference that names line, column and value. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RegistryColumns } from '../../firmware/features/reconciliation/config.ts';
import { Payouts } from '../../firmware/features/reconciliation/payouts.ts';
import { registryOf } from '../../firmware/features/reconciliation/registry-entries.ts';
import { registryLines } from '../../firmware/features/reconciliation/registry-file.ts';
import { tableOf, workbookWith } from '../store/workbooks.ts';

const test = suite('terminal: cells of a registry');

const COLUMNS: RegistryColumns = {
  order: 'Заказ',
  transaction: 'RRN',
  refund: 'Возврат',
  type: 'Тип',
  amount: 'Сумма',
  commission: 'Комиссия',
  payout: 'К выплате',
  date: 'Дата',
};
const HEAD = Object.values(COLUMNS);
const LINE: Readonly<Record<string, string>> = {
  order: 'LW1',
  transaction: '51',
  refund: '',
  type: 'Оплата',
  amount: '10,00',
  commission: '0,04',
  payout: '9,96',
  date: '30.11.2026',
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const FILES: Readonly<Record<string, (rows: readonly (readonly string[])[]) => Uint8Array | Promise<Uint8Array>>> = {
  CSV: (rows) => Buffer.from(rows.map((row) => row.map(quoted).join(';')).join('\r\n')),
  workbook: (rows) => workbookWith({ sheets: [tableOf(rows.map((row) => row.map(escaped)))] }),
};

/** What a file with one line says: its value of a field, the sentences of its faults, and its day's sums. */
async function read(bytes: Uint8Array, field: string) {
  await using lines = registryLines(bytes);
  const { items } = await registryOf(lines, COLUMNS, { bank: null, device: 'Europe/Moscow' });
  const payouts = new Payouts(null);
  const faults: string[] = [];
  let value: unknown;
  for await (const item of payouts.read(items))
    if ('reason' in item) faults.push(`${item.line}: ${item.reason}`);
    else if ('unread' in item) faults.push(`${item.line}: ${item.unread}`);
    else {
      if ('isRefund' in item) payouts.count(item, 'sbp');
      value = Object.entries(item).find(([name]) => name === field)?.[1];
    }
  return { value, faults, total: payouts.total };
}

const withCell = (field: string, cell: string): (readonly string[])[] => [
  HEAD,
  Object.keys(COLUMNS).map((name) => (name === field ? cell : (LINE[name] ?? ''))),
];

const BLANKS = ['\u00a0', '\u202f', '\u2009'];
const VALUES: readonly (readonly [field: string, cell: string, value: unknown])[] = [
  ...['10', '10.00 ₽', '+10,00', '10,00 руб.', 'RUB 10.00'].map((cell) => ['amount', cell, 1000] as const),
  ...BLANKS.map((blank) => ['amount', `1${blank}010,00${blank}₽`, 101_000] as const),
  ...['0,04-', '-0,04', '(0,04)', '\u22120,04', '0.04 ₽-'].map((cell) => ['commission', cell, -4] as const),
  ...['-', '—', '0', '0,00', 'нет'].map((cell) => ['commission', cell, 0] as const),
  ...['', 'NULL', '\\N', 'NaN'].map((cell) => ['commission', cell, null] as const),
  ...['20261130', '30-ноя-2026', '30 ноября 2026 г.', '46356', '2026-11-29T21:00:00Z', 'Nov 30, 2026 12:00'].map(
    (cell) => ['day', cell, '2026-11-30'] as const,
  ),
  ...['', 'NULL', '-'].map((cell) => ['day', cell, null] as const),
  ...['51', '51.0', '5\u200b1', ' 51 '].map((cell) => ['transaction', cell, '51'] as const),
  ...['-', 'NULL', '\\N', '#N/A', '0', 'нет'].map((cell) => ['refund', cell, null] as const),
];
const NAMED: Readonly<Record<string, string>> = { day: 'date' };

const ERROR = 'an error of a spreadsheet: correct the formula there, and send the table again';
/** Without these cells a line is compared; its fee, its payout or its day is not known. */
const UNREAD: readonly (readonly [field: string, cell: string, fault: string])[] = [
  ['commission', 'бесплатно', '"Комиссия" must be an amount, as 1234.56, and is "бесплатно"'],
  ['commission', '0,04%', '"Комиссия" must be an amount, as 1234.56, and is "0,04%"'],
  ['commission', '#Н/Д', `"Комиссия" is "#Н/Д", ${ERROR}`],
  ['payout', '#ЗНАЧ!', `"К выплате" is "#ЗНАЧ!", ${ERROR}`],
  ['date', 'вчера', '"Дата" must be a day, as 30.11.2026, and is "вчера"'],
  ['date', '31.11.2026', '"Дата" must be a day, as 30.11.2026, and is "31.11.2026"'],
  ['date', '#ЗНАЧ!', `"Дата" is "#ЗНАЧ!", ${ERROR}`],
];
/** These refuse their line alone. */
const REFUSED: readonly (readonly [field: string, cell: string, fault: string])[] = [
  ['amount', '10 €', '"Сумма" must be an amount, as 1234.56, and is "10 €"'],
  [
    'amount',
    '1,500',
    '"Сумма" is "1,500", which may be a thousand and more, or a fraction: write it as 1234.00, or as 1.23',
  ],
  ['amount', '#ССЫЛКА!', `"Сумма" is "#ССЫЛКА!", ${ERROR}`],
  ['amount', 'NULL', 'it has no amount'],
  ['type', '#REF!', `"Тип" is "#REF!", ${ERROR}`],
  ['order', '#REF!', `"Заказ" is "#REF!", ${ERROR}`],
  [
    'transaction',
    '4.6E+12',
    '"RRN" is a number that a spreadsheet has rounded: format the column as text, and write all its digits',
  ],
];

for (const [source, fileOf] of Object.entries(FILES)) {
  for (const [field, cell, value] of VALUES)
    test(`${source}: ${field} ${JSON.stringify(cell)} is ${value}`, async () => {
      const found = await read(await fileOf(withCell(NAMED[field] ?? field, cell)), field);
      assert.equal([found.value, found.faults], [value, []]);
    });
  for (const [field, cell, fault] of UNREAD)
    test(`${source}: ${field} ${JSON.stringify(cell)} is a difference, and its line is counted`, async () => {
      const { value, faults, total } = await read(
        await fileOf(withCell(field, cell)),
        field === 'date' ? 'day' : field,
      );
      assert.equal([value, faults, total.sum], [null, [`2: ${fault}`], 1000]);
      assert.equal(total.commission, field === 'commission' ? null : 4);
    });
  for (const [field, cell, fault] of REFUSED)
    test(`${source}: ${field} ${JSON.stringify(cell)} refuses its line alone`, async () => {
      const [head = [], line = []] = withCell(field, cell);
      const { faults, total } = await read(await fileOf([head, line, Object.values(LINE)]), field);
      assert.equal([faults, total.sum], [[`2: ${fault}`], 1000]);
    });
}

test.run();
