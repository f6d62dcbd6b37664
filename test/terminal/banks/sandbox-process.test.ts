import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OnlineBank } from '../../../firmware/terminal/banks/bank.ts';
import { SANDBOX } from '../../../firmware/terminal/banks/sandbox.ts';
import { call, each } from '../../support.ts';
import { bankError, listed, patient, register, sale, settle, withFolder } from './support.ts';

const test = suite('sandbox bank as a process');
const it = each<[string]>(test, (run) => () => withFolder(run));

const MAIN = fileURLToPath(new URL('../../../firmware/sandbox-bank/main.ts', import.meta.url));
const KILLS = 3;

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
}

function spawnBank(dataFile: string, port: number): ChildProcess {
  return spawn(process.execPath, [MAIN, '--port', String(port), '--data', dataFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function startProcess(dataFile: string, port = 0): Promise<Running> {
  const child = spawnBank(dataFile, port);
  child.stderr?.resume();
  if (child.stdout === null) throw new Error('no standard output');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const ready = JSON.parse(line.toString('utf8')) as { url: string; port: number };
  return { child, ...ready };
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

it('it prints its address as one line of JSON when it is ready, serves as one bank, and ends with 0 on SIGTERM', async (folder) => {
  const running = await startProcess(join(folder, 'new', 'sandbox.db'));
  const bank = tillOf(running);
  try {
    assert.is(running.url, `http://127.0.0.1:${running.port}`);
    const { bankId } = await register(bank, sale(), patient());
    assert.is((await bank.status({ id: bankId }, patient())).verdict, 'pending');
    for (const path of ['qr', 'tbank/v2/Init', 'sandbox/keys'])
      assert.is((await call(`${running.url}/${path}`, { method: 'POST' })).status, 404, path);
  } finally {
    await bank.close();
    assert.is(await end(running.child, 'SIGTERM'), 0);
  }
});

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
      while ((await listed(running)).at(0)?.orderId !== order.orderId) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const [booked] = await listed(running);
      await end(running.child, 'SIGKILL');
      await lost;
      running = await startProcess(dataFile, running.port);
      const { bankId } = await register(bank, order, patient());
      assert.is(bankId, booked?.bankId);
      assert.is((await settle(running, bankId, 'pay')).status, 200);
    }
    const payments = await listed(running);
    assert.equal(
      payments.map(({ charges }) => charges),
      orders.map(() => 1),
    );
  } finally {
    await bank.close();
    await end(running.child, 'SIGTERM');
  }
});

it('a taken port ends the process with an error that says so', async (folder) => {
  const running = await startProcess(join(folder, 'one.db'));
  const second = spawnBank(join(folder, 'two.db'), running.port);
  let words = '';
  second.stderr?.on('data', (chunk) => {
    words += chunk;
  });
  const [code] = (await once(second, 'close')) as [number | null];
  assert.is(code, 1);
  assert.match(words, 'EADDRINUSE');
  await end(running.child, 'SIGTERM');
});

test.run();
