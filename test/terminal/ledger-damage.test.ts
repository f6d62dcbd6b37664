/**
 * The files of the ledger, damaged in every way that a card, a power cut or a hand can damage them: whatever one of them
 * loses, the others bring back, and what was put back is told. LANEWARE_FLIPS=n damages n places of each file.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Ledger, type NewPayment } from '../../firmware/terminal/ledger.ts';
import { REGISTERING } from '../../firmware/terminal/payment.ts';
import { temporaryFolder } from '../support.ts';

const FLIPS = Number(process.env.LANEWARE_FLIPS ?? 40);
const PAYMENTS = 15;
const NOW = Date.parse('2026-11-20');
/** Payments that nobody has ended yet. */
const OPEN = [3, 9, 14];

const test = suite(`damaged files of the ledger (${FLIPS} places of each)`);

const open = (folder: string): Ledger =>
  Ledger.open({ path: join(folder, 'ledger.db'), secondFolder: null, now: () => NOW });

const payment = (n: number): NewPayment => ({
  orderId: `order-${n}`,
  createdAt: NOW + n,
  bootId: 'boot',
  createdMono: n,
  profile: 'main',
  bank: 'CFT',
  profileSealed: Buffer.alloc(300, n).toString('base64'),
  amount: 1_000_000 + n,
  purpose: `Äpfel ${n}`,
  ttl: 5,
  standing: REGISTERING,
});

function pay(ledger: Ledger, n: number): void {
  const made = payment(n);
  ledger.insert(made);
  ledger.intendToShow(made.orderId, `bank-${n}`, `https://pay.example/${n}`);
  ledger.setDrawn(made.orderId, true);
  if (OPEN.includes(n)) return;
  ledger.setStanding(made.orderId, { ...REGISTERING, seen: true, state: 'ACCEPTED' }, NOW + 100 + n);
  ledger.markSettled(made.orderId);
}

/** All that a till or an accountant gets to see. */
const contents = (ledger: Ledger) => ({
  rows: ledger.after(0, 1000),
  open: ledger.followed().map(({ orderId }) => orderId),
  last: ledger.last()?.orderId,
  latest: ledger.latestMoment(),
});
type Contents = ReturnType<typeof contents>;

/** The files as a power cut leaves them, after some payments. */
function filesAfter(payments: number, folder: string): Contents {
  const ledger = open(folder);
  for (let n = 1; n <= payments; n += 1) pay(ledger, n);
  const expected = contents(ledger);
  const cut = `${folder}.cut`;
  mkdirSync(cut);
  for (const file of readdirSync(folder)) copyFileSync(join(folder, file), join(cut, file));
  ledger.close();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  for (const file of readdirSync(cut)) if (!file.endsWith('-shm')) copyFileSync(join(cut, file), join(folder, file));
  return expected;
}

/** Opens a copy of a folder after something was done to it. */
function opened<T>(source: string, damage: (folder: string) => void, look: (ledger: Ledger) => T): T {
  using folder = temporaryFolder();
  for (const file of readdirSync(source)) copyFileSync(join(source, file), join(folder.path, file));
  damage(folder.path);
  const ledger = open(folder.path);
  try {
    return look(ledger);
  } finally {
    ledger.close();
  }
}

const FILES = ['ledger.db', 'ledger.db-wal', 'ledger.journal'];

test('undamaged, nothing is found', () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const expected = filesAfter(PAYMENTS, data);
  assert.is(expected.rows.length, PAYMENTS);
  assert.equal(readdirSync(data).sort(), FILES);
  opened(
    data,
    () => undefined,
    (ledger) => assert.equal(contents(ledger), expected),
  );
});

const WHOLE_FILE: Readonly<Record<string, (path: string) => void>> = {
  deleted: (path) => rmSync(path),
  'of no bytes': (path) => truncateSync(path, 0),
  zeroed: (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)),
  halved: (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  text: (path) => writeFileSync(path, 'this is a letter, not a database\n'.repeat(300)),
  'a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

for (const file of FILES) {
  for (const [what, damage] of Object.entries(WHOLE_FILE)) {
    test(`${file} ${what}: every payment is there`, () => {
      using folder = temporaryFolder();
      const data = join(folder.path, 'data');
      mkdirSync(data);
      const expected = filesAfter(PAYMENTS, data);
      opened(
        data,
        (copy) => damage(join(copy, file)),
        (ledger) => assert.equal(contents(ledger), expected),
      );
    });
  }
}

/** Evenly over a file, its first and last byte among them. */
const places = (size: number): number[] =>
  Array.from({ length: Math.min(FLIPS, size) }, (_, n) => Math.floor((n * (size - 1)) / Math.max(1, FLIPS - 1)));

function flip(path: string, place: number): void {
  const bytes = readFileSync(path);
  bytes[place] = (bytes[place] ?? 0) ^ 0x10;
  writeFileSync(path, bytes);
}

for (const file of FILES) {
  test(`a bit of ${file} flipped: every payment is as it was`, () => {
    using folder = temporaryFolder();
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const expected = filesAfter(PAYMENTS, data);
    for (const place of places(readFileSync(join(data, file)).length)) {
      opened(
        data,
        (copy) => flip(join(copy, file), place),
        (ledger) => assert.equal(contents(ledger), expected, `byte ${place}`),
      );
    }
  });
}

test.run();
