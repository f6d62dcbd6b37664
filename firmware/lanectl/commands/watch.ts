/** `lanectl watch`: payments and refunds as they happen, none missed over a lost connection. */
import type { Command } from 'commander';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { acting, type Tools } from '../context.ts';
import { CommandFailure, type ExitName } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import type { Output } from '../output.ts';
import type { Payment, Refund } from '../shapes.ts';
import { wholeNumber } from '../values.ts';

const RECONNECT_MS = 1000;
/** Of the device's own pauses, after which it is lost. */
const BEATS_MISSED = 2;
const FIRST_BEAT_MS = 15_000;

interface Options {
  readonly after?: number;
  readonly types?: string;
  readonly count?: number;
}

interface DeviceEvent {
  readonly number: number;
  readonly type: string;
  readonly at: string;
  readonly payment: Payment;
  readonly refund?: Refund;
}

/** A server-sent event, as it came. */
interface Message {
  readonly event: string;
  readonly data: string;
}

/** Messages of a stream (HTML standard, 9.2); comments are left out. */
async function* messagesOf(answer: Response): AsyncGenerator<Message> {
  let rest = '';
  for await (const chunk of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${chunk}`.replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string =>
        block
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
          .join('\n');
      yield { event: field('event') || 'message', data: field('data') };
    }
  }
}

function lineOf({ type, at, payment, refund }: DeviceEvent, out: Output): string {
  const tone = /accepted|done/.test(type) ? 'green' : /rejected|error|late|refused/.test(type) ? 'red' : 'bold';
  const kopecks = refund?.amount ?? payment.amount;
  const about = [`payment ${payment.number}`, ...(payment.purpose === null ? [] : [payment.purpose])].join(', ');
  const reason = payment.error ?? refund?.reason ?? null;
  return `${new Date(at).toLocaleTimeString('sv')} ${out.toned(tone, type)} ${roublesOf(kopecks)} roubles, ${about}${reason === null ? '' : `: ${reason}`}`;
}

/** Where the watch stands: what it has, and how many are still wanted. */
interface Place {
  last: number | null;
  left: number;
}

async function read(
  { device, out }: Tools,
  place: Place,
  types: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const silence = new AbortController();
  let beatMs = FIRST_BEAT_MS;
  let timer = setTimeout(() => silence.abort(), beatMs * BEATS_MISSED);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), beatMs * BEATS_MISSED);
  };
  try {
    const query = types === undefined ? '' : `?types=${encodeURIComponent(types)}`;
    const headers = place.last === null ? {} : { 'last-event-id': String(place.last) };
    const both = AbortSignal.any([signal, silence.signal]);
    const answer = await device.fetch('terminal', `/v1/events${query}`, { headers, signal: both });
    // a refusal is told as that of any call
    if (!answer.ok) await device.call('terminal', `/v1/events${query}`, { headers, signal });
    out.progress('connected, waiting for what happens');
    for await (const { event, data } of messagesOf(answer)) {
      heard();
      if (event === 'hello') {
        const hello = JSON.parse(data) as { readonly last: number; readonly beatMs: number };
        beatMs = hello.beatMs;
        place.last ??= hello.last;
      } else if (event === 'gap') {
        const { after, from, reason } = JSON.parse(data) as Record<string, unknown>;
        out.note(
          `events from ${after} to ${from} are gone (${reason}): lanectl report and GET /v1/payments say how it stands`,
        );
      } else if (event !== 'beat') {
        const told = JSON.parse(data) as DeviceEvent;
        out.result(told, [lineOf(told, out)]);
        place.last = told.number;
        place.left -= 1;
        if (place.left <= 0) return;
      }
    }
  } catch (error) {
    if (!silence.signal.aborted) throw error;
    out.progress('the device is silent: connecting again');
  } finally {
    clearTimeout(timer);
  }
}

async function watch(tools: Tools, { after, types, count }: Options): Promise<ExitName> {
  const interruption = new Interruption();
  const place: Place = { last: after ?? null, left: count ?? Number.POSITIVE_INFINITY };
  let isFirst = true;
  while (!interruption.isRaised && place.left > 0) {
    try {
      await read(tools, place, types, interruption.signal);
      isFirst = false;
    } catch (error) {
      if (interruption.isRaised) break;
      const isLost = !(error instanceof CommandFailure) || error.exit === 'unreachable';
      // an address that has never answered is a wrong one, most likely
      if (!isLost || (isFirst && place.last === null)) throw error;
      tools.out.progress('the connection is lost: connecting again');
    }
    if (place.left > 0) await interruption.pause(RECONNECT_MS);
  }
  tools.out.clear();
  return interruption.isRaised ? 'interrupted' : 'ok';
}

export function addWatch(program: Command): void {
  program
    .command('watch')
    .description('payments and refunds as they happen, until Ctrl-C; nothing is missed while the connection is lost')
    .option(
      '--after <number>',
      'begin with the event after this one; 0: with the oldest that is kept',
      wholeNumber(0, 999_999_999),
    )
    .option('--types <list>', 'only of these types, as payment.accepted,refund.done')
    .option('--count <number>', 'end after so many', wholeNumber(1, 999_999_999))
    .action(acting(watch));
}
