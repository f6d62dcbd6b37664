/** `scripts/chain.sh`: the hub of a chain of stores (docs/chain.md). */
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { messageOf } from '../../drivers/lib/errors.ts';
import { replaceFile } from '../../firmware/store/durable-file.ts';
import { type Common, say, withKeys } from './command-line.ts';
import { addConfigCommands } from './desired/commands.ts';
import { ChainFailure, sentenceOf } from './failures.ts';
import { writeJoinFile, writeServers } from './files.ts';
import {
  dropMirror,
  makeMirror,
  makeStreams,
  purgeAccount,
  pushChain,
  pushReader,
  pushStore,
  type Room,
} from './hub.ts';
import { type HubServer, KeyFolder, pairOf } from './keys.ts';
import { changing, changingKeys, warn, withLock } from './lock.ts';
import { judgeOut } from './named-file.ts';
import { makeReader, publishNames } from './reader.ts';
import { addReadingCommands } from './reading.ts';
import { endOf } from './renewal.ts';
import { addRolloutCommands } from './rollout/commands.ts';
import { addTemplateCommands } from './templates/commands.ts';

const PORTS = { client: 4222, cluster: 6222, leaf: 7422, monitor: 8222 } as const;
const MIRROR_GIB = 15;
const READER_DAYS = 400;
/** Servers that have just been started look for each other first. */
const HUB_START_MS = 30_000;
const HUB_ASK_AGAIN_MS = 500;

/** As all scripts here end where they were called wrongly. */
const USAGE = 2;

/** What is issued in the second of a revocation would be revoked with the rest. */
const SECOND_MS = 1000;
const CLOCK_SPREAD_MS = 5000;

const EXAMPLES = `
A chain's keys lie in one folder (--keys, or LANEWARE_CHAIN): to have it is to be the chain. Keep it off the servers.

  scripts/chain.sh init --keys chain --name fruit --server hub-1=hub-1.example --server hub-2=hub-2.example --server hub-3=hub-3.example
  scripts/chain.sh streams --keys chain
  scripts/chain.sh store add --keys chain M1       an account for the store, and the file with which it joins
  scripts/chain.sh store mirror --keys chain M1    a copy of its templates at the hub
  scripts/chain.sh store list --keys chain
  scripts/chain.sh store renew --keys chain        renews credentials that are due; others that change the hub do it, too
  scripts/chain.sh store remove --keys chain M1    cuts it off at once
  scripts/chain.sh reader add --keys chain prometheus --out prometheus.json   for exporter and payments, in place of the keys
  scripts/chain.sh reader remove --keys chain prometheus   cuts it off at once
  scripts/chain.sh rollout start --keys chain 1.4.0   a release for all stores, to few devices first
  scripts/chain.sh templates put --keys chain F.zip   what all stores learn of items
  scripts/chain.sh config set --keys chain M1 log.level=warn   what is configured on lanes
  scripts/chain.sh servers --keys chain            the files of the servers anew, with new certificates`;

function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

const SERVER = /^([A-Za-z0-9-]{1,32})=([A-Za-z0-9.,:-]+?)(?:@(\d+),(\d+),(\d+),(\d+))?$/;

/** `hub-1=hub-1.example`, or `hub-1=127.0.0.1@4222,6222,7422,8222` where the four ports are others. */
function server(text: string, before: readonly HubServer[] = []): HubServer[] {
  const [, name, hosts, ...ports] = SERVER.exec(text) ?? [];
  if (name === undefined || hosts === undefined)
    throw new InvalidArgumentError(
      'It must be NAME=HOST, as hub-1=hub-1.example, or NAME=HOST@CLIENT,CLUSTER,LEAF,MONITOR.',
    );
  const [client = PORTS.client, cluster = PORTS.cluster, leaf = PORTS.leaf, monitor = PORTS.monitor] = ports
    .filter((port) => port !== undefined)
    .map(Number);
  const names = hosts.split(',');
  const isHere = names.every((host) => isIP(host) !== 0 && host.startsWith('127.'));
  const listen = isHere ? (names[0] ?? '') : '0.0.0.0';
  return [...before, { name, hosts: names, listen, ports: { client, cluster, leaf, monitor } }];
}

interface InitOptions extends Common {
  readonly name: string;
  readonly server: readonly HubServer[];
  readonly mirrorGb: number;
  readonly here: boolean;
}

async function init({ keys, name, server: servers, mirrorGb, here }: InitOptions): Promise<void> {
  if (servers.length !== 1 && servers.length !== 3)
    throw new ChainFailure(`a hub has three servers, or one to try it out, and not ${servers.length}`);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new ChainFailure('--name: letters, digits, _ and -');
  const make = async () => await writeServers(await KeyFolder.make(keys, name, servers, mirrorGb), here);
  const paths = await withLock(keys, make, warn);
  say(
    `The chain ${name} is made; its keys lie in ${keys}. Each of these folders goes to its server, and nothing else does:`,
  );
  for (const path of paths) say(`  ${path}`);
}

async function rewriteServers({ keys, here }: Common & { readonly here: boolean }): Promise<void> {
  const paths = await changingKeys(keys, (folder) => writeServers(folder, here));
  say('Written anew, with new certificates; start one server after the other with it:');
  for (const path of paths) say(`  ${path}`);
}

async function streams({ keys, ...room }: Common & Room): Promise<void> {
  await changing(keys, async (folder) => {
    const end = performance.now() + HUB_START_MS;
    for (;;) {
      try {
        await pushChain(folder.keys);
        await makeStreams(folder.keys, room);
        break;
      } catch (error) {
        if (performance.now() > end)
          throw new ChainFailure(`the hub is not ready: ${sentenceOf(error) ?? messageOf(error)}`, { cause: error });
        await pause(HUB_ASK_AGAIN_MS);
      }
    }
  });
  say('The streams of the chain are there.');
}

/** Waits for the second after one, by the clock that dates what is issued. @param second since 1970 */
async function after(second: number): Promise<void> {
  const leftMs = (second + 1) * SECOND_MS - Date.now();
  if (leftMs > CLOCK_SPREAD_MS)
    throw new ChainFailure('the clock of this machine is behind the time when the store was last cut off: set it');
  if (leftMs > 0) await pause(leftMs);
}

async function addStore(name: string, { keys, again }: Common & { readonly again: boolean }): Promise<void> {
  const path = await changing(keys, async (folder) => {
    const isKnown = folder.stores.some((each) => each.name === name);
    const store = again && isKnown ? folder.revokeStore(name) : folder.newStore(name);
    await pushStore(folder.keys, store, false);
    // a store that the hub has not taken is none: the same command makes it
    if (store.revokedTo === undefined) folder.keep(store);
    else await after(store.revokedTo);
    await publishNames(folder);
    return await writeJoinFile(folder, store);
  });
  say(`${name} may join with ${path}: it holds a secret. On the master of the store: lanectl chain join ${name}.json`);
  if (again) say('What was issued to it before opens nothing any more.');
}

function listStores({ keys }: Common): void {
  const { stores } = KeyFolder.open(keys).keys;
  for (const { name, addedAt, removedAt, leaf } of stores) {
    const ends = leaf === undefined ? 'has no file yet' : `ends ${new Date(endOf(leaf)).toISOString()}`;
    say(`${name}  added ${addedAt}  ${removedAt === null ? ends : `removed ${removedAt}`}`);
  }
  if (stores.length === 0) say('the chain has no store yet');
}

async function removeStore(name: string, { keys }: Common): Promise<void> {
  await changing(keys, async (folder) => {
    const store = folder.store(name);
    await dropMirror(folder.keys, store);
    await pushStore(folder.keys, store, true);
    await purgeAccount(folder.keys, pairOf(store.seed).getPublicKey());
    folder.removeStore(name);
    await publishNames(folder);
  });
  say(`${name} is cut off, and its mirror and all that it has said are gone.`);
}

async function renewStores({ keys }: Common): Promise<void> {
  await changing(keys, async () => undefined);
  say('What is due is renewed: scripts/chain.sh store list shows when each ends.');
}

async function mirrorStore(name: string, { keys }: Common): Promise<void> {
  await changing(keys, (folder) => makeMirror(folder.keys, folder.store(name)));
  say(`The templates of ${name} are mirrored at the hub.`);
}

interface ReaderOptions extends Common {
  readonly out: string;
  readonly days: number;
}

async function addReader(name: string, { keys, out, days }: ReaderOptions): Promise<void> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new ChainFailure('a reader is called with letters, digits, _ and -');
  judgeOut(out);
  const file = await changing(keys, (folder) => makeReader(folder, name, days));
  replaceFile(out, `${JSON.stringify(file, null, 2)}\n`);
  say(
    `${name} may read what the stores report with ${out} until ${file.endsAt}, and change nothing. It holds a secret.`,
  );
}

function listReaders({ keys }: Common): void {
  const { readers } = KeyFolder.open(keys);
  for (const { name, endsAt, revokedAt } of readers)
    say(`${name}  ends ${endsAt}${revokedAt === null ? '' : '  called back'}`);
  if (readers.length === 0) say('no file of a reader is good');
}

async function removeReader(name: string, { keys }: Common): Promise<void> {
  await changing(keys, async (folder) => {
    for (const reader of folder.revokeReader(name)) {
      await pushReader(folder.keys, reader);
      await purgeAccount(folder.keys, reader.account);
    }
  });
  say(`${name} is cut off: every file that was issued to it opens nothing any more.`);
}

function createProgram(): Command {
  const program = new Command('chain.sh')
    .description('Makes the hub of a chain of stores, and says who belongs to it.')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', EXAMPLES)
    // help that was asked for is no mistake; all else that it ends for is a mistake of the person who typed it
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE));
  withKeys(program.command('init'))
    .description('make the keys of a chain, and the files of its servers')
    .requiredOption('--name <name>', 'of the chain')
    .requiredOption('--server <name=host>', 'one of its servers; three times', server)
    .option('--mirror-gb <number>', 'room of a store’s mirrored templates, all copies together', positive, MIRROR_GIB)
    .option('--here', 'the servers run where the files are, to try it out', false)
    .action(init);
  withKeys(program.command('servers'))
    .description('write the files of the servers anew, with new certificates')
    .option('--here', 'the servers run where the files are', false)
    .action(rewriteServers);
  withKeys(program.command('streams'))
    .description('make the streams of the chain at the hub, or bring them up to date')
    .option('--events-gb <number>', 'room of what stores send to be kept; 20 at first', positive)
    .option('--down-gb <number>', 'room of what is put down for stores; 4 at first', positive)
    .action(streams);
  const store = program.command('store').description('who belongs to the chain');
  withKeys(store.command('add'))
    .description('let a store in: an account at the hub, and the file with which it joins')
    .argument('<name>')
    .option(
      '--again',
      'another file for a store of the chain; what was issued to it before opens nothing any more',
      false,
    )
    .action(addStore);
  withKeys(store.command('list')).description('the stores of the chain').action(listStores);
  withKeys(store.command('remove'))
    .description('cut a store off at once; its mirror goes, and all that it has said')
    .argument('<name>')
    .action(removeStore);
  withKeys(store.command('renew'))
    .description('renew the credentials of stores that are due, as each command does that changes the hub')
    .action(renewStores);
  withKeys(store.command('mirror'))
    .description('keep a copy of the store’s templates at the hub')
    .argument('<name>')
    .action(mirrorStore);
  const reader = program.command('reader').description('who may read what the stores report, without the keys');
  withKeys(reader.command('add'))
    .description('issue a file with which exporter and payments read, and nothing is changed')
    .argument('<name>')
    .requiredOption('--out <file>', 'where it is written, readable by its owner alone')
    .option('--days <number>', 'for which it is good', positive, READER_DAYS)
    .action(addReader);
  withKeys(reader.command('list')).description('readers whose files have not ended').action(listReaders);
  withKeys(reader.command('remove'))
    .description('cut a reader off at once, with every file that was issued to it')
    .argument('<name>')
    .action(removeReader);
  addReadingCommands(program);
  addRolloutCommands(program);
  addTemplateCommands(program);
  addConfigCommands(program);
  return program;
}

try {
  await createProgram().parseAsync();
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === null) throw error;
  process.stderr.write(`chain: ${sentence}\n`);
  process.exitCode = 1;
}
