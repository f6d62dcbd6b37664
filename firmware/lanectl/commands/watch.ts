/**
 * `lanectl watch`: prints events of payments and refunds as they happen; after a lost connection it continues with the
 * next event.
 */

import type { Command } from 'commander';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { roublesOf } from '../../../drivers/lib/money.ts';
import {
  acting,
  CommandFailure,
  type ExitName,
  Interruption,
  type Output,
  type Tools,
  wholeNumber,
} from '../../core/cli/index.ts';

import type { Event } from './shapes.ts';

const RECONNECT_MS = 1000;
/** A connection that is silent for this time, of three heartbeats of the device, is lost. */
const SILENCE_MS = 15_000;

interface Options {
  readonly after?: number;
  readonly types?: string;
  readonly count?: number;
}

/** A server-sent event, as received. */
interface Message {
  readonly event: string;
  readonly data: string;
}

const fieldOf = (block: string, name: string): string =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
    .join('\n');

/**
 * Yields the complete messages of a stream (HTML standard, 9.2). @throws {CommandFailure} `unreachable` where it is
 * interrupted
 */
async function* messagesOf(answer: Response): AsyncGenerator<Message> {
  let rest = '';
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  for (;;) {
    const chunk = await reader?.read().catch((cause: unknown) => {
      throw new CommandFailure('unreachable', `the connection is lost: ${messageOf(cause)}`, {}, cause);
    });
    if (chunk === undefined || chunk.done) return;
    const blocks = `${rest}${decoder.decode(chunk.value, { stream: true })}`.replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = fieldOf(block, 'data');
      // a block with only a comment or another field is no message
      if (data !== '') yield { event: fieldOf(block, 'event'), data };
    }
  }
}

function lineOf({ type, at, payment, refund }: Event, out: Output): string {
  const tone = /accepted|done/.test(type) ? 'green' : /rejected|error|late|refused/.test(type) ? 'red' : 'bold';
  const kopecks = refund?.amount ?? payment.amount;
  const about = [`payment ${payment.number}`, ...(payment.purpose === null ? [] : [payment.purpose])].join(', ');
  const reason = payment.error ?? refund?.reason ?? null;
  return `${new Date(at).toLocaleTimeString('sv')} ${out.coloured(tone, type)} ${roublesOf(kopecks)} roubles, ${about}${reason === null ? '' : `: ${reason}`}`;
}

/** Progress of a watch: number of the last event, and how many events are still to be printed. */
interface Progress {
  last: number | null;
  remaining: number;
}

/** Handles one message: records the progress, and prints an event or a gap. */
function take({ event, data }: Message, progress: Progress, out: Output): void {
  switch (event) {
    case 'hello':
      progress.last ??= (JSON.parse(data) as { readonly last: number }).last;
      return;
    case 'beat':
      return;
    case 'gap': {
      // the device no longer has all requested events
      const { after, from, reason } = JSON.parse(data) as { after: number; from: number; reason: string };
      progress.last = from;
      out.printAside(
        `events between ${after} and ${from} are missing (${reason}): lanectl call getDayReport has the totals`,
      );
      return;
    }
    default: {
      const happened = JSON.parse(data) as Event;
      // after a crash of the device an event may come twice, but never out of order
      if (progress.last !== null && happened.number <= progress.last) return;
      progress.last = happened.number;
      progress.remaining -= 1;
      out.result(happened, [lineOf(happened, out)]);
    }
  }
}

/** Reads one connection until it ends or enough events were seen. @throws {CommandFailure} */
async function read(
  { device, out }: Tools,
  progress: Progress,
  types: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const silence = new AbortController();
  const both = AbortSignal.any([signal, silence.signal]);
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const query = types === undefined ? '' : `?types=${encodeURIComponent(types)}`;
  const headers = progress.last === null ? {} : { 'last-event-id': String(progress.last) };
  try {
    const answer = await device.opened('terminal', `/v1/events${query}`, { headers, signal: both });
    out.progress('connected, waiting for events');
    for await (const message of messagesOf(answer)) {
      timer.refresh();
      take(message, progress, out);
      if (progress.remaining === 0) return;
    }
  } catch (error) {
    if (!both.aborted) throw error;
  } finally {
    clearTimeout(timer);
    silence.abort(); // ends the connection
  }
}

/** Whether a new connection may succeed: the device restarts, or has too many readers. */
const isPassing = (error: unknown): boolean =>
  error instanceof CommandFailure && (error.exit === 'unreachable' || Number(error.details.status) >= 500);

async function watch(tools: Tools, { after, types, count }: Options): Promise<ExitName> {
  tools.out.endOnLostOutput();
  const interruption = new Interruption();
  const progress: Progress = { last: after ?? null, remaining: count ?? Number.POSITIVE_INFINITY };
  for (let wasThere = false; !interruption.isRaised && progress.remaining > 0; ) {
    try {
      await read(tools, progress, types, interruption.signal);
      wasThere = true;
    } catch (error) {
      // an address that has never answered is most likely a wrong one
      if (!isPassing(error) || !(wasThere || progress.last !== null)) throw error;
    }
    if (progress.remaining === 0 || interruption.isRaised) break;
    tools.out.progress('connection lost, reconnecting');
    await interruption.pause(RECONNECT_MS);
  }
  tools.out.clear();
  return interruption.isRaised ? 'interrupted' : 'ok';
}

export function addWatch(program: Command): void {
  program
    .command('watch')
    .description(
      'show payments and refunds as they happen, until Ctrl-C; nothing is missed while the connection is lost',
    )
    .option(
      '--after <number>',
      'start after this event; 0 starts with the oldest kept',
      wholeNumber(0, 999_999_999_999_999),
    )
    .option('--types <list>', 'only these types, e.g. payment.accepted,refund.done')
    .option('--count <number>', 'stop after this many', wholeNumber(1, 999_999_999))
    .action(acting(watch));
}
