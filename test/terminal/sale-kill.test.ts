/**
 * A till that names its sales by keys against a bank that counts: connections are cut at random moments, answers of the bank get lost, the
 * device is killed with SIGKILL. Whatever has no answer is sent again with its key. SALES=300 KILLS=50 runs more of them, SEED=n
 * repeats a run.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Program, startFirmware, type Urls } from '../process.ts';
import { type Answer, CFT, call, randomFrom, SCREEN, temporaryFolder, until } from '../support.ts';

const SALES = Number(process.env.SALES ?? 8);
const KILLS = Number(process.env.KILLS ?? 2);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
/** Spans the moments from before the device hears to well after the code is drawn. */
const LATEST_CUT_MS = 90;

/** So that the registration can be cut in the middle. */
const SLOW = { call: 'register', kind: 'delay', ms: 25, times: 1_000_000 };

const test = suite(`a till with keys: ${SALES} sales, ${KILLS} kills (SEED=${SEED})`);

interface BankPayment {
  readonly qrcId: string;
  readonly orderId: string;
  readonly amount: number;
  readonly state: 'open' | 'paid' | 'declined' | 'expired';
  readonly charges: number;
}

/** Everything that a till was ever told of one key. */
class Told {
  readonly key: string;
  readonly amount: number;
  readonly ids = new Set<string>();
  readonly payloads = new Set<string>();
  readonly failures = new Set<string>();
  /** Those that no key goes back from. */
  readonly ends = new Set<string>();
  cuts = 0;
  answers = 0;

  constructor(n: number) {
    this.key = `lane-4/sale-${n}`;
    this.amount = 10_000 + 100 * n; // kopecks would tell the sandbox bank how to misbehave
  }

  /** @returns whether the call needs to be sent no more */
  take({ status, body, text }: Answer): boolean {
    this.answers += 1;
    if (status === 200 || status === 201) {
      this.ids.add(body.id);
      if (body.payload !== null) this.payloads.add(body.payload);
      if (body.state === 'ACCEPTED') this.ends.add(body.state);
      return true;
    }
    assert.is(body?.code === undefined, false, text);
    assert.not(/IdConflict|SameSaleOpen|Damaged|InvalidField/.test(body.code), text);
    if (body.payment === undefined) return false; // nothing was begun: the same again
    this.ids.add(body.payment);
    this.failures.add(`${body.code}: ${body.detail}`);
    return true;
  }
}

class Till implements AsyncDisposable {
  readonly #dataDir: string;
  readonly #random: () => number;
  readonly told: Told[] = [];
  #device: Promise<{ readonly program: Program; readonly urls: Urls }> | null = null;
  kills = 0;

  constructor(dataDir: string, random: () => number) {
    this.#dataDir = dataDir;
    this.#random = random;
  }

  async start(): Promise<Urls> {
    this.#device ??= startFirmware(this.#dataDir, { settings: { LANEWARE_SANDBOXBANK_ENABLED: 'false' } });
    return (await this.#device).urls;
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
    this.kills += 1;
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const device = await this.#device;
    await device?.program.kill(signal);
    this.#device = null; // the next call starts another one, and none before: the folder is this one's
  }

  /** @param cutMs when the till hangs up; null for never @returns null where it got no answer */
  async #call(path: string, init: RequestInit & { json?: unknown }, cutMs: number | null): Promise<Answer | null> {
    const { terminal } = await this.start();
    try {
      return await call(`${terminal}${path}`, {
        ...init,
        ...(cutMs !== null && { signal: AbortSignal.timeout(cutMs) }),
      });
    } catch {
      return null; // of a connection that broke: by the till's hand, or with the device
    }
  }

  async #post(told: Told, cutMs: number | null): Promise<boolean> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': told.key };
    const answer = await this.#call('/v1/payments', { json: { amount: told.amount, ttl: 60 }, headers }, cutMs);
    if (answer === null) told.cuts += 1;
    return answer !== null && told.take(answer);
  }

  /** Sends a sale until it has an answer, sometimes twice at once. @param killAfterMs null for no kill */
  async sell(told: Told, killAfterMs: number | null): Promise<void> {
    await this.start();
    const random = this.#random;
    if (killAfterMs !== null) {
      const asked = Promise.all([this.#post(told, null), ...(random() < 0.3 ? [this.#post(told, null)] : [])]);
      await pause(killAfterMs);
      await this.kill();
      await asked;
    }
    for (let attempt = 0; ; attempt += 1) {
      assert.ok(attempt < 40, `${told.key} gets no answer`);
      const cutMs = random() < 0.4 && attempt < 6 ? random() * LATEST_CUT_MS : null;
      const both =
        random() < 0.2
          ? [this.#post(told, random() * LATEST_CUT_MS), this.#post(told, cutMs)]
          : [this.#post(told, cutMs)];
      if ((await Promise.all(both)).some(Boolean)) return;
    }
  }

  async stateOf(told: Told, wait: number): Promise<string> {
    const [id] = told.ids;
    const { body } = await until(`the state of ${told.key}`, () =>
      this.#call(`/v1/payments/${id}?wait=${wait}`, {}, null),
    );
    return body.state;
  }

  async cancel(told: Told): Promise<void> {
    const [id] = told.ids;
    await this.#call(`/v1/payments/${id}/cancel`, { method: 'POST' }, null);
  }

  /** The same key once more, at the end of the day. */
  async again(told: Told): Promise<void> {
    await until(`the answer to ${told.key}`, () => this.#post(told, null));
  }
}

const bankPayments = async (bank: string): Promise<BankPayment[]> => (await call(`${bank}/sandbox/payments`)).body;

/** What the next registration suffers, and what the customer does. */
async function oneSale(till: Till, bank: string, told: Told, random: () => number, isKilled: boolean): Promise<void> {
  const fault = (['drop', 'drop-before', 'error', 'half'] as const)[Math.floor(random() * 16)];
  if (fault !== undefined) {
    const faults = [{ call: 'register', kind: fault, times: 1 }, SLOW];
    await call(`${bank}/sandbox/faults`, { json: { faults } });
  }
  await till.sell(told, isKilled ? random() * LATEST_CUT_MS : null);
  if (told.failures.size > 0) return;
  const choice = random();
  const code = (await bankPayments(bank)).find(({ amount }) => amount === told.amount);
  if (code === undefined || choice > 0.9) return; // the customer has gone, and the till forgets it
  if (choice > 0.8) return till.cancel(told);
  const deed = choice < 0.65 ? 'pay' : 'decline';
  await call(`${bank}/sandbox/payments/${code.qrcId}/${deed}`, { method: 'POST' });
  const isPaid = (await bankPayments(bank)).some(({ amount, state }) => amount === told.amount && state === 'paid');
  if (!isPaid) return;
  await until(`${told.key} is paid`, async () => (await till.stateOf(told, 5)) === 'ACCEPTED');
  told.ends.add('ACCEPTED');
}

test('never two codes for one key, never two payments, and each key is answered the same for ever', async () => {
  using folder = temporaryFolder();
  const random = randomFrom(SEED);
  const dataDir = join(folder.path, 'device');
  const bankFile = join(folder.path, 'bank.db');
  await using bankProgram = new Program(['firmware/sandbox-bank/main.ts', '--port', '0', '--data', bankFile]);
  const bank = await bankProgram.line((line) => (typeof line.url === 'string' ? line.url : null));
  await call(`${bank}/sandbox/faults`, {
    json: { faults: [{ call: 'register', kind: 'delay', ms: 25, times: 1_000_000 }] },
  });
  await using till = new Till(dataDir, random);
  const { terminal } = await till.start();
  const settings = { bankProfile: 'cft', bankProfiles: { cft: { ...CFT, baseUrl: bank } }, deviceConnection: SCREEN };
  assert.is((await call(`${terminal}/updateDriverSettings`, { json: { settings } })).status, 200);

  const all = Array.from({ length: SALES }, (_, n) => new Told(n + 1));
  for (const [n, told] of all.entries()) {
    // as many kills as are wanted, spread over the sales
    const isKilled = Math.floor(((n + 1) * KILLS) / SALES) > Math.floor((n * KILLS) / SALES);
    await oneSale(till, bank, told, random, isKilled);
  }
  for (const told of all) await till.again(told);
  await till.stop();
  for (const told of all) await till.again(told);
  for (const told of all) {
    if (told.failures.size > 0) continue;
    const state = await till.stateOf(told, 0);
    if (told.ends.has('ACCEPTED')) assert.is(state, 'ACCEPTED', told.key);
  }

  const payments = await bankPayments(bank);
  assert.is(new Set(payments.map(({ orderId }) => orderId)).size, payments.length, 'one registration for each order');
  for (const told of all) {
    const mine = payments.filter(({ amount }) => amount === told.amount);
    assert.ok(mine.length <= 1, `${told.key} has ${mine.length} registrations`);
    assert.ok(
      mine.every(({ charges }) => charges <= 1),
      `${told.key} was charged twice`,
    );
    assert.is(told.ids.size, 1, `${told.key}: ${[...told.ids]}`);
    assert.ok(told.payloads.size <= 1, `${told.key}: ${[...told.payloads]}`);
    assert.ok(told.failures.size <= 1, `${told.key}: ${[...told.failures]}`);
    assert.not(told.failures.size > 0 && told.payloads.size > 0, `${told.key} had a code, and has failed`);
    const isPaid = mine.some(({ state }) => state === 'paid');
    if (isPaid) await until(`${told.key} is ACCEPTED`, async () => (await till.stateOf(told, 0)) === 'ACCEPTED');
    else assert.is(told.ends.has('ACCEPTED'), false, `${told.key} is told as paid, and is not`);
  }
  await till.stop();
  using db = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true });
  const rows = db.prepare('SELECT sale_key AS name, count(*) AS n FROM payments GROUP BY sale_key').all();
  assert.is(rows.length, SALES);
  assert.ok(
    rows.every(({ n }) => n === 1),
    'a key has one row',
  );
  const count = (of: (told: Told) => boolean): number => all.filter(of).length;
  const sum = (of: (told: Told) => number): number => all.reduce((total, told) => total + of(told), 0);
  process.stdout.write(
    `${SALES} sales, ${till.kills} kills: ${sum(({ cuts }) => cuts)} calls without an answer, ${sum(({ answers }) => answers)} with one; ` +
      `${payments.length} codes, ${payments.filter(({ state }) => state === 'paid').length} paid, ${count(({ failures }) => failures.size > 0)} keys ended in an error\n`,
  );
  assert.is(till.kills, KILLS);
  assert.ok(payments.length > SALES / 2, 'most sales came to a code');
});

test.run();
