/** `lanectl report`: what a day has brought. */
import type { Command } from 'commander';
import type { Static } from 'typebox';
import { roublesOf } from '../../../drivers/lib/money.ts';
import type { DayAnswer } from '../../terminal/index.ts';
import { acting, type Tools } from '../context.ts';
import { misuse } from '../exit-codes.ts';
import { table } from '../output.ts';
import { day } from '../values.ts';

interface Options {
  readonly day?: string;
  readonly csv?: boolean;
}

type Report = Static<typeof DayAnswer>;
type Totals = Report['totals'];

const HEAD = ['', 'accepted', 'roubles', 'refunds', 'roubles', 'net', 'late', 'open'];
const row = (name: string, { accepted, refunds, net, late, open, openBefore, openRefunds }: Totals): string[] => [
  name,
  String(accepted.count),
  roublesOf(accepted.sum),
  String(refunds.count),
  roublesOf(refunds.sum),
  roublesOf(net),
  String(late),
  String(open.count + openBefore.count + openRefunds.count),
];

async function report({ device, out }: Tools, options: Options): Promise<undefined> {
  if (options.csv === true && out.isJson) throw misuse('Option', 'use either --json or --csv');
  const query = new URLSearchParams({
    ...(options.day !== undefined && { day: options.day }),
    ...(options.csv === true && { format: 'csv' }),
  });
  const body = await device.call('terminal', `/v1/reports/day?${query}`);
  if (typeof body === 'string') {
    process.stdout.write(body);
    return;
  }
  const { day: of, timeZone, profiles, totals } = body as Report;
  const rows = profiles.map(({ profile, bank, ...its }) => row(`${profile} (${bank})`, its));
  out.result(body as Report, [`${of}, ${timeZone}`, ...table([HEAD, ...rows, row('all', totals)])]);
}

export function addReport(program: Command): void {
  program
    .command('report')
    .description('show daily totals by profile')
    .option('--day <day>', 'e.g. 2026-11-21, in the device’s time zone (default: today)', day)
    .option('--csv', 'print CSV for a spreadsheet')
    .action(acting(report));
}
