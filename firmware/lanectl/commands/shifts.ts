/** `lanectl shifts`: those that are closed, what one holds, and the close of the open one, once for one key. */
import { type Command, InvalidArgumentError } from 'commander';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { LISTED, MOST_LISTED } from '../../terminal/payment-limits.ts';
import { acting, type Tools } from '../context.ts';
import { misuse } from '../exit-codes.ts';
import { table } from '../output.ts';
import { repeating } from '../repeating.ts';
import type { Shift, ShiftsPage } from '../shapes.ts';
import { key, wholeNumber } from '../values.ts';

/** How long a silent device is retried. */
const ASKING_LIMIT_MS = 10_000;

const HEAD = ['', 'accepted', 'roubles', 'refunds', 'roubles', 'net', 'no receipt'];
const row = (name: string, { accepted, refunds, net, withoutReceipt }: Shift['totals']): string[] => [
  name,
  ...[accepted, refunds].flatMap(({ count, sum }) => [String(count), roublesOf(sum)]),
  roublesOf(net),
  String(withoutReceipt.count),
];
const localTime = (at: string | null): string => (at === null ? 'open' : new Date(at).toLocaleString('sv'));

function linesOf({ number, openedAt, closedAt, timeZone, totals, profiles, cashiers }: Shift): string[] {
  const rows = [
    ...profiles.map(({ profile, bank, ...its }) => row(`${profile} (${bank})`, its)),
    ...cashiers.map(({ till, cashier, ...its }) => row([till ?? '-', cashier ?? '-'].join(', '), its)),
  ];
  const head = `shift ${number}, ${localTime(openedAt)} to ${localTime(closedAt)}, ${timeZone}`;
  return [head, ...table([HEAD, ...rows, row('all', totals)])];
}

async function list({ device, out }: Tools, { limit = LISTED }: { readonly limit?: number }): Promise<undefined> {
  const { shifts } = (await device.call('terminal', `/v1/shifts?limit=${limit}`)) as ShiftsPage;
  const rows = shifts.map(({ number, closedAt, totals }) => row(`${number}, closed ${localTime(closedAt)}`, totals));
  out.result({ shifts }, rows.length === 0 ? ['no shift has been closed yet'] : table([HEAD, ...rows]));
}

async function show({ device, out }: Tools, shift: string, { csv }: { readonly csv?: boolean }): Promise<undefined> {
  if (csv === true && out.isJson) throw misuse('Option', 'use either --json or --csv');
  const body = await device.call('terminal', `/v1/shifts/${shift}${csv === true ? '?format=csv' : ''}`);
  if (typeof body === 'string') process.stdout.write(body);
  else out.result(body as Shift, linesOf(body as Shift));
}

interface Closing {
  readonly cashier?: string;
  readonly key?: string;
}

async function close(
  { device, out }: Tools,
  number: number | undefined,
  { cashier, key: given }: Closing,
): Promise<undefined> {
  const named = given ?? crypto.randomUUID();
  const which = number === undefined ? '' : ` ${number}`;
  const again = `it may be closed, or not: lanectl shifts close${which} --key ${named} says which shift it is`;
  const headers = { 'idempotency-key': named };
  const ask = (signal: AbortSignal) =>
    device.call('terminal', '/v1/shifts/close', { body: { cashier, number }, headers, signal });
  const closed = (await repeating(ask, { end: performance.now() + ASKING_LIMIT_MS, out, again })) as Shift;
  out.result({ ...closed, key: named }, linesOf(closed));
}

/** The open one has another number once somebody has closed it: it is not closed in its place. */
function openShift(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be the number of a shift.');
}

function shiftNumber(text: string): string {
  if (/^(?:current|[1-9]\d{0,14})$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the number of a shift, or current.');
}

export function addShifts(program: Command): void {
  const shifts = program.command('shifts').description('the shift that is open, its close, and those that are closed');
  shifts
    .command('list')
    .description('list closed shifts, newest first')
    .option('--limit <number>', `how many (default: ${LISTED})`, wholeNumber(1, MOST_LISTED))
    .action(acting(list));
  shifts
    .command('show')
    .description('show a shift by profile, till and cashier')
    .argument('[shift]', 'its number', shiftNumber, 'current')
    .option('--csv', 'print CSV for programs')
    .action(acting(show));
  shifts
    .command('close')
    .description('close the open shift, and open the next one')
    .argument('[shift]', 'its number, as shown: no other one is closed (default: whichever is open)', openShift)
    .option('--cashier <name>', 'who sat there')
    .option('--key <key>', 'names this close: the same key is the same shift, never the next one', key)
    .action(acting(close));
}
