/** `lanectl webhooks`: the addresses that are called with events, what was sent to them, and a signed test. */
import { type Command, InvalidArgumentError } from 'commander';
import { nearest } from '../../../drivers/lib/nearest.ts';
import { LISTED, MOST_LISTED } from '../../terminal/payment-limits.ts';
import { acting, type Tools } from '../context.ts';
import { CommandFailure, type ExitName } from '../exit-codes.ts';
import { type Output, table } from '../output.ts';
import type { Delivery, Webhook, WebhookTest } from '../shapes.ts';
import { wholeNumber } from '../values.ts';

const clockTime = (at: string): string => new Date(at).toLocaleTimeString('sv');

/** The state of an address, in words. */
function stateOf({ waiting, problem, againAt, givenUp }: Webhook): string {
  const trouble = problem === null ? [] : [problem, ...(againAt === null ? [] : [`again at ${clockTime(againAt)}`])];
  const words = [
    ...(waiting === 0 ? [] : [`${waiting} waiting`]),
    ...trouble,
    ...(givenUp === 0 ? [] : [`${givenUp} given up`]),
  ];
  return words.length === 0 ? 'all sent' : words.join(', ');
}

const isFaulty = ({ problem, givenUp }: Webhook): boolean => problem !== null || givenUp > 0;

async function webhooksOf({ device }: Tools): Promise<readonly Webhook[]> {
  return ((await device.call('terminal', '/v1/webhooks')) as { readonly webhooks: readonly Webhook[] }).webhooks;
}

const NONE = 'no webhooks: set them in terminal.webhooks of the configuration';

async function list(tools: Tools): Promise<ExitName> {
  const { out } = tools;
  const webhooks = await webhooksOf(tools);
  const rows = webhooks.map((each) => [
    each.id,
    each.url,
    each.types?.join() ?? 'all',
    out.toned(isFaulty(each) ? 'yellow' : 'green', stateOf(each)),
  ]);
  out.result({ webhooks }, rows.length === 0 ? [NONE] : table([['address', 'url', 'types', 'state'], ...rows]));
  return webhooks.some(isFaulty) ? 'faults' : 'ok';
}

const DELIVERY_HEAD = ['delivery', 'last sent', 'event', 'state', 'attempts', 'url', ''];
const deliveryRow = ({ id, lastAt, type, state, attempts, url, problem }: Delivery): string[] => [
  String(id),
  new Date(lastAt).toLocaleString('sv'),
  type,
  state,
  String(attempts),
  url,
  problem ?? '',
];

async function deliveries({ device, out }: Tools, { limit = LISTED }: { readonly limit?: number }): Promise<undefined> {
  const { deliveries: found } = (await device.call('terminal', `/v1/webhooks/deliveries?limit=${limit}`)) as {
    readonly deliveries: readonly Delivery[];
  };
  const lines = found.length === 0 ? ['nothing sent yet'] : table([DELIVERY_HEAD, ...found.map(deliveryRow)]);
  out.result({ deliveries: found }, lines);
}

/** Whether a receiver took what was sent, for people. */
function verdict(url: string, problem: string | null, out: Output): string {
  return problem === null
    ? out.toned('green', `${url} took it`)
    : out.toned('red', `${url} did not take it: ${problem}`);
}

async function redeliver({ device, out }: Tools, id: number): Promise<ExitName> {
  const path = `/v1/webhooks/deliveries/${id}/redeliver`;
  const delivery = (await device.call('terminal', path, { method: 'POST' })) as Delivery;
  out.result(delivery, [verdict(delivery.url, delivery.problem, out)]);
  return delivery.problem === null ? 'ok' : 'faults';
}

async function test(tools: Tools, address: string | undefined): Promise<ExitName> {
  const { device, out } = tools;
  const ids = address === undefined ? (await webhooksOf(tools)).map(({ id }) => id) : [address];
  if (ids.length === 0) throw new CommandFailure('failed', NONE);
  let isTaken = true;
  for (const id of ids) {
    const answer = (await device.call('terminal', `/v1/webhooks/${id}/test`, { method: 'POST' })) as WebhookTest;
    out.result(answer, [`${verdict(answer.url, answer.problem, out)} (${answer.tookMs} ms)`]);
    isTaken &&= answer.problem === null;
  }
  return isTaken ? 'ok' : 'faults';
}

function addressId(text: string): string {
  if (/^[0-9a-f]{12}$/.test(text)) return text;
  throw new InvalidArgumentError('Use an address from `lanectl webhooks list`: twelve letters and digits.');
}

/** `webhooks` alone is its list, which commander takes every other word for an argument of. */
function refuseWords(webhooks: Command): void {
  const [word, more] = webhooks.args;
  if (word === undefined || (word === 'list' && more === undefined)) return;
  if (word === 'list') webhooks.error(`error: 'list' takes no argument, and was given ${more}`);
  const like = nearest(
    word,
    webhooks.commands.map((command) => command.name()),
  );
  const meant = like === null ? '' : `\n(Did you mean ${like}?)`;
  webhooks.error(`error: unknown command 'webhooks ${word}'${meant}`, { code: 'commander.unknownCommand' });
}

export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('webhooks: deliveries and a test');
  webhooks
    .command('list', { isDefault: true })
    .description('list the addresses and their state; exits with 9 if one does not accept the next event')
    .allowExcessArguments()
    .hook('preAction', () => refuseWords(webhooks))
    .action(acting(list));
  webhooks
    .command('deliveries')
    .description('list what was sent, newest first')
    .option('--limit <number>', `at most this many (default: ${LISTED})`, wholeNumber(1, MOST_LISTED))
    .action(acting(deliveries));
  webhooks
    .command('redeliver')
    .description('send one event again; exits with 9 if it is not accepted')
    .argument('<delivery>', 'its number from `webhooks deliveries`', wholeNumber(1, 999_999_999_999_999))
    .action(acting(redeliver));
  webhooks
    .command('test')
    .description('send a signed test message; exits with 9 if it is not accepted')
    .argument('[address]', 'from `webhooks list` (default: all)', addressId)
    .action(acting(test));
}
