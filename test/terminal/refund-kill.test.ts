/**
 * The firmware killed with SIGKILL at random moments of refunds, the bank beside it as its own process, of the kind that takes
 * the same refund twice for two (T-Bank). The ledger of refunds, the bank's book and the answers agree, and nothing is refunded
 * twice; a part that the bank has not heard of stays unknown, for its call might be under way. LANEWARE_REFUND_KILLS=100 runs more of them, SEED=n repeats a run.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seeded } from '../../scripts/seeded.ts';
import { Program, startFirmware } from '../process.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { tbankSettings } from './tbank.ts';

const KILLS = Number(process.env.LANEWARE_REFUND_KILLS ?? 6);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
/** Spans the moments from before the bank hears to after the answer. */
const LATEST_KILL_MS = 250;
const BANK_TAKES_MS = 40;
const AMOUNT = 2000;
const PART = 700;

const test = suite(`SIGKILL during refunds (${KILLS} kills, SEED=${SEED})`);

interface Paid {
  /** To be refunded. */
  readonly amount: number;
  readonly id: string;
  readonly qrcId: string;
}

async function pay(terminal: string, bank: string, n: number): Promise<Paid> {
  const shown = await call(`${terminal}/showQR`, { json: { amount: AMOUNT, purpose: `sale ${n}` } });
  assert.is(shown.status, 200, shown.text);
  const { id } = (await call(`${terminal}/v1/payments?limit=1`)).body.payments[0];
  const { qrcId } = (await call(`${bank}/sandbox/payments`)).body[0];
  await call(`${bank}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
  await until('ACCEPTED', async () => (await call(`${terminal}/v1/payments/${id}`)).body.state === 'ACCEPTED');
  await call(`${terminal}/getDynamicQRStatus`);
  return { id, qrcId, amount: n % 2 === 0 ? AMOUNT : PART };
}

const start = (folder: string) =>
  startFirmware(join(folder, 'device'), { settings: { LANEWARE_SANDBOXBANK_ENABLED: 'false' } });

const ask = (terminal: string, { id, amount }: Paid, key: string) =>
  call(`${terminal}/v1/payments/${id}/refunds`, { json: { amount }, headers: { 'idempotency-key': key } });

test('each refund is made once, whenever the device dies, and everybody says the same of it', async () => {
  using folder = temporaryFolder();
  const random = seeded(SEED);
  const data = join(folder.path, 'bank.db');
  await using bankProgram = new Program(['firmware/sandbox-bank/main.ts', '--port', '0', '--data', data]);
  const bank = await bankProgram.line((line) => (typeof line.url === 'string' ? line.url : null));
  const payments: Paid[] = [];
  {
    const { program, urls } = await start(folder.path);
    await using _program = program;
    const json = { settings: tbankSettings(bank) };
    assert.is((await call(`${urls.terminal}/updateDriverSettings`, { json })).status, 200);
    for (let n = 0; n < KILLS; n += 1) payments.push(await pay(urls.terminal, bank, n));
  }
  const faults = [{ call: 'refund', kind: 'delay', ms: BANK_TAKES_MS, times: 100_000 }];
  await call(`${bank}/sandbox/faults`, { json: { faults } });
  const answered = new Map<string, string>();
  for (const payment of payments) {
    const { program, urls } = await start(folder.path);
    await using _program = program;
    const asked = ask(urls.terminal, payment, payment.id).catch(() => null);
    await pause(random() * LATEST_KILL_MS);
    await program.kill('SIGKILL');
    const answer = await asked;
    if (answer !== null) answered.set(payment.id, answer.body.state);
  }
  const { program, urls } = await start(folder.path);
  await using _program = program;
  let unknown = 0;
  for (const payment of payments) {
    const refundsAtBank = async (): Promise<number[]> => {
      const { body } = await call(`${bank}/sandbox/payments/${payment.qrcId}/refunds`);
      return body.map(({ amount }: { amount: number }) => amount);
    };
    const { body } = await until('the decision', async () => {
      const answer = await ask(urls.terminal, payment, payment.id);
      const isUnheard = payment.amount === PART && (await refundsAtBank()).length === 0;
      return answer.body.state === (isUnheard ? 'unknown' : 'done') ? answer : null;
    });
    const back = body.state === 'done' ? payment.amount : 0;
    if (back === 0) unknown += 1;
    assert.equal(await refundsAtBank(), back === 0 ? [] : [back], `${payment.id}, SEED=${SEED}`);
    const told = (await call(`${urls.terminal}/v1/payments/${payment.id}`)).body;
    assert.equal([told.refunded, told.refunds.length], [back, 1]);
    assert.ok([undefined, 'done', 'unknown', 'pending'].includes(answered.get(payment.id)));
  }
  process.stdout.write(
    `  ${KILLS} kills, ${answered.size} answers before them, ${unknown} parts unknown, all else refunded once\n`,
  );
});

test.run();
