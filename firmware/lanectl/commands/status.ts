/** `lanectl status`: what works, what does not, and the last payment. */
import type { Command } from 'commander';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { acting, type Tools } from '../context.ts';
import type { ExitName } from '../exit-codes.ts';
import { type Output, table } from '../output.ts';
import type { Health, Payment } from '../shapes.ts';

const TONES = { ok: 'green', degraded: 'yellow', failed: 'red' } as const;

function healthLines({ version, serial, state, parts }: Health, out: Output): string[] {
  const rows = parts.map(({ part, state: of, reason }) => [out.toned(TONES[of], of.padEnd(8)), part, reason]);
  return [
    `Laneware ${version}, serial ${serial}: ${out.toned(TONES[state], state)}`,
    ...table(rows).map((row) => `  ${row}`),
  ];
}

const paymentLine = ({ number, amount, state, createdAt, purpose, late }: Payment): string =>
  [
    `payment ${number} of ${roublesOf(amount)} roubles: ${state}${late ? ', late' : ''}`,
    `asked for ${new Date(createdAt).toLocaleString('sv')}`,
    ...(purpose === null ? [] : [purpose]),
  ].join(', ');

async function status({ device, out }: Tools): Promise<ExitName> {
  const [health] = await Promise.all([device.health('terminal'), device.health('recognition')]);
  const urls = { terminal: await device.urlOf('terminal'), recognition: await device.urlOf('recognition') };
  const { body } = await device.call('terminal', '/v1/payments?limit=1');
  const [last = null] = (body as { readonly payments: readonly Payment[] }).payments;
  out.result({ ...health, urls, lastPayment: last }, [
    ...healthLines(health, out),
    `payment terminal  ${urls.terminal}`,
    `recognition       ${urls.recognition}`,
    last === null ? 'no payment yet' : paymentLine(last),
  ]);
  return health.state === 'failed' ? 'faults' : 'ok';
}

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('what works, what does not, and the last payment; ends with 9 where a part has failed')
    .action(acting(status));
}
