/** What the device of a busy shop holds: a ledger of three weeks, events that wait for a webhook, items, templates. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { putStand, standIn } from '../../firmware/core/book/stand.ts';
import { openFile, transaction } from '../../firmware/core/files/database.ts';
import { paymentAnswer } from '../../firmware/payments/http/v1/payment-answer.ts';
import { paymentOf } from '../../firmware/payments/model/payment-row.ts';
import { Items } from '../../firmware/recognition/items/items.ts';
import { type ModelOfTemplates, seedTemplates } from '../sync/seeded-store.ts';
import { type Filling, fillLedger } from './filled-ledger.ts';

export interface BusySizes {
  readonly payments: number;
  readonly aDay: number;
  readonly events: number;
  readonly items: number;
  readonly templates: number;
}
export const BUSY: BusySizes = { payments: 200_000, aDay: 10_000, events: 100_000, items: 5000, templates: 8000 };

interface Busy {
  /** Who is paid, as settings have it. */
  readonly profile: object;
  readonly sizes?: BusySizes;
  /** Wall clock, ms: the last payment was just made. */
  readonly now?: number;
  /** That made the templates; one of the tests when left out. */
  readonly model?: ModelOfTemplates;
}

const DAY_MS = 24 * 3_600_000;
const BETWEEN_EVENTS_MS = 10;
const CROP_BYTES = 8000;
/** Of each payment, the newest last. */
const TYPES = ['payment.created', 'payment.shown', 'payment.accepted'] as const;
/** One in so many is declined. */
const DECLINED = 20;

function* fillings({ payments, aDay }: BusySizes, now: number): Generator<Filling> {
  for (let n = 1; n <= payments; n += 1) {
    const createdAt = now - Math.floor(((payments - n + 1) * DAY_MS) / aDay);
    yield { createdAt, amount: 10_000 + n, state: n % DECLINED === 0 ? 'REJECTED' : 'ACCEPTED' };
  }
}

/** Adds events of the newest payments, of one after the other. */
function fillEvents(dataDir: string, events: number): void {
  const path = join(dataDir, 'money.db');
  const stand = standIn(path);
  if (stand === null) throw new Error('there is no ledger');
  using db = openFile(path);
  const newest = db.prepare('SELECT * FROM payments ORDER BY id DESC LIMIT ?');
  const insert = db.prepare('INSERT INTO events (number, at, type, order_id, body) VALUES (?, ?, ?, ?, ?)');
  transaction(db, () => {
    let number = 0;
    for (const row of newest.all(Math.ceil(events / TYPES.length)).reverse()) {
      const payment = paymentOf(row);
      const body = JSON.stringify({ payment: paymentAnswer(payment, null) });
      for (const [index, type] of TYPES.entries()) {
        const at = payment.createdAt + index * BETWEEN_EVENTS_MS;
        number = Math.max(number + 1, at);
        insert.run(number, at, type, payment.orderId, body);
      }
    }
    db.prepare('INSERT OR REPLACE INTO events_kept VALUES (1, 0)').run();
    putStand((sql) => db.prepare(sql), { ...stand, lastEvent: number });
  });
}

async function fillItems(dataDir: string, count: number, now: number): Promise<void> {
  const items = new Items(join(dataDir, 'items.db'), { wall: () => now, monotonic: () => 0, bootId: 'before' });
  await items.imports.run(
    Array.from({ length: count }, (_, n) => ({
      ...{ id: `item ${n}`, name: `Яблоки ${n}`, plu: String(n), price: 1000 + n },
      barcodes: [`46${String(n).padStart(6, '0')}`],
    })),
  );
  await items.close();
}

/** Fills the folder of a device that was never started; minutes of work with all of {@link BUSY}. */
export async function fillBusyDay(
  dataDir: string,
  { profile, sizes = BUSY, now = Date.now(), model }: Busy,
): Promise<void> {
  fillLedger(dataDir, fillings(sizes, now), profile);
  if (sizes.events > 0) fillEvents(dataDir, sizes.events);
  await fillItems(dataDir, sizes.items, now);
  seedTemplates(dataDir, { count: sizes.templates, bytes: CROP_BYTES, origin: 'BUSY' }, model);
}

const LOOK_AGAIN_MS = 1000;

/** The first device of such a folder writes its journal, which takes a minute, of a busy machine several; later ones find it. */
export async function whenJournalled(dataDir: string): Promise<void> {
  const isWritten = () => readdirSync(join(dataDir, 'money.journal')).some((name) => name.endsWith('.rows'));
  while (!isWritten()) await pause(LOOK_AGAIN_MS);
}
