/** The totals of a day: what was accepted and what went back on it, by profile, as the export has it. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REFUND_DONE } from '../../firmware/banks/bank-refund.ts';
import { bankWords } from '../../firmware/console/words.ts';
import { zoneNow } from '../../firmware/core/host/zone.ts';
import { languageOf } from '../../firmware/core/http/index.ts';
import { sheetRows } from '../../firmware/core/tables/workbook.ts';
import { localDay, localDayOf } from '../../firmware/payments/model/local-day.ts';
import { profileNames } from '../../firmware/payments/model/words.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { DayReports } from '../../firmware/payments/reports/days/day-report.ts';
import { dayPage } from '../../firmware/payments/reports/papers/print-page.ts';
import { daySheet, programCsv, russianCsv } from '../../firmware/payments/reports/papers/sheet.ts';
import { strictProblems } from '../store/workbooks.ts';
import { call, each, LETTERHEAD, onSetUpDevice, startTestDevice } from '../support.ts';
import { sellByQR, sendProfile } from './device-calls.ts';
import { callerNamed, type Lane, onLane, unreachable } from './harness.ts';
import { pay } from './refund-rig.ts';

const test = suite('terminal: totals of a day');
const it = each(test, onLane);
const onDevice = each(test, onSetUpDevice);

const DAY_MS = 86_400_000;
const NONE = { count: 0, sum: 0 };
const QUIET = { late: 0, withoutReceipt: NONE, open: NONE, openRefunds: NONE, notFollowed: NONE, openBefore: NONE };

const reportOf = (l: Lane, wall = l.clock.wall(), till: string | null = null) =>
  new DayReports({ ledger: l.ledger, shifts: l.terminal.shifts, refunds: Money.over(l.db).refunds }).of(
    localDayOf(wall),
    till,
  );

it('accepted, gone back, net, late and open, by profile and in all; a refund is of its own day', async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const first = await pay(l, 1000);
  await pay(l, 2000);
  await pay(l, 500, { profileName: 'q' });
  await l.refunds.refund({ orderId: first, tillId: 'a', amount: 300 });
  await l.showQR(700, { purpose: 'open' });
  const { profiles, totals } = reportOf(l);
  const [p, q] = profiles;
  assert.equal(p, {
    profile: 'p',
    bank: 'Sandbox',
    accepted: { count: 2, sum: 3000 },
    refunds: { count: 1, sum: 300 },
    net: 2700,
    ...QUIET,
    open: { count: 1, sum: 700 },
  });
  assert.equal([q?.profile, q?.accepted, q?.net], ['q', { count: 1, sum: 500 }, 500]);
  assert.equal([totals.accepted, totals.refunds, totals.net], [{ count: 3, sum: 3500 }, { count: 1, sum: 300 }, 3200]);
  const yesterday = l.clock.wall();
  l.clock.now += localDayOf(yesterday).to - yesterday; // its first moment
  await l.refunds.refund({ orderId: first, tillId: 'b', amount: 700 });
  assert.equal([reportOf(l).totals.net, reportOf(l).totals.refunds], [-700, { count: 1, sum: 700 }]);
  assert.is(reportOf(l, yesterday).totals.net, 3200, 'a day that is over stays as it is');
});

it('a payment that stays open is named on later days until it ends, and not on earlier ones', async (l) => {
  await l.showQR(700, { purpose: 'silent' });
  l.bank.verdicts.set(l.bankId(0), unreachable());
  const asked = l.clock.wall();
  l.clock.now += 3 * DAY_MS;
  await pay(l, 1000, { caller: callerNamed('checkout-1') });
  const silent = { count: 1, sum: 700 };
  const { totals, profiles } = reportOf(l);
  assert.equal(
    { open: totals.open, totalsOpenBefore: totals.openBefore, profilesOpenBefore: profiles[0]?.openBefore },
    { open: NONE, totalsOpenBefore: silent, profilesOpenBefore: silent },
  );
  assert.equal([reportOf(l, asked).totals.open, reportOf(l, asked).totals.openBefore], [silent, NONE]);
  assert.equal(reportOf(l, asked + DAY_MS).profiles[0]?.openBefore, silent, 'a day without a sale');
  assert.equal(reportOf(l, asked - DAY_MS).totals.openBefore, NONE);
  assert.equal(reportOf(l, undefined, 'checkout-1').totals.openBefore, NONE, 'another till asked for it');
  assert.match(
    programCsv(daySheet(reportOf(l))),
    /,open_before_count,open_before_kopecks,.*\r\n.*,1,700,0,0,1,[^,]+\r\n$/,
  );
  assert.match(
    dayPage(reportOf(l), 'en', l.clock.wall(), en, LETTERHEAD),
    /Open from earlier days<\/th><td>1<\/td><td>₽7.00/,
  );
  l.bank.allowCancel();
  await l.payments.cancel(l.bank.registered[0]?.orderId ?? '');
  assert.equal(reportOf(l).totals.openBefore, NONE);
});

it('a method of a later release counts as unknown, with those whose bank says nothing', async (l) => {
  await pay(l, 1000);
  const order = await pay(l, 200);
  const later = { method: 'by-thought' as never, word: 'X' };
  l.ledger.setTransaction(order, { trxId: null, paidAt: null, refunded: null, payer: null, paidBy: later });
  assert.equal(reportOf(l).methods, [{ method: 'unknown', count: 2, sum: 1200 }]);
});

it('an undecided refund is named on the day it was asked for, and is no refund yet', async (l) => {
  const order = await pay(l, 1000);
  l.bank.refund = async () => ({ ...REFUND_DONE, state: 'pending' });
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  const asked = l.clock.wall();
  const { totals, profiles } = reportOf(l);
  assert.equal([totals.openRefunds, totals.refunds, totals.net], [{ count: 1, sum: 300 }, NONE, 1000]);
  assert.equal(profiles[0]?.openRefunds, { count: 1, sum: 300 });
  l.clock.now += DAY_MS;
  assert.equal(reportOf(l).totals.openRefunds, NONE);
  assert.equal(reportOf(l, asked).totals.openRefunds, { count: 1, sum: 300 });
  assert.equal(reportOf(l, asked - DAY_MS).totals.openRefunds, NONE);
});

it('money of an undecided refund is no refund beside it, where the bank has reported it first', async (l) => {
  const order = await pay(l, 1000);
  l.bank.refund = async () => ({ ...REFUND_DONE, state: 'pending' });
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  l.ledger.setTransaction(order, { trxId: null, paidAt: null, refunded: 400, payer: null, paidBy: null });
  const { totals } = reportOf(l);
  assert.equal(
    { openRefundsSum: totals.openRefunds.sum, refundsSum: totals.refunds.sum, net: totals.net },
    { openRefundsSum: 300, refundsSum: 100, net: 900 },
  );
});

it('what is open, and what the bank does not follow, is of the till that has asked for it', async (l) => {
  const [one, two] = [callerNamed('checkout-1'), callerNamed('checkout-2')];
  const onSticker = { profile: { bankName: 'Static' as const, staticQR: 'https://qr.example/shop' } };
  await l.showQR(100, { caller: one, ...onSticker });
  await l.showQR(200, { caller: two, ...onSticker });
  await l.showQR(700, { caller: two });
  const openOf = (till: string | null) => {
    const { open, notFollowed } = reportOf(l, undefined, till).totals;
    return [open, notFollowed];
  };
  assert.equal(openOf('checkout-1'), [NONE, { count: 1, sum: 100 }]);
  assert.equal(openOf('checkout-2'), [
    { count: 1, sum: 700 },
    { count: 1, sum: 200 },
  ]);
  assert.equal(openOf(null), [
    { count: 1, sum: 700 },
    { count: 2, sum: 300 },
  ]);
});

it('the totals of one till are of what it has asked for, undecided refunds too', async (l) => {
  const [one, two] = [
    await pay(l, 1000, { caller: callerNamed('checkout-1') }),
    await pay(l, 2000, { caller: callerNamed('checkout-2') }),
  ];
  l.bank.refund = async () => ({ ...REFUND_DONE, state: 'pending' });
  await l.refunds.refund({ orderId: one, tillId: 'a', amount: 300 });
  await l.refunds.refund({ orderId: two, tillId: 'b', amount: 500 });
  for (const [till, sum, back] of [
    ['checkout-1', 1000, 300],
    ['checkout-2', 2000, 500],
  ] as const) {
    const { totals, methods } = reportOf(l, undefined, till);
    assert.equal(
      [totals.accepted, totals.openRefunds],
      [
        { count: 1, sum },
        { count: 1, sum: back },
      ],
    );
    assert.equal(methods, [{ method: 'unknown', ...totals.accepted }], 'by how it was paid');
  }
  assert.equal(reportOf(l, undefined, 'checkout-3').totals, { ...reportOf(l, 0).totals });
  assert.equal(reportOf(l).totals.openRefunds, { count: 2, sum: 800 });
});

it('a payment that has failed on the display is open while the bank may have it, and no longer', async (l) => {
  l.display.breaks = true;
  await l.showQR(700).catch(() => undefined);
  const [failed] = l.ledger.queries.recent(1);
  assert.equal([failed?.status.state, failed?.status.seen], ['ERROR', true]);
  assert.equal(reportOf(l).totals.open, { count: 1, sum: 700 });
  l.ledger.markSettled(failed?.orderId ?? '');
  assert.equal(reportOf(l).totals.open, NONE);
});

it('what a bank has given back by a cancellation counts once, as a refund', async (l) => {
  await l.showQR(1000);
  l.bank.allowCancel('refunded');
  await l.payments.cancel(l.bank.registered[0]?.orderId ?? '');
  const { totals } = reportOf(l);
  assert.equal(
    { sum: totals.accepted.sum, refunds: totals.refunds, net: totals.net, late: totals.late },
    { sum: 1000, refunds: { count: 1, sum: 1000 }, net: 0, late: 1 },
  );
});

it("the bank's clock decides on which day it was paid", async (l) => {
  const before = localDayOf(l.clock.wall()).from - 1000;
  l.bank.reported = { paidAt: before };
  await pay(l, 1000);
  assert.equal([reportOf(l).totals.net, reportOf(l, before).totals.net], [0, 1000]);
  l.bank.reported = { paidAt: before + 1000 };
  await pay(l, 500);
  assert.equal([reportOf(l).totals.net, reportOf(l, before).totals.net], [500, 1000], 'midnight is of the next day');
  l.bank.reported = { paidAt: 1, trxId: 'T1' };
  await pay(l, 200);
  const [row] = l.ledger.queries.recent(1);
  assert.equal([row?.status.state, row?.paidAt, row?.trxId], ['ACCEPTED', null, 'T1'], 'a moment that cannot be');
  assert.match(l.bank.logged.join(), `the payment ${row?.orderId} was paid at `);
  assert.is(reportOf(l).totals.net, 700, 'ours stands in its place');
});

test('a day is that of the calendar, however many hours it has', () => {
  assert.is(localDay('2026-11-21').to, localDay('2026-11-22').from);
  for (const wrong of ['2026-02-30', '2026-13-01', '2026-00-10']) assert.throws(() => localDay(wrong), /day must be/);
  assert.is(localDayOf(new Date(2026, 1, 28, 23, 59).getTime()).day, '2026-02-28');
});

const en = profileNames(await bankWords('en'));
const ru = profileNames(await bankWords('ru'));

const TOTALS = {
  accepted: { count: 2, sum: 123_456 },
  refunds: { count: 1, sum: 456 },
  net: 123_000,
  late: 1,
  withoutReceipt: { count: 6, sum: 1300 },
  open: { count: 1, sum: 700 },
  openRefunds: { count: 3, sum: 900 },
  notFollowed: { count: 4, sum: 1100 },
  openBefore: { count: 5, sum: 1200 },
};
const REPORT = {
  day: localDay('2026-11-21'),
  profiles: [{ profile: '<b>"Main" & =1+1', bank: 'CFT', ...TOTALS }],
  totals: TOTALS,
  methods: [
    { method: 'sbp' as const, count: 1, sum: 100_000 },
    { method: 'digital-rouble' as const, count: 1, sum: 23_456 },
  ],
  shifts: [3, 4],
};

test('the page is Russian or English, and takes no name for markup; the CSV none for a formula', () => {
  const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');
  const russian = plain(dayPage(REPORT, 'ru', 0, ru, LETTERHEAD));
  assert.match(russian, /Оплачено.*>2<.*1 234,56 ₽/s);
  assert.match(russian, /&lt;b&gt;&quot;Main&quot; &amp; =1\+1 · ЦФТ/);
  const [profile] = REPORT.profiles;
  const own = { ...REPORT, profiles: [{ ...TOTALS, ...profile, profile: 'Sandbox', bank: 'Sandbox' }] };
  assert.match(dayPage(own, 'en', 0, en, LETTERHEAD), '<h2>Test bank</h2>');
  assert.match(
    dayPage({ ...own, profiles: [{ ...TOTALS, profile: 'a', bank: 'Gone' }] }, 'en', 0, en, LETTERHEAD),
    'a · Gone<',
  );
  assert.match(plain(dayPage(REPORT, 'en', 0, en, LETTERHEAD)), /To review/);
  const rows = (text: string): string[] =>
    [...text.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/ +/g, ' ')
        .trim(),
    );
  assert.equal(rows(plain(dayPage(REPORT, 'en', 0, en, LETTERHEAD))), [
    'Paid 2 ₽1,234.56',
    'Refunded 1 ₽4.56',
    'Net ₽1,230.00',
    'Still open 1 ₽7.00',
    'Open from earlier days 5 ₽12.00',
    'Refunds in progress 3 ₽9.00',
    'To review 1',
    'Without a receipt 6 ₽13.00',
    'Static codes shown 4 ₽11.00',
    'SBP 1 ₽1,000.00',
    'Digital roubles 1 ₽234.56',
  ]);
  assert.match(russian, /Способы оплаты.*Цифровые рубли/s);
  const unsaid = { ...REPORT, methods: [{ method: 'unknown' as const, count: 2, sum: 1 }] };
  assert.not.match(dayPage(unsaid, 'en', 0, en, LETTERHEAD), /method/i, 'a bank that says nothing takes no paper');
  assert.match(russian, /знает только банк.*Смены: 3, 4/s);
  const quiet = { ...TOTALS, ...QUIET };
  const short = plain(
    dayPage({ ...REPORT, profiles: [], totals: quiet, shifts: [] }, 'en', REPORT.day.to, en, LETTERHEAD),
  );
  assert.not.match(
    short,
    /open|in progress|review|receipt|static code|not over|shifts/i,
    'what is not there takes no paper',
  );
  assert.match(plain(dayPage(REPORT, 'en', REPORT.day.to - 1, en, LETTERHEAD)), /The day is not over/);
  assert.not.match(russian, /<script|http/);
  assert.equal(['ru-RU,ru;q=0.9,en;q=0.8', 'de, en;q=0.5', undefined].map(languageOf), ['ru', 'en', 'en']);
  assert.is(
    programCsv(daySheet({ ...REPORT, profiles: REPORT.profiles.map((each) => ({ ...each, profile: '=1+1' })) })).split(
      '\r\n',
    )[1],
    `2026-11-21,'=1+1,CFT,2,123456,1,456,123000,1,1,700,3,900,4,1100,5,1200,6,1300,3 4,${zoneNow()}`,
  );
});

test('codes that are not followed are named in each format, and count as nothing taken', async () => {
  await using device = await startTestDevice();
  const staticQR = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01';
  await sendProfile(device, { bankName: 'Static', staticQR });
  for (const amount of [1500, 2500]) await call(`${device.terminal}/showQR`, { json: { amount } });
  const { totals } = (await call(`${device.terminal}/v1/reports/day`)).body;
  assert.equal([totals.notFollowed, totals.accepted, totals.net], [{ count: 2, sum: 4000 }, NONE, 0]);
  const page = await call(`${device.terminal}/v1/reports/day?format=html`);
  assert.match(page.text, /Static codes shown.*Only the bank knows.*The day is not over/s);
  assert.match((await call(`${device.terminal}/v1/reports/day?format=csv`)).text, /,0,0,2,4000,0,0,0,0,,[^,]+\r\n$/);
});

onDevice('the totals are those of the export, in each format', async (device) => {
  for (const amount of [1000, 2500]) await sellByQR(device, amount);
  const at = `${device.terminal}/v1/reports/day`;
  const { body } = await call(at);
  const path = 'all.csv';
  assert.is((await call(`${device.terminal}/exportToCSV`, { json: { path } })).status, 200);
  const [head = '', ...lines] = readFileSync(`${device.dataDir}/exports/${path}`, 'utf8').trim().split('\r\n');
  const column = (name: string): number => head.replace('\uFEFF', '').split(',').indexOf(name);
  const paid = lines.map((line) => line.split(',')).filter((cells) => cells[column('state')] === 'ACCEPTED');
  const exported = paid.reduce((sum, cells) => sum + Number(cells[column('amount_kopecks')]), 0);
  assert.equal([body.totals.accepted, exported], [{ count: 2, sum: 3500 }, 3500]);
  assert.is(body.timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const csv = await call(`${at}?format=csv&day=${body.day}`);
  assert.equal(
    [csv.headers.get('content-type'), csv.text.split('\r\n')[1]],
    ['text/csv; charset=utf-8', `${body.day},sandbox,Sandbox,2,3500,0,0,3500,0,0,0,0,0,0,0,0,0,0,0,1,${body.timeZone}`],
  );
  const page = await call(`${at}?format=html`, { headers: { 'accept-language': 'ru' } });
  assert.match(page.text, /<html lang="ru" .*35,00/s);
  const chosen = await call(`${at}?format=html&lang=en`, { headers: { 'accept-language': 'ru' } });
  assert.match(chosen.text, /<html lang="en" .*35\.00/s);
  for (const wrong of ['day=2026-02-30', 'format=pdf', 'format=html&lang=de'])
    assert.equal((await call(`${at}?${wrong}`)).body.code, 'RequestParams.InvalidField');
});

onDevice(
  'payments in a workbook and a CSV for Excel: roubles, local time, and no cell is a formula',
  async (device) => {
    await sellByQR(device, 123_456, '=1+1');
    await sellByQR(device, 5, 'Яблоки; "Антоновка"');
    const at = `${device.terminal}/v1/reports/day`;
    const { body } = await call(at);
    const csv = await call(`${at}?format=payments-csv-ru`);
    assert.equal(
      ['content-type', 'content-disposition'].map((name) => csv.headers.get(name)),
      ['text/csv; charset=utf-8', `attachment; filename="payments-${body.day}.csv"`],
    );
    const [head = '', first = '', second = ''] = csv.text.split('\r\n');
    assert.match(head, /^\uFEFF?Номер;Запрошен;Оплачен;"Сумма, ₽";"Возвращено, ₽";Назначение;/);
    const { createdAt, paidAt } = (await call(`${device.terminal}/v1/payments?limit=2`)).body.payments[1];
    const local = (iso: string) => {
      const [year, month, day, ...clock] = new Date(iso).toLocaleString('sv').split(/[- :]/);
      return `${day}.${month}.${year} ${clock.join(':')}`;
    };
    assert.ok(first.startsWith(`1;${local(createdAt)};${local(paidAt)};"1234,56";"0,00";'=1+1;`), first);
    assert.match(second, /^2;.*;"0,05";"0,00";"Яблоки; ""Антоновка""";/);
    const answer = await fetch(`${at}?format=payments-xlsx`, { headers: { 'accept-language': 'ru' } });
    assert.is(answer.headers.get('content-disposition'), `attachment; filename="payments-${body.day}.xlsx"`);
    const workbook = new Uint8Array(await answer.arrayBuffer());
    assert.equal(await strictProblems(workbook), [[]]);
    const rows = await Readable.from(sheetRows(workbook)).toArray();
    assert.equal(
      rows.map(({ cells }) => [cells[0], ...cells.slice(3, 6)]),
      [
        ['Номер', 'Сумма, ₽', 'Возвращено, ₽', 'Назначение'],
        ['1', '1234.56', '0', '=1+1'],
        ['2', '0.05', '0', 'Яблоки; "Антоновка"'],
      ],
    );
    assert.is(rows[1].cells[2], new Date(paidAt).toLocaleString('sv'));
    const english = await fetch(`${at}?format=payments-xlsx&lang=en`, { headers: { 'accept-language': 'ru' } });
    const [names] = await Readable.from(sheetRows(new Uint8Array(await english.arrayBuffer()))).toArray();
    assert.is(names.cells[3], 'Amount, ₽');
  },
);

onDevice('the payments of a period are one file, which ends with its last day', async (device) => {
  await sellByQR(device, 1500);
  const { day } = (await call(`${device.terminal}/v1/reports/day`)).body;
  const of = (query: string) => call(`${device.terminal}/v1/reports/day?${query}`);
  const first = new Date(Date.parse(day) - 30 * 86_400_000).toISOString().slice(0, 10);
  const whole = await of(`day=${first}&to=${day}&format=payments`);
  assert.equal([whole.status, whole.text.trim().split('\r\n').length], [200, 2], whole.text);
  assert.is(whole.headers.get('content-disposition'), `attachment; filename="payments-${first}-${day}.csv"`);
  assert.is((await of('day=2026-01-05&to=2027-01-05&format=payments')).status, 200, '366 days');
  const before = await of('day=2026-01-05&to=2026-01-06&format=payments-csv-ru');
  assert.is(before.text.trim().split('\r\n').length, 1);
  for (const wrong of [
    `day=${day}&to=${first}&format=payments`,
    'day=2026-01-05&to=2027-01-06&format=payments',
    'day=2026-01-05&to=2026-02-30&format=payments',
    `day=${first}&to=${day}`,
  ]) {
    const { status, body } = await of(wrong);
    assert.equal([status, body.field], [400, 'to'], wrong);
  }
});

onDevice('totals in a CSV and a workbook for Excel: roubles of either sign, and local time', async (device) => {
  const profile = { ...TOTALS, profile: '=1+1', bank: 'Банк; новый', net: -5 };
  const sheet = daySheet({ ...REPORT, profiles: [profile] });
  const [head = '', line, end] = (await Readable.from(russianCsv(sheet)).toArray()).join('').split('\r\n');
  assert.match(
    head,
    /^\uFEFFДень;Профиль;Банк;"Оплачено, шт\.";"Оплачено, ₽";"Возвраты, шт\.";"Возвраты, ₽";"Итого, ₽";/,
  );
  assert.match(head, /;"Без чека, шт\.";"Без чека, ₽";Смены;Часовой пояс$/);
  assert.is(
    line,
    `2026-11-21;'=1+1;"Банк; новый";2;"1234,56";1;"4,56";"-0,05";1;1;"7,00";3;"9,00";4;"11,00";5;"12,00";6;"13,00";3 4;${zoneNow()}`,
  );
  assert.is(end, '');
  await sellByQR(device, 123_456);
  const { day } = (await call(`${device.terminal}/v1/reports/day`)).body;
  const of = async (path: string) => {
    const answer = await fetch(`${device.terminal}${path}`, { headers: { 'accept-language': 'ru' } });
    return { name: answer.headers.get('content-disposition'), bytes: new Uint8Array(await answer.arrayBuffer()) };
  };
  const csv = await of('/v1/reports/day?format=csv-ru');
  assert.is(csv.name, `attachment; filename="day-${day}.csv"`);
  assert.match(
    Buffer.from(csv.bytes).toString(),
    /^\uFEFFДень;.*\r\n[-\d]+;sandbox;Sandbox;1;"1234,56";0;"0,00";"1234,56";/,
  );
  const workbook = await of('/v1/reports/day?format=xlsx');
  assert.is(workbook.name, `attachment; filename="day-${day}.xlsx"`);
  const rows = await Readable.from(sheetRows(workbook.bytes)).toArray();
  assert.equal(
    rows.map(({ cells }) => cells.slice(0, 5)),
    [
      ['День', 'Профиль', 'Банк', 'Оплачено, шт.', 'Оплачено, ₽'],
      [day, 'sandbox', 'Sandbox', '1', '1234.56'],
    ],
  );
  const shift = await of('/v1/shifts/current?format=csv-ru');
  assert.match(
    Buffer.from(shift.bytes).toString(),
    /^\uFEFFСмена;Открыта;Закрыта;Строка;.*\r\n1;\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d;;Итог;sandbox;Sandbox;[^;]*;;1;"1234,56";/,
  );
  const book = await Readable.from(sheetRows((await of('/v1/shifts/current?format=xlsx&lang=en')).bytes)).toArray();
  assert.equal([book[0].cells[3], book[1].cells[3]], ['Line', 'Total']);
});

test.run();
