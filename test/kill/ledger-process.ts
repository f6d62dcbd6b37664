/** A process that does nothing but take payments into a book of money, and says of each when it is acknowledged. */
import { openKept, pay } from '../terminal/ledger-rig.ts';

/** The book is looked after after so many payments. */
const KEEP_EVERY = 7;

const { payments, keeper } = await openKept(process.argv[2] ?? '');
process.stdout.write('{"ready":true}\n');
for (let n = (payments.last()?.id ?? 0) + 1; ; n += 1) {
  pay(payments, n);
  process.stdout.write(`{"acknowledged":${n}}\n`);
  if (n % KEEP_EVERY === 0) void keeper.passMinute();
  await new Promise((resolve) => setImmediate(resolve));
}
