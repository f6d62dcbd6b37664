/**
 * A lane that sells by a plan, refunds, and closes its shifts, on a clock that the test sets; it goes on where the one before was killed.
 * Arguments: the folder, the bank, sales in all, milliseconds by which its clock is ahead.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openDisplay } from '../../drivers/display/registry.ts';
import { openBase, openLog } from '../../firmware/device/composition/base.ts';
import { buildTerminal } from '../../firmware/device/composition/build-terminal.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import { turnoverOf } from '../../firmware/payments/model/shift.ts';
import type { Caller } from '../../firmware/payments/service/sale/sale.ts';
import { SCREEN } from '../support.ts';
import { SEALER } from '../terminal/banks/pools.ts';
import { kindOf, SHIFTS } from './shift-plan.ts';

const [folder = '', bank = '', sales = '', ahead = ''] = process.argv.slice(2);
const SALES = Number(sales);
const say = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);

const { config } = loadConfig(null, {
  LANEWARE_DATADIR: folder,
  LANEWARE_TERMINAL_TTLMAXMINUTES: '10000', // late payments come a shift later
});
const base = openBase(config, openLog('silent'));
const { wall } = base.clock;
base.clock.wall = () => wall.call(base.clock) + Number(ahead);
const terminal = buildTerminal(base, SEALER, bank, {
  pace: { askingSpeed: 50, symbolMs: 1 },
  openDisplay: (connection, options) => openDisplay(connection, options, { writeDeadlineMs: 1000 }),
});
if (terminal.settings.active === null)
  await terminal.updateSettings({
    bankProfile: 'sandbox',
    bankProfiles: { sandbox: { bankName: 'Sandbox' } },
    deviceConnection: SCREEN,
  });
await terminal.start();

const caller = (n: number): Caller => ({
  gone: new AbortController().signal,
  till: `till-${n % 2}`,
  cashier: n % 3 === 0 ? 'Anna' : 'Boris',
  ownOnly: false,
  whenAnswered: (heard) => heard(),
});

async function sell(n: number): Promise<void> {
  const asked = { amount: 10_000 + 100 * n, purpose: `${kindOf(n)} ${n}`, ttl: 10_000 };
  const { orderId } = await terminal.sell(asked, caller(n), `sale-${n}`);
  const stateOf = () => terminal.ledger.find(orderId)?.status.state;
  // the bank cancels the order of a lane that was killed before it had the code
  const ends =
    kindOf(n) === 'paid' ? ['ACCEPTED', 'CANCELED'] : kindOf(n) === 'declined' ? ['REJECTED', 'CANCELED'] : [];
  for (let looks = 0; ends.length > 0 && looks < 2000; looks += 1) {
    if (ends.includes(stateOf() ?? '')) break;
    await pause(3);
  }
  if (n % 7 !== 3 || kindOf(n) !== 'paid' || stateOf() === 'CANCELED') return;
  const { till, cashier } = caller(n + 1);
  await terminal.refunds.refund({
    ...{ orderId, tillId: `return-${n}`, amount: 100 * (n % 50) + 1 },
    requester: { till, cashier, answeredBy: null },
  });
}

function close(number: number): void {
  say({ closing: number });
  const { shift, isAgain } = terminal.shifts.close({ till: 'till-0', cashier: 'Anna' }, `close-${number}`);
  say({ closed: shift.number, net: turnoverOf(shift.report.groups).net, isAgain });
}

/** It begins with the last sale of the one before, whose answer may have been lost. */
let n = Math.max(1, terminal.ledger.table.lastId);
say({ ready: n });
for (; n <= SALES; n += 1) {
  try {
    await sell(n);
  } catch (error) {
    say({ failed: String(error), sale: n });
    await pause(20);
    // a key whose payment has failed is used up, and any other call is sent again
    if (terminal.ledger.ofSale(caller(n).till, `sale-${n}`)?.status.state !== 'ERROR') {
      n -= 1;
      continue;
    }
  }
  say({ sold: n });
  const isLastOf = Array.from({ length: SHIFTS }, (_, shift) => Math.round(((shift + 1) * SALES) / SHIFTS));
  const index = isLastOf.indexOf(n);
  if (index >= 0 && index < SHIFTS - 1) close(index + 1);
}
say({ over: true });
await new Promise(() => setInterval(() => undefined, 1000));
