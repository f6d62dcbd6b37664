/** `scripts/chain.sh rollout`: a release for all stores, to few devices first. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { RELEASE, SOURCE } from '../../../firmware/chain/channel.ts';
import { type Common, say, withKeys } from '../command-line.ts';
import { withConnection } from '../hub.ts';
import { KeyFolder, pairOf } from '../keys.ts';
import { warn } from '../lock.ts';
import { namesIn } from '../reader.ts';
import { readDevices } from '../watch.ts';
import { type Course, RolloutDesk } from './rollout.ts';
import type { Rollout } from './state.ts';

const ALL = 100;
const HOUR_MS = 3_600_000;
const UNITS_MS = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS } as const;
const SOAK_MS = 24 * HOUR_MS;
const FOLLOW_EVERY_MS = 60_000;

async function atDesk<T>({ keys: path }: Common, work: (desk: RolloutDesk) => Promise<T>): Promise<T> {
  const folder = KeyFolder.open(path);
  return await withConnection(folder.keys, pairOf(folder.keys.account), (connection) =>
    work(new RolloutDesk(connection, folder.keys, () => readDevices(connection, namesIn(folder), warn), Date.now)),
  );
}

const sentenceOf = ({ version, phase }: Rollout, says: string): string => `${version} is ${phase}: ${says}`;

async function start(
  version: string,
  { keys, rings, soak, mostUndone, source: from = null }: Common & StartOptions,
): Promise<void> {
  const course: Course = { version, rings, soakMs: soak, mostUndonePercent: mostUndone, source: from };
  await atDesk({ keys }, (desk) => desk.start(course));
  say(`${version} is offered to the first ring: scripts/chain.sh rollout follow takes it further`);
}

interface StartOptions {
  readonly rings: readonly number[];
  readonly soak: number;
  readonly mostUndone: number;
  readonly source?: string | null;
}

async function status(options: Common): Promise<void> {
  const { rollout, says } = await atDesk(options, (desk) => desk.look());
  say(sentenceOf(rollout, rollout.phase === 'running' ? `a step would say: ${says}` : says));
}

async function takeStep(options: Common): Promise<Rollout> {
  const { rollout, says } = await atDesk(options, (desk) => desk.step());
  say(sentenceOf(rollout, says));
  if (rollout.phase === 'held') process.exitCode = 1;
  return rollout;
}

async function follow(options: Common): Promise<void> {
  while ((await takeStep(options)).phase === 'running') await pause(FOLLOW_EVERY_MS);
}

const saying = (change: (desk: RolloutDesk) => Promise<void>, line: string) => async (options: Common) => {
  await atDesk(options, change);
  say(line);
};

function release(text: string): string {
  if (new RegExp(RELEASE).test(text)) return text;
  throw new InvalidArgumentError('It must be a version in dotted numbers, as 1.4.0.');
}

function source(text: string): string {
  if (new RegExp(SOURCE).test(text)) return text;
  throw new InvalidArgumentError('It must be an address that begins with https:// and ends with /.');
}

function rings(text: string): number[] {
  const all = text.split(',').map(Number);
  const grows = all.every((percent, at) => percent > (all[at - 1] ?? 0));
  if (grows && all.at(-1) === ALL) return all;
  throw new InvalidArgumentError('They must be percents that grow, the last of them 100, as 1,10,100.');
}

function duration(text: string): number {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (unit === 'm' || unit === 'h' || unit === 'd') return Number(number) * UNITS_MS[unit];
  throw new InvalidArgumentError('It must be a time, as 30m, 24h or 2d.');
}

export function percent(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= ALL) return value;
  throw new InvalidArgumentError('It must be a number above 0, 100 at most.');
}

export function addRolloutCommands(program: Command): void {
  const rollout = program.command('rollout').description('a release for all stores, to few devices first');
  const add = (name: string, description: string): Command => withKeys(rollout.command(name)).description(description);
  add('start', 'offer a release to the first ring of devices')
    .argument('<version>', 'as 1.4.0', release)
    .option('--rings <percents>', 'shares of all devices, one after the other', rings, [1, 10, ALL])
    .option('--soak <time>', 'for how long enough of a ring must run it', duration, SOAK_MS)
    .option('--most-undone <percent>', 'of those that tried it; it is held where more have undone it', percent, 2)
    .option('--source <address>', 'where devices fetch it, as https://releases.example/{version}/', source)
    .action(start);
  add('status', 'how it stands').action(status);
  add('step', 'judge once, and go on or hold; ends with 1 where it is held').action(async (options: Common) => {
    await takeStep(options);
  });
  add('follow', 'a step each minute, until it is done, held or stopped').action(follow);
  add('hold', 'offer it to no device for now').action(saying((desk) => desk.hold(), 'It is held.'));
  add('go', 'let a held one go on, in spite of what is known').action(saying((desk) => desk.go(), 'It goes on.'));
  add('stop', 'offer it to no device any more; one that has it keeps it').action(
    saying((desk) => desk.stop(), 'It is stopped.'),
  );
}
