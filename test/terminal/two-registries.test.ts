/** Two files of one period: a registry of the acquirer, and a statement of digital roubles, as Alfa-Bank has it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RegistryColumns } from '../../firmware/features/reconciliation/config.ts';
import { type ReconciledRegistry, Reconciliations } from '../../firmware/features/reconciliation/reconciliations.ts';
import { Accounts } from '../../firmware/payments/accounts.ts';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import { LanePayments } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { OrderCache } from '../../firmware/payments/reports/order-cache.ts';
import { call, each, onSetUpDevice, temporaryFolder } from '../support.ts';
import { MORNING, TestLane } from './lane-rig.ts';

const test = suite('terminal: two registries of one period');
const onDevice = each(test, onSetUpDevice);

const REGISTRY: RegistryColumns = { order: 'order', transaction: 'rrn', amount: 'amount', commission: 'fee' };
/** Names of Alfa-Bank's interface for digital roubles. */
const STATEMENT: RegistryColumns = {
  ...{ transaction: 'operationId', bank: 'paymentLinkId', type: 'transactionType', amount: 'amount' },
};
const HEAD = 'operationId;paymentLinkId;transactionType;amount';

const sent = (rows: readonly string[], columns: RegistryColumns | null, method: 'digital-rouble' | null = null) => ({
  ...{ file: Buffer.from(`${rows.join('\n')}\n`), columns, method },
  ...{ registry: null, dates: null },
});

/** Four payments, of 10, 20, 30 and 40 roubles. */
async function compare(
  files: (orders: readonly string[]) => readonly [registry: readonly string[], statement: readonly string[]],
  [ofRegistry, ofStatement]: readonly [RegistryColumns, RegistryColumns] = [REGISTRY, STATEMENT],
): Promise<ReconciledRegistry> {
  using folder = temporaryFolder();
  using lane = new TestLane('LW1', folder.path);
  const clock = { wall: () => MORNING, monotonic: () => 0 };
  const lanePayments = new LanePayments({ path: `${folder.path}/lanes.db`, clock });
  const orders = [1000, 2000, 3000, 4000].map((kopecks) => lane.sell(kopecks));
  const accounts = new Accounts({
    ...{ lane: 'LW1', ledger: lane.ledger, refunds: lane.refunds, lanePayments, clock },
    shifts: { orders: new OrderCache(lane.ledger, lane.refunds), returning: () => [] },
  });
  const { day } = localDayOf(MORNING);
  const [registry, statement] = files(orders);
  const config = { registries: {}, registryOperations: {}, bankTimeZone: null };
  return await new Reconciliations(accounts, config).reconcile(
    [sent(registry, ofRegistry), sent(statement, ofStatement, 'digital-rouble')],
    {
      ...{ from: day, to: day, profile: null, operations: {} },
    },
  );
}

const kinds = ({ differences }: ReconciledRegistry) => differences.map(({ kind, file, line }) => [kind, file, line]);
const sums = ({ methods }: ReconciledRegistry) =>
  methods.map(({ method, count, sum, commission }) => [method, count, sum, commission]);

test('two files reconcile one period: by link and by operation, with sums and fees by method', async () => {
  const found = await compare(([one, two]) => [
    ['order;rrn;amount;fee', `${one};;10;0,04`, `${two};;20;0,08`],
    [HEAD, 'LW1-rrn-2;;C2B;30', ';LW1-code-3;C2B;40', 'X;;BUY;500'],
  ]);
  assert.equal([found.payments, kinds(found)], [4, [['unknown-operation', 2, 4]]]);
  assert.match(found.differences[0]?.sentence ?? '', /^line 4 of file 2: "BUY" of 500\.00 ₽ is neither/);
  assert.equal(sums(found), [
    ['digital-rouble', 2, 7000, null],
    ['unknown', 2, 3000, 12],
  ]);
  assert.equal(
    { foundTotalSum: found.total.sum, daysSum: found.days[0]?.sum, othersTotalSum: found.others[0]?.total.sum },
    { foundTotalSum: 10_000, daysSum: 3000, othersTotalSum: 7000 },
  );
});

test('what both files name by one operation counts once; what may be a second charge is named', async () => {
  const found = await compare(([one, two, three, four]) => [
    ['order;rrn;amount;fee', `${one};A;10;0`, `${two};B;20;0`, `${three};C;30;0`, `${four};;40;0`, 'x;Z;5;0'],
    [HEAD, 'a;LW1-code-0;C2B;10', 'D;LW1-code-1;C2B;20', 'C;LW1-code-2;C2B;31', ';LW1-code-3;C2B;40', 'Z;;C2B;5'],
  ]);
  assert.equal(kinds(found), [
    ['not-in-ledger', 1, 6],
    ['duplicate-line', 2, 3],
    ['duplicate-line', 2, 4],
    ['duplicate-line', 2, 5],
  ]);
  assert.match(
    found.differences[1]?.sentence ?? '',
    /line 3 of file 2 names payment 2 again, after line 3: .* both files have it/,
  );
  assert.is(
    found.others[0]?.total.sum,
    2000 + 3100,
    'what was named before, by its operation or without one, is not in it',
  );
});

test("a line without its operation's id counts by one of two files, as often as one has it", async () => {
  const found = await compare(([one, two]) => [
    ['order;rrn;amount;fee', `${one};;10;0`, `${two};B;20;0`, `${two};;20;0`, 'q;;5;0', 'z;Z;7;0'],
    [HEAD, ';LW1-code-0;C2B;10', ';LW1-code-0;C2B;10', ';LW1-code-1;C2B;20', ';z;C2B;7'],
  ]);
  assert.is(found.total.sum, 1000 + 2000 + 2000 + 500 + 700 + 1000);
  assert.is(found.others[0]?.total.sum, 1000, 'the second line of that amount');
  assert.equal(
    kinds(found).filter(([kind]) => kind === 'duplicate-line').length,
    4,
    'what may be a second charge is named all the same',
  );
});

test('an operation that is no sale or refund is paid out once, even where both files name it', async () => {
  const columns: RegistryColumns = { order: 'order', type: 'type', amount: 'amount', payout: 'payout' };
  const rows = ['order;type;amount;payout', 'x;Комиссия;-5;-5', 'x;Комиссия;-5;-5'];
  const found = await compare(() => [rows, rows.slice(0, 2)], [columns, columns]);
  assert.equal(
    [found.days, found.others[0]?.days].map((days) => days?.map(({ stated }) => stated)),
    [[-1000], []],
  );
});

onDevice('by /v1: what is wrong with the second file is said of its field', async (device) => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const send = (other: object) =>
    call(`${device.terminal}/v1/reconciliations`, {
      json: { from: '2026-11-21', file: base64('id заказа;Сумма\nabc;4\n'), others: [other] },
    });
  const { status, body } = await send({ file: base64('Link ID;Amount\nabc;4\n') });
  assert.equal([status, body.field, body.columns], [400, 'others.0.file', ['Link ID', 'Amount']]);
  assert.match(body.detail, /^others\.0\.file has no column that is known to hold the amount/);
  const unclear = await send({
    ...{ file: base64('id;sum;date\na;1;11/12/2026\n'), columns: { bank: 'id', amount: 'sum', date: 'date' } },
  });
  assert.equal([unclear.status, unclear.body.field, unclear.body.reason], [400, 'others.0.file', 'unclear-dates']);
  assert.is((await send({ file: '***' })).body.field, 'others.0.file');
  const read = await send({ file: base64('id;sum\na;1\n'), columns: { bank: 'id', amount: 'sum' }, method: 'card' });
  assert.equal(
    [read.status, read.body.others[0].header, read.body.methods.map(({ method }: { method: string }) => method)],
    [200, ['id', 'sum'], ['unknown', 'card']],
  );
});

test.run();
