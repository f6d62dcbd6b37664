/** `lanectl reconcile`: a bank's registry beside the ledger, and the shop's account beside what the bank owes. */
import { type Command, InvalidArgumentError } from 'commander';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { acting, type Tools } from '../context.ts';
import { table } from '../output.ts';
import type { Reconciliation } from '../shapes.ts';
import { day, readNamed } from '../values.ts';

interface Options {
  readonly from: string;
  readonly to?: string;
  readonly statement?: string;
  readonly profile?: string;
  readonly registry?: string;
  readonly column?: Readonly<Record<string, string>>;
}

const inBase64 = async (file: string): Promise<string> => Buffer.from(await readNamed(file)).toString('base64');

/** One more of `amount=Сумма операции`. */
function column(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [field = '', ...name] = text.split('=');
  if (field === '' || name.join('=') === '')
    throw new InvalidArgumentError('It must be what it is and its name in the file, e.g. amount=Сумма.');
  return { ...before, [field]: name.join('=') };
}

type Day = Reconciliation['days'][number];
const HEAD = ['day', 'paid', 'refunded', 'commission', 'to be paid out', 'by the bank', 'on the account'];

function accountOf({ arrival }: Day): string {
  if (arrival === null) return '';
  const lines = arrival.credits.map(({ line }) => line);
  return lines.length === 0 ? arrival.state : `${arrival.state}: line ${lines.join(', ')}`;
}

function row(payout: Day): string[] {
  const orDash = (kopecks: number | null): string => (kopecks === null ? '-' : roublesOf(kopecks));
  const { sum, refunds, commission, payout: owed, stated } = payout;
  return [payout.day ?? '-', ...[sum, refunds, commission, owed, stated].map(orDash), accountOf(payout)];
}

async function reconcile({ device, out }: Tools, file: string, options: Options): Promise<undefined> {
  const { from, to, statement, profile, registry, column: columns } = options;
  const files = { file: await inBase64(file), statement: statement && (await inBase64(statement)) };
  const asked = { from, to, profile, registry, columns, ...files };
  const found = (await device.call('terminal', '/v1/reconciliations', { body: asked })) as Reconciliation;
  const { payments, refunds, differences, more, days } = found;
  out.result(found, [
    `payments that agree: ${payments}, refunds: ${refunds}, differences: ${differences.length + more}`,
    ...differences.map(({ sentence }) => sentence),
    ...(days.length === 0 ? [] : table([HEAD, ...days.map(row)])),
  ]);
}

export function addReconcile(program: Command): void {
  program
    .command('reconcile')
    .description('compare a bank’s registry with the ledger, and the account with what the bank owes')
    .argument('<file>', 'the registry: .xlsx or .csv; - reads the standard input')
    .requiredOption('--from <day>', 'the first day, as 2026-11-21', day)
    .option('--to <day>', 'the last day (default: the first)', day)
    .option('--statement <file>', 'the statement of the account for 1C (1CClientBankExchange): which payout has come')
    .option('--profile <name>', 'whose registry it is (default: all)')
    .option('--registry <name>', 'the columns that the configuration has under this name')
    .option('--column <field=name>', 'names a column, e.g. amount=Сумма; may be repeated', column)
    .action(acting(reconcile));
}
