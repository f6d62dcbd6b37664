/** `lanectl status`: shows which parts work and the last payment, or one payment with its refunds. */

import type { Command } from 'commander';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { acting, type ExitName, type Output, paymentId, type Tools, table } from '../../core/cli/index.ts';
import type { HealthReport } from '../../core/host/index.ts';

import type { Payment, Payments, Refund } from './shapes.ts';

const TONES = { sells: 'green', 'sells-look-later': 'yellow', 'does-not-sell': 'red' } as const;
const WORDS = {
  sells: 'sells',
  'sells-look-later': 'sells, check later',
  'does-not-sell': 'does not sell',
} as const satisfies Record<HealthReport['sales'], string>;

const DOUBT =
  'it may be paid in digital roubles all the same: this bank hides that from a shop without a consent (lanectl doctor); look in the account at the bank before you sell again';

function healthLines({ version, serial, sales, parts }: HealthReport, out: Output): string[] {
  const rows = parts.map(({ part, state, sales: of, reason }) => [
    out.coloured(TONES[of], state.padEnd(8)),
    part,
    reason,
  ]);
  return [
    `Laneware ${version}, serial ${serial}: ${out.coloured(TONES[sales], WORDS[sales])}`,
    ...table(rows).map((row) => `  ${row}`),
  ];
}

const paymentLine = ({ number, amount, state, createdAt, purpose, late }: Payment): string =>
  [
    `payment ${number} of ${roublesOf(amount)} roubles: ${state}${late ? ', late' : ''}`,
    `asked for ${new Date(createdAt).toLocaleString('sv')}`,
    ...(purpose === null ? [] : [purpose]),
  ].join(', ');

/** Prints one payment. */
async function statusOfPayment({ device, out }: Tools, id: string): Promise<ExitName> {
  const payment = (await device.call('terminal', `/v1/payments/${encodeURIComponent(id)}`)) as Payment & {
    readonly refunds: readonly Refund[];
  };
  const { refunded, error, refunds, doubt } = payment;
  out.result(payment, [
    paymentLine(payment),
    ...(error === null ? [] : [`  ${error}`]),
    ...(doubt === null ? [] : [`  ${DOUBT}`]),
    ...(refunded === 0 ? [] : [`  ${roublesOf(refunded)} roubles have gone back`]),
    ...refunds.map((each) => `  refund ${each.id} of ${roublesOf(each.amount)} roubles: ${each.state}`),
  ]);
  return 'ok';
}

async function status(tools: Tools, id: string | undefined): Promise<ExitName> {
  if (id !== undefined) return statusOfPayment(tools, id);
  const { device, out } = tools;
  const [health] = await Promise.all([device.health('terminal'), device.health('recognition')]);
  const urls = { terminal: await device.urlOf('terminal'), recognition: await device.urlOf('recognition') };
  const [last = null] = ((await device.call('terminal', '/v1/payments?limit=1')) as Payments).payments;
  out.result({ ...health, urls, lastPayment: last }, [
    ...healthLines(health, out),
    `payment terminal  ${urls.terminal}`,
    `recognition       ${urls.recognition}`,
    last === null ? 'no payment yet' : paymentLine(last),
  ]);
  return health.state === 'failed' || health.sales === 'does-not-sell' ? 'faults' : 'ok';
}

export function addStatus(program: Command): void {
  program
    .command('status')
    .description(
      'show what works, what does not, and the last payment; exits with 9 if the device does not sell, or a part has failed',
    )
    .argument('[payment]', 'its id or number: show only this payment', paymentId)
    .action(acting(status));
}
