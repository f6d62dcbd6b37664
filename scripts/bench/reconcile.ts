/**
 * `node scripts/bench/reconcile.ts`: compares a bank's registry of 10,000 and of 100,000 lines with a ledger that has
 * them all, by HTTP, beside bare reading of the CSV and one bare look-up a line; also measures the wait of another call
 * meanwhile, and the memory. Only ratios count, because machines are noisy.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { RowFormat } from '../../firmware/core/store/book/row.ts';
import { openFile, transaction } from '../../firmware/core/store/database.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { localDay, localDayOf } from '../../firmware/payments/reports/local-day.ts';
import { temporaryFolder } from '../../test/support.ts';
import { ALONE, type Firmware, ms, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';

const SIZES = [amountOf({ full: 10_000, quick: 100 }), amountOf({ full: 100_000, quick: 1000 })];
/** Pause before the measuring of a device that has just started. */
const SETTLE_MS = amountOf({ full: 5000, quick: 500 });
/** How long other calls are measured alone. */
const ALONE_MS = amountOf({ full: 5000, quick: 200 });
const AMOUNT = 12_300;

using folder = temporaryFolder();
const today = localDayOf(Date.now()).day;

/** Fills a ledger with payments accepted today; returns their order ids. */
function fill(dataDir: string, payments: number): string[] {
  mkdirSync(dataDir, { recursive: true });
  const { from } = localDay(today);
  const ids = Array.from({ length: payments }, () => randomUUID());
  const path = join(dataDir, 'money.db');
  using _money = Money.open({ path, secondFolder: null, now: Date.now });
  using db = openFile(path);
  const format = new RowFormat(db, 'payments');
  transaction(db, () => {
    for (const [n, orderId] of ids.entries())
      format.put({
        ...{ id: n + 1, change_no: 1, called: n + 1, order_id: orderId, created_at: from + n, ended_at: from + n },
        ...{ boot_id: 'before', created_mono: 0, profile: 'p', bank: 'CFT', amount: AMOUNT, purpose: 'Apples', ttl: 5 },
        ...{ bank_id: `B${n}`, payload: `https://qr.nspk.ru/B${n}?type=02`, state: 'ACCEPTED' },
        ...{ seen: 1, late: 0, superseded: 0, settled: 1 },
      });
  });
  return ids;
}

const registryOf = (ids: readonly string[]): string =>
  [
    'Мерчант;Дата операции МСК;Тип;id заказа;id возврата;Комментарий;Способ оплаты;QR id;id клиента;Сумма;Комиссия',
    ...ids.map((id, n) => `Ромашка;21.11.2026 12:00;Оплата;${id};;"Яблоки; ""Антоновка""";СБП;B${n};;123,00;0,40`),
  ].join('\r\n');

/** Reads the CSV at once and makes one look-up a line, with nothing around. */
function bare(dataDir: string, csv: string, size: number): number {
  const db = openFile(join(dataDir, 'money.db'), { readOnly: true });
  const find = db.prepare('SELECT * FROM payments WHERE order_id = ?');
  const began = performance.now();
  const [, ...lines]: string[][] = parse(csv, { delimiter: ';' });
  const found = lines.filter(([, , , orderId = '']) => find.get(orderId)?.amount === AMOUNT).length;
  const took = performance.now() - began;
  db.close();
  if (found !== size) throw new Error(`${found} of ${size} were found`);
  return took;
}

const answered = async (url: string): Promise<number> => {
  const began = performance.now();
  await (await fetch(url)).arrayBuffer();
  return performance.now() - began;
};

/** Runs `work`; returns the longest time of another call meanwhile, and the most memory. */
async function watched({ url, rssMb }: Firmware, work: Promise<void>): Promise<{ stall: number; rss: number }> {
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  let [stall, rss] = [0, 0];
  while (!isOver) {
    stall = Math.max(stall, await answered(`${url}/version`));
    rss = Math.max(rss, rssMb());
    await pause(1);
  }
  await done;
  return { stall, rss };
}

/** Sends a file and prints the answer, in its own process, so that the figures are the firmware's alone. */
const SEND = `
  const [, url, path] = process.argv;
  const headers = { 'content-type': 'application/json' };
  const body = require('node:fs').readFileSync(path);
  fetch(url, { method: 'POST', headers, body }).then((answer) => answer.text()).then((text) => process.stdout.write(text));`;

async function reconciled(url: string, path: string, size: number): Promise<void> {
  const sending = promisify(execFile)(process.execPath, ['-e', SEND, `${url}/v1/reconciliations`, path]);
  const { stdout } = await sending;
  const { payments, differences } = JSON.parse(stdout) as { payments?: number; differences?: readonly unknown[] };
  if (payments !== size || differences?.length !== 0) throw new Error(`it was answered ${stdout.slice(0, 500)}`);
}

for (const size of SIZES) {
  const dataDir = join(folder.path, `data-${size}`);
  const csv = registryOf(fill(dataDir, size));
  const bareMs = bare(dataDir, csv, size);
  const path = join(dataDir, 'body.json');
  writeFileSync(path, JSON.stringify({ from: today, file: Buffer.from(csv).toString('base64') }));
  const firmware = await startFirmware(dataDir, ALONE);
  await pause(SETTLE_MS);
  const before = firmware.rssMb();
  const alone = await watched(firmware, pause(ALONE_MS));
  const began = performance.now();
  const { stall, rss } = await watched(firmware, reconciled(firmware.url, path, size));
  const took = performance.now() - began;
  await firmware.stop();
  process.stdout.write(
    `${size} lines, ${(csv.length / 2 ** 20).toFixed(1)} million characters: ${ms(took)}, ${(took / bareMs).toFixed(2)} of ${ms(bareMs)} bare; another call took ${ms(stall)} at most, ${ms(alone.stall)} without; memory ${before.toFixed(0)} MB before, ${rss.toFixed(0)} MB at most\n`,
  );
}
