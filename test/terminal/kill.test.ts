/**
 * The firmware killed with SIGKILL at random moments of payments, the bank beside it as its own process. KILLS=200 runs
 * more of them, SEED=n repeats a run.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Program, startFirmware, type Urls } from '../process.ts';
import { call, randomFrom, SCREEN, temporaryFolder, until } from '../support.ts';

const KILLS = Number(process.env.KILLS ?? 20);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
/** Spans the moments from before the bank hears to well after the code is drawn. */
const LATEST_KILL_MS = 120;

const test = suite(`SIGKILL during payments (${KILLS} kills, SEED=${SEED})`);

interface Row {
  readonly amount: number;
  readonly state: string;
  readonly seen: number;
  readonly bank_id: string | null;
  readonly called: number;
}

interface BankPayment {
  readonly qrcId: string;
  readonly orderId: string;
  readonly amount: number;
  readonly state: 'open' | 'paid' | 'declined' | 'expired';
  readonly charges: number;
}

function ledgerRows(dataDir: string): Row[] {
  const db = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true });
  try {
    return db
      .prepare('SELECT amount, state, seen, bank_id, called FROM payments ORDER BY id')
      .all() as unknown as Row[];
  } finally {
    db.close();
  }
}

async function bankPayments(bank: string): Promise<BankPayment[]> {
  return (await call(`${bank}/sandbox/payments`)).body;
}

const settingsFor = (baseUrl: string) => ({
  bankProfile: 'cft',
  bankProfiles: {
    cft: { bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId: 'm', password: 'made-up', baseUrl },
  },
  deviceConnection: SCREEN,
});

/** What a customer may do with a code that may have been on the display. */
async function customerActs(bank: string, bankId: string, choice: number): Promise<void> {
  const deed = choice < 0.6 ? 'pay' : choice < 0.75 ? 'decline' : null;
  if (deed !== null) await call(`${bank}/sandbox/payments/${bankId}/${deed}`, { method: 'POST' });
}

async function killOnce(dataDir: string, bank: string, amount: number, random: () => number): Promise<void> {
  const { program, urls } = await startFirmware(dataDir, { settings: { LANEWARE_SANDBOXBANK_ENABLED: 'false' } });
  await using _program = program;
  let answered = false;
  const ask = () => call(`${urls.terminal}/showQR`, { json: { amount } });
  // a till that was killed away from what it waited for is told of it first, and then asks once more
  const asked = ask()
    .then((answer) => (answer.body?.error_message?.includes('been paid') ? ask() : answer))
    .catch(() => null)
    .finally(() => {
      answered = true;
    });
  const known = () => ledgerRows(dataDir).some((row) => row.amount === amount);
  // a machine under load may take longer than the latest kill to hear of the payment at all
  if (random() < 0.6) await until('the payment', () => answered || known());
  const followed = random() < 0.4;
  if (followed) {
    const answer = await asked;
    const shown = ledgerRows(dataDir).at(-1);
    if (answer?.status === 200 && shown?.bank_id) await customerActs(bank, shown.bank_id, random());
  }
  await pause(random() * LATEST_KILL_MS);
  await program.kill('SIGKILL');
  await asked;
  const row = ledgerRows(dataDir).find((candidate) => candidate.amount === amount);
  if (row?.seen === 1 && row.bank_id !== null && !followed) await customerActs(bank, row.bank_id, random());
}

const TOLD = { paid: 'ACCEPTED', declined: 'REJECTED' } as const;

async function checkStatus(urls: Urls, dataDir: string, payments: readonly BankPayment[]): Promise<void> {
  const { dynamicQRStatus } = (await call(`${urls.terminal}/getDynamicQRStatus`)).body;
  const last = ledgerRows(dataDir)
    .toSorted((one, other) => one.called - other.called)
    .at(-1);
  if (last === undefined) return;
  const atBank = payments.find(({ qrcId }) => qrcId === last.bank_id);
  if (dynamicQRStatus === 'ACCEPTED') assert.is(atBank?.state, 'paid');
  if (dynamicQRStatus === 'REJECTED') assert.is(atBank?.state, 'declined');
  // killed before its payment was written, the last call has none, and the status says that it failed
  const ofLastCall = ledgerRows(dataDir).find((row) => row.amount === 1000 * KILLS);
  if (dynamicQRStatus === 'ERROR')
    assert.is(ofLastCall?.seen ?? 0, 0, 'only a payment that nobody saw may end in ERROR');
  assert.is.not(dynamicQRStatus, 'CANCELED', 'no ttl is over');
}

test('what was paid is ACCEPTED, nothing is charged twice, nothing is told that the bank has not confirmed', async () => {
  using folder = temporaryFolder();
  const random = randomFrom(SEED);
  const dataDir = join(folder.path, 'device');
  await using bankProgram = new Program([
    'firmware/sandbox-bank/main.ts',
    '--port',
    '0',
    '--data',
    join(folder.path, 'bank.db'),
  ]);
  const bank = await bankProgram.line((line) => (typeof line.url === 'string' ? line.url : null));
  await call(`${bank}/sandbox/faults`, {
    json: { faults: [{ call: 'register', kind: 'delay', ms: 40, times: 100_000 }] },
  });
  const first = await startFirmware(dataDir, { settings: { LANEWARE_SANDBOXBANK_ENABLED: 'false' } });
  assert.is(
    (await call(`${first.urls.terminal}/updateDriverSettings`, { json: { settings: settingsFor(bank) } })).status,
    200,
  );
  await first.program.kill('SIGTERM');

  for (let kill = 1; kill <= KILLS; kill += 1) await killOnce(dataDir, bank, 1000 * kill, random);

  const { program, urls } = await startFirmware(dataDir, { settings: { LANEWARE_SANDBOXBANK_ENABLED: 'false' } });
  await using _program = program;
  const payments = await bankPayments(bank);
  await checkStatus(urls, dataDir, payments);
  for (const { qrcId, state, charges } of payments) {
    assert.ok(charges <= 1, `${qrcId} was charged ${charges} times`);
    if (state !== 'paid' && state !== 'declined') continue;
    await until(`${qrcId}, ${state}, in the ledger`, () =>
      ledgerRows(dataDir).some((row) => row.bank_id === qrcId && row.state === TOLD[state]),
    );
  }
  const unseen = () => ledgerRows(dataDir).filter(({ seen }) => seen === 0);
  await until('what nobody has seen', () => unseen().every(({ state }) => state === 'ERROR'));
  for (const row of ledgerRows(dataDir)) {
    const atBank = payments.find(({ qrcId }) => qrcId === row.bank_id);
    if (row.seen === 0) continue; // its bank was asked about it, and it has failed: nothing of it stays PENDING
    if (atBank?.state === 'open') assert.is(row.state, 'PENDING');
    else assert.is(row.state, atBank?.state === 'paid' ? 'ACCEPTED' : 'REJECTED');
  }
  assert.is(new Set(payments.map(({ orderId }) => orderId)).size, payments.length, 'one registration for each order');
  const states = ledgerRows(dataDir).map(({ state }) => state);
  const count = (state: string) => states.filter((other) => other === state).length;
  process.stdout.write(
    `${KILLS} kills: ${count('ACCEPTED')} ACCEPTED, ${count('REJECTED')} REJECTED, ${count('PENDING')} PENDING, ${count('ERROR')} ERROR (never seen)\n`,
  );
  assert.ok(count('ACCEPTED') > 0 && states.length > KILLS / 4, 'the kills hit payments');
});

test.run();
