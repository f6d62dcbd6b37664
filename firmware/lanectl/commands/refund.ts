/** `lanectl refund`: refunds a paid payment; the same key never refunds twice. */

import type { Command } from 'commander';
import { roublesOf } from '../../../drivers/lib/money.ts';
import {
  acting,
  amount,
  CommandFailure,
  type ExitName,
  Interruption,
  key,
  misuse,
  paymentId,
  repeating,
  type Tools,
  wholeNumber,
} from '../../core/cli/index.ts';

import type { Refund } from './shapes.ts';

/**
 * How long the request is at least repeated where the device does not answer; a shorter `--timeout` limits only the
 * wait for the bank.
 */
const ASKING_LIMIT_MS = 10_000;
const ASK_AGAIN_MS = 1000;

interface Options {
  readonly all?: boolean;
  readonly key?: string;
  readonly why?: string;
  readonly timeout: number;
}

const EXIT_OF: Readonly<Record<string, ExitName>> = { done: 'ok', refused: 'declined' };

async function refund(
  { device, out }: Tools,
  id: string,
  kopecks: number | undefined,
  options: Options,
): Promise<ExitName> {
  if ((kopecks === undefined) !== (options.all === true))
    throw misuse('Option', 'enter an amount in roubles, or --all for the rest: lanectl refund ID 12.50');
  const key = options.key ?? crypto.randomUUID();
  const end = performance.now() + options.timeout * 1000;
  const interruption = new Interruption();
  const { signal } = interruption;
  const patience = { end: Math.max(end, performance.now() + ASKING_LIMIT_MS), signal, out };
  const ask = (limit: AbortSignal) =>
    device.call('terminal', `/v1/payments/${encodeURIComponent(id)}/refunds`, {
      body: { amount: kopecks ?? 'all', ...(options.why !== undefined && { why: options.why }) },
      headers: { 'idempotency-key': key },
      signal: AbortSignal.any([limit, signal]),
    });
  // the same key means the same refund, however often it is sent
  const again = `it may have been made, or not: lanectl refund ${id} ${kopecks === undefined ? '--all' : roublesOf(kopecks)} --key ${key} says what became of it`;
  interruption.lastWord = again;
  out.ignoreLostOutput();
  for (;;) {
    const answer = await repeating(ask, { ...patience, again }).catch((error: unknown) => {
      if (!signal.aborted || error instanceof CommandFailure) throw error;
      throw new CommandFailure('undecided', again, { payment: id, key }, error);
    });
    const made = answer as Refund;
    const decided = EXIT_OF[made.state];
    if (decided !== undefined || signal.aborted || performance.now() > end) {
      const why = made.reason === null ? '' : `: ${made.reason}`;
      out.result({ ...made, key }, [
        `refund ${made.id} of ${roublesOf(made.amount)} roubles: ${made.state}${why}`,
        ...(decided === undefined ? [again] : []),
      ]);
      return decided ?? 'undecided';
    }
    out.waiting(
      `refund of ${roublesOf(made.amount)} roubles: ${made.state}, the bank is asked for ${options.timeout} s at most`,
    );
    await interruption.pause(ASK_AGAIN_MS);
  }
}

export function addRefund(program: Command): void {
  program
    .command('refund')
    .description('refund a paid payment; exits with 6 if the bank refuses, 8 if it is not known yet')
    .argument('<payment>', 'its id or number', paymentId)
    .argument('[roubles]', 'e.g. 12.50', amount)
    .option('--all', 'all that is left of the payment')
    .option('--key <key>', 'names this refund: the same key is the same refund, never a second one', key)
    .option('--why <words>', 'kept with the refund, in exports too')
    .option('--timeout <seconds>', 'how long to wait for the bank', wholeNumber(0, 3600), 60)
    .action(acting(refund));
}
