/** What a bank owes by its registry, by the bank's days: to the kopeck, and never a guess that nobody has seen. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import type { RegistryColumns } from '../../firmware/features/reconciliation/config.ts';
import { Payouts } from '../../firmware/features/reconciliation/payouts.ts';
import { guessedColumns } from '../../firmware/features/reconciliation/registry-columns.ts';
import { registryOf } from '../../firmware/features/reconciliation/registry-entries.ts';
import { registryLines } from '../../firmware/features/reconciliation/registry-file.ts';
import { dayInZone, zoneDay } from '../../firmware/payments/model/local-day.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { tableOf, workbookWith } from '../store/workbooks.ts';
import { call, each, onSetUpDevice, setUp, startTestDevice } from '../support.ts';
import { sellByQR } from './device-calls.ts';

const test = suite('terminal: payouts of a bank');
const onDevice = each(test, onSetUpDevice);

const COLUMNS: RegistryColumns = {
  order: 'order',
  amount: 'amount',
  refund: 'refund',
  date: 'date',
  commission: 'commission',
  payout: 'payout',
};
const HEAD = 'order;refund;date;amount;commission;payout';

interface Read {
  readonly days: Payouts['days'];
  readonly total: Payouts['total'];
  readonly problems: readonly string[];
}

async function read(lines: readonly string[], onlyDay: string | null = null, columns = COLUMNS): Promise<Read> {
  const zones = { bank: 'Europe/Moscow', device: 'UTC' };
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  await using file = registryLines(bytes);
  const { items } = await registryOf(file, columns, zones);
  const payouts = new Payouts(onlyDay);
  const problems: string[] = [];
  for await (const item of payouts.read(items))
    if ('reason' in item) problems.push(`${item.line}: ${item.reason}`);
    else if ('unread' in item) problems.push(`${item.line}: ${item.unread}`);
    else if ('operation' in item) payouts.countOther(item);
    else payouts.count(item, 'sbp');
  return { days: payouts.days, total: payouts.total, problems };
}

test('each day of the bank has its sum, refunds, commission, payout, and what the bank says', async () => {
  const { days, total, problems } = await read([
    HEAD,
    'a;;21.11.2026 23:59:59;1 000,00;4,00;996,00',
    'b;;22.11.2026 00:00:00;500,00;2,00;498,00',
    'b;r;2026-11-22;-100,00;0;-100,00',
    'c;;2026-11-22T21:30:00Z;10,00;0,04;9,95',
  ]);
  assert.equal(problems, []);
  assert.equal(days, [
    { day: '2026-11-21', sum: 100_000, refunds: 0, commission: 400, payout: 99_600, stated: 99_600, difference: 0 },
    { day: '2026-11-22', sum: 50_000, refunds: 10_000, commission: 200, payout: 39_800, stated: 39_800, difference: 0 },
    { day: '2026-11-23', sum: 1000, refunds: 0, commission: 4, payout: 996, stated: 995, difference: -1 },
  ]);
  assert.equal(total, {
    ...{ sum: 151_000, refunds: 10_000, commission: 604 },
    ...{ payout: 140_396, stated: 140_395, difference: -1 },
  });
});

test('a commission above its payment takes from the payout, as the bank writes it', async () => {
  const { total } = await read([HEAD, 'a;;;100,00;3,49;96,51', 'b;;;1,00;3,49;-2,49']);
  assert.equal(
    { payout: total.payout, stated: total.stated, difference: total.difference },
    { payout: 9402, stated: 9402, difference: 0 },
  );
});

test('a commission that a refund returns is taken off, whichever sign the bank writes', async () => {
  const plain = await read([HEAD, 'a;;;100;0,40;', 'a;r;;-50;-0,20;']);
  const negative = await read([HEAD, 'a;;;100;-0,40;', 'a;r;;-50;0,20;']);
  const charged = await read([HEAD, 'a;;;100;0,40;', 'a;r;;-50;0,20;']);
  assert.equal(
    [plain, negative, charged].map(({ total }) => [total.commission, total.payout]),
    [
      [20, 4980],
      [20, 4980],
      [60, 4940],
    ],
  );
});

test('a total line is compared with the lines above it, and says what the bank pays', async () => {
  const lines = [HEAD, 'a;;21.11.2026;100;0,40;', 'b;;21.11.2026;50;0,20;'];
  const stated = { sum: 15_000, refunds: 0, commission: 60, payout: 14_940, stated: 14_940, difference: 0 };
  for (const total of [
    ['Итого;;;150,00;0,60;149,40'],
    ['Итого;;;150,00;0,60;', 'К перечислению: 149,40'],
    ['Итого к перечислению;149,40 руб.'],
    ['Всего к выплате;;;;;149.40'],
  ]) {
    const found = await read([...lines, ...total]);
    assert.equal(found.problems, [], total[0]);
    assert.equal(found.days, [{ day: '2026-11-21', ...stated }], total[0]);
    assert.equal(found.total, stated, total[0]);
  }
  const wrong = await read([...lines, 'Итого;;;151,00;;']);
  assert.equal(wrong.problems, ['4: its total is 151.00 ₽, and the lines above make 150.00 ₽']);
  const parts = await read([HEAD, 'a;;;100;;', 'Итого;;;100;;', 'b;;;50;;', 'Итого;;;50;;', 'Всего;;;150;;']);
  assert.equal(parts.problems, []);
  const net = await read([HEAD, 'a;;;100;;', 'a;r;;-30;;', 'Итого;;;70;;']);
  assert.equal(net.problems, []);
  assert.equal((await read([...lines, 'Итого'])).problems, ['4: it has no amount']);
});

test("what is neither sale nor refund is in no sum; the bank's own payout figure has it", async () => {
  const columns = { order: 'order', type: 'type', amount: 'amount', commission: 'commission', payout: 'payout' };
  const lines = ['order;type;amount;commission;payout', 'a;Оплата;100;0,40;99,60', ';Удержание;-30;;-30'];
  const sums = { sum: 10_000, refunds: 0, commission: 40, payout: 9960, stated: 6960, difference: -3000 };
  for (const total of ['', 'Итого;;70;;69,60', 'Итого;;100;;', 'Итого;Удержание;70;;']) {
    const found = await read([...lines, total], null, columns);
    assert.equal([found.total, found.problems], [sums, []], total);
  }
});

test('what a registry does not say is unknown, never nothing', async () => {
  const columns = { order: 'order', amount: 'amount' };
  const bare = await read(['order;amount', 'a;100'], null, columns);
  const unknown = { sum: 10_000, refunds: 0, commission: null, payout: null, stated: null, difference: null };
  assert.equal(bare.days, [{ day: null, ...unknown }]);
  assert.equal((await read(['order;amount', 'a;100'], '2026-11-21', columns)).days, [
    { day: '2026-11-21', ...unknown },
  ]);
  const odd = await read([HEAD, 'a;;21.11.2026;100;see contract;99', 'b;;sometime;100;0,40;']);
  assert.equal(
    odd.days.map(({ day, commission, stated }) => [day, commission, stated]),
    [
      ['2026-11-21', null, 9900],
      [null, 40, null],
    ],
  );
  assert.equal([odd.total.commission, odd.total.stated], [null, null]);
});

test('columns are guessed by what banks call them, each once', () => {
  const guessed = (names: string): unknown => guessedColumns(names.split(';'));
  assert.equal(guessed('№ п/п;Дата операции;Номер заказа;Тип операции;Сумма операции;Сумма комиссии;К перечислению'), {
    ...{ order: 'Номер заказа', date: 'Дата операции', type: 'Тип операции' },
    ...{ amount: 'Сумма операции', commission: 'Сумма комиссии', payout: 'К перечислению' },
  });
  assert.equal(
    guessed('Дата выплаты;ID операции;ID возврата;Сумма, руб.;Комиссия, %;Комиссия, руб.;Сумма возмещения'),
    {
      ...{ transaction: 'ID операции', refund: 'ID возврата', amount: 'Сумма, руб.' },
      ...{ commission: 'Комиссия, руб.', payout: 'Сумма возмещения' },
    },
  );
  assert.equal(guessed('Date;Order ID;Payment ID;Amount;Fee;Net amount'), {
    ...{
      date: 'Date',
      order: 'Order ID',
      bank: 'Payment ID',
      amount: 'Amount',
      commission: 'Fee',
      payout: 'Net amount',
    },
  });
  assert.equal(guessed('transactionId;transactionDate;transactionType;amount;operationId;paymentLinkId'), {
    ...{ transaction: 'operationId', bank: 'paymentLinkId' },
    ...{ date: 'transactionDate', type: 'transactionType', amount: 'amount' },
  });
  assert.equal(guessed('Сумма;Сумма;Город;ФИО'), {});
});

onDevice('a guess is shown before it is taken, below any title, and the answer says what was taken', async (device) => {
  const id = await sellByQR(device, 12_345);
  const { paidAt } = (await call(`${device.terminal}/v1/payments/${id}`)).body;
  const day = dayInZone(Date.parse(paidAt), 'Europe/Moscow');
  const header = ['Дата операции (МСК)', 'Номер заказа', 'Сумма операции', 'Комиссия', 'К перечислению'];
  const rows = [[`Реестр операций за ${day}`], header, [`${day} 10:00`, id, '123.45', '0.49', '122.96']];
  const file = (await workbookWith({ sheets: [tableOf(rows)] })).toString('base64');
  const send = (json: object) => call(`${device.terminal}/v1/reconciliations`, { json: { from: day, file, ...json } });
  const refused = await send({});
  const columns = {
    ...{ order: 'Номер заказа', amount: 'Сумма операции', date: 'Дата операции (МСК)' },
    ...{ commission: 'Комиссия', payout: 'К перечислению' },
  };
  assert.equal([refused.status, refused.body.reason, refused.body.columns], [400, 'unknown-columns', header]);
  assert.equal(Object.entries(refused.body.guess).sort(), Object.entries(columns).sort());
  const { body } = await send({ columns: refused.body.guess });
  assert.equal([body.payments, body.differences, body.timeZone], [1, [], 'Europe/Moscow']);
  assert.equal([Object.entries(body.columns).sort(), body.header], [Object.entries(columns).sort(), header]);
  const payout = { sum: 12_345, refunds: 0, commission: 49, payout: 12_296, stated: 12_296, difference: 0 };
  assert.equal([body.days, body.total], [[{ day, ...payout, arrival: null }], payout]);
});

test('a day is one of the calendar, and where it may be two somebody is asked', async () => {
  const daysOf = async (dates: 'day-first' | 'month-first' | null, ...written: string[]): Promise<unknown> => {
    await using file = registryLines(
      Buffer.from(`order;amount;date\n${written.map((date, at) => `a${at};1;${date}\n`).join('')}`),
    );
    const columns = { order: 'order', amount: 'amount', date: 'date' };
    const { items } = await registryOf(file, columns, { bank: null, device: 'UTC', dates });
    const days: (string | null)[] = [];
    try {
      for await (const item of items) if ('day' in item) days.push(item.day);
    } catch (error) {
      return error instanceof TerminalError ? error.parameters : error;
    }
    return days;
  };
  assert.equal(await daysOf(null, '11/28/2026', '28/11/2026', '11/28/26 9:05', '1/2/2026 1:05 PM', '5/5/2026'), [
    ...['2026-11-28', '2026-11-28', '2026-11-28', '2026-01-02', '2026-05-05'],
  ]);
  assert.equal(await daysOf(null, '11.28.2026', '31.02.2026', '2026-28-11', '13/13/2026', '28.11.26'), [
    ...[null, null, null, null, '2026-11-28'],
  ]);
  const unclear = { reason: 'unclear-dates', line: '3', date: '11/12/2026' };
  assert.equal(await daysOf(null, '11/28/2026', '11/12/2026'), unclear);
  assert.equal(await daysOf('day-first', '11/12/2026', '11/28/2026'), ['2026-12-11', '2026-11-28']);
  assert.equal(await daysOf('month-first', '11/12/2026', '11.12.2026'), ['2026-11-12', '2026-12-11']);
});

test("days are the bank's: Moscow's where it says so, else the device's, or as configured", async () => {
  const zoneOf = async (date: string, bank: string | null): Promise<string> => {
    const bytes = Buffer.from(`order;amount;${date}\na;1;21.11.2026\n`);
    const columns = { order: 'order', amount: 'amount', date };
    await using lines = registryLines(bytes);
    return (await registryOf(lines, columns, { bank, device: 'Asia/Vladivostok' })).timeZone;
  };
  assert.equal(
    [await zoneOf('Дата МСК', null), await zoneOf('Дата', null), await zoneOf('Дата МСК', 'Asia/Omsk')],
    ['Europe/Moscow', 'Asia/Vladivostok', 'Asia/Omsk'],
  );
  const of = (day: string, zone: string) => {
    const { from, to } = zoneDay(day, zone);
    return [new Date(from).toISOString(), (to - from) / 3_600_000];
  };
  assert.equal(of('2026-11-21', 'Europe/Moscow'), ['2026-11-20T21:00:00.000Z', 24]);
  assert.equal(of('2026-03-29', 'Europe/Berlin'), ['2026-03-28T23:00:00.000Z', 23]);
  assert.equal(of('2026-10-25', 'Europe/Berlin'), ['2026-10-24T22:00:00.000Z', 25]);
  assert.equal(of('2026-09-27', 'Pacific/Auckland'), ['2026-09-26T12:00:00.000Z', 23], 'before its clocks change');
  assert.equal(of('2026-11-21', 'America/St_Johns'), ['2026-11-21T03:30:00.000Z', 24]);
  assert.throws(() => zoneDay('2026-02-30', 'Europe/Moscow'), /must be a day of the calendar/);
  assert.is(dayInZone(Date.parse('2026-11-20T21:00:00Z'), 'Europe/Moscow'), '2026-11-21');
  assert.is(dayInZone(Date.parse('2026-11-20T20:59:59.999Z'), 'Europe/Moscow'), '2026-11-20');
  assert.throws(
    () => loadConfig(null, { LANEWARE_TERMINAL_BANKTIMEZONE: 'Mars/Olympus' }),
    /terminal\.bankTimeZone .*: "Mars\/Olympus" is no time zone/,
  );
});

test('what is missing is looked for in the days of the bank', async () => {
  await using device = await startTestDevice({ LANEWARE_TERMINAL_BANKTIMEZONE: 'Pacific/Kiritimati' });
  await setUp(device);
  const { paidAt } = (await call(`${device.terminal}/v1/payments/${await sellByQR(device, 12_345)}`)).body;
  const file = Buffer.from('id заказа;Сумма\nelsewhere;1\n').toString('base64');
  const foundOn = async (from: string): Promise<unknown> => {
    const { body } = await call(`${device.terminal}/v1/reconciliations`, { json: { from, file } });
    return [body.differences.map(({ kind }: { readonly kind: string }) => kind), body.tests.count];
  };
  const moment = Date.parse(paidAt);
  const there = dayInZone(moment, 'Pacific/Kiritimati');
  assert.equal(await foundOn(there), [['not-in-ledger'], 1]);
  assert.equal(await foundOn(dayInZone(moment - 86_400_000, 'Pacific/Kiritimati')), [['not-in-ledger'], 0]);
});

test.run();
