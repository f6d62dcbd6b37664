import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OnlineBank } from '../../../firmware/banks/bank.ts';
import { SANDBOX } from '../../../firmware/banks/registry.ts';
import { each, pick, until } from '../../support.ts';
import { bankError, listed, patient, register, sale, settle, withFolder } from './support.ts';

const test = suite('sandbox bank as a process');
const it = each<[string]>(test, (run) => () => withFolder(run));

const MAIN = fileURLToPath(new URL('../../banks/main.ts', import.meta.url));
const KILLS = 3;

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startProcess(dataFile: string, port = '0'): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, dataFile, port], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr?.resume();
  if (child.stdout === null) throw new Error('no standard output');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ...(JSON.parse(line.toString('utf8')) as { readonly url: string }) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exit) as [number | null];
  return code;
}

/** As the bank `Sandbox` of a device asks it. */
const tillOf = ({ url }: Running): OnlineBank =>
  SANDBOX.open({ bankName: 'Sandbox' }, { cftBaseUrl: null, sandboxBaseUrl: url }) as OnlineBank;

it('killed after it has booked and before it answers, it gives the same code to the same order afterwards', async (folder) => {
  const dataFile = join(folder, 'sandbox.db');
  let running = await startProcess(dataFile);
  const bank = tillOf(running);
  const orders = Array.from({ length: KILLS }, () => sale());
  try {
    for (const order of orders) {
      await fetch(`${running.url}/sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ faults: [{ call: 'register', kind: 'silence' }] }),
      });
      const lost = bankError('unreachable', register(bank, order, patient()));
      await until('the bank has booked it', async () => (await listed(running)).at(0)?.orderId === order.orderId);
      const [booked] = await listed(running);
      await end(running.child, 'SIGKILL');
      await lost;
      running = await startProcess(dataFile, new URL(running.url).port);
      const { bankId } = await register(bank, order, patient());
      assert.is(bankId, booked?.bankId);
      assert.is((await settle(running, bankId, 'pay')).status, 200);
    }
    const payments = await listed(running);
    assert.equal(
      pick(payments, 'charges'),
      orders.map(() => 1),
    );
  } finally {
    await bank.close();
    await end(running.child, 'SIGTERM');
  }
});

test.run();
