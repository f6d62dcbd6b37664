/** A process that does nothing but take payments into a ledger, and says of each when it is acknowledged. */
import { keepCopies, openLedger, pay } from '../terminal/ledger-rig.ts';

/** The copies are brought up to date after so many payments. */
const KEEP_EVERY = 7;

const ledger = openLedger(process.argv[2] ?? '');
process.stdout.write('{"ready":true}\n');
for (let n = (ledger.last()?.id ?? 0) + 1; ; n += 1) {
  pay(ledger, n);
  process.stdout.write(`{"acknowledged":${n}}\n`);
  if (n % KEEP_EVERY === 0) keepCopies(ledger);
  await new Promise((resolve) => setImmediate(resolve));
}
