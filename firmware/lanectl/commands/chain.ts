/** `lanectl chain`: the chain that a store belongs to: joins it, shows its state, leaves it. */
import type { Command } from 'commander';
import { isFields } from '../../../drivers/lib/fields.ts';
import { acting, type Tools } from '../context.ts';
import { type ExitName, misuse } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import type { Chain } from '../shapes.ts';
import { readNamedText } from '../values.ts';

const PATH = '/console/api/chain';
/** What each file of a chain says of itself, with its version. */
const KIND = 'laneware-chain-';

/** How it stands, for people. */
function wordsOf({ joined, chain, store, connected, since, trouble }: Chain, out: Output): string[] {
  if (!joined) return ['this store is not in a chain'];
  const name = `${store} of the chain ${chain}`;
  const when = since === null ? '' : ` since ${new Date(since).toLocaleString('sv')}`;
  return [
    connected
      ? out.toned('green', `${name}: connected${when}`)
      : out.toned('yellow', `${name}: not connected${when}: ${trouble ?? 'not tried yet'}`),
  ];
}

function printed({ out }: Tools, body: unknown): Chain {
  const chain = body as Chain;
  out.result(chain, wordsOf(chain, out));
  return chain;
}

async function status(tools: Tools): Promise<ExitName> {
  const { joined, connected } = printed(tools, await tools.device.call('recognition', PATH));
  return joined && !connected ? 'faults' : 'ok';
}

async function documentIn(file: string): Promise<object> {
  const notIssued = misuse('File', `${file} is not a file that a chain has issued`); // never what it holds
  const text = await readNamedText(file);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw notIssued;
  }
  if (isFields(document) && String(document.kind).startsWith(KIND)) return document;
  throw notIssued;
}

async function join(tools: Tools, file: string): Promise<undefined> {
  printed(tools, await tools.device.call('recognition', PATH, { method: 'POST', body: await documentIn(file) }));
}

async function leave(tools: Tools): Promise<undefined> {
  printed(tools, await tools.device.call('recognition', PATH, { method: 'DELETE' }));
}

export function addChain(program: Command): void {
  const chain = program.command('chain').description('the store’s chain');
  chain
    .command('status', { isDefault: true })
    .description('show whether the store is in a chain and connected; exits with 9 if not')
    .action(acting(status));
  chain
    .command('join')
    .description('join with the file that the chain has issued to this store; then delete the file')
    .argument('<file>', '- reads the standard input')
    .action(acting(join));
  chain.command('leave').description('leave the chain and delete its secret').action(acting(leave));
}
