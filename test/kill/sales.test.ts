/**
 * A till that names its sales by keys: connections are cut at random moments, answers of the bank get lost, the device is killed.
 * What has no answer is sent again with its key. SALES=300 KILLS=50 runs more of them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, fieldsOf, until } from '../support.ts';
import { draw } from './killable.ts';
import { KilledLane } from './lane.ts';

const { kills, random, label, one } = draw(2);
const SALES = Number(process.env.SALES ?? 8);
/** Spans the moments from before the device hears to well after the code is drawn. */
const LATEST_CUT_MS = 90;
/** So that the registration can be cut in the middle. */
const BANK_TAKES_MS = 25;
const MOST_ATTEMPTS = 40;
/** From then on a till has patience. */
const CUT_ATTEMPTS = 6;

const test = suite(`a till with keys: ${SALES} sales, ${kills} kills (${label})`);

const cutMoment = (): number => Math.round(random() * LATEST_CUT_MS);
const isLikely = (chance: number): boolean => random() < chance;

/** A sale, and all answers that the till ever got for it. */
class Sale {
  readonly #lane: KilledLane;
  readonly key: string;
  readonly amount: number;
  readonly ids = new Set<string>();
  readonly payloads = new Set<string>();
  readonly failures = new Set<string>();
  /** Whether it was reported as paid, which stays so for its key. */
  isPaid = false;
  cuts = 0;

  constructor(lane: KilledLane, n: number) {
    this.#lane = lane;
    this.key = `lane-4/sale-${n}`;
    this.amount = 10_000 + 100 * n; // kopecks would make the sandbox bank misbehave
  }

  /** @returns whether the call needs to be sent no more */
  #take({ status, body, text }: Answer): boolean {
    if (status === 200 || status === 201) {
      this.ids.add(body.id);
      if (body.payload !== null) this.payloads.add(body.payload);
      this.isPaid ||= body.state === 'ACCEPTED';
      return true;
    }
    assert.not(/IdConflict|Damaged|InvalidField/.test(body?.code ?? 'Damaged'), text);
    if (body.payment === undefined) return false; // nothing was begun: the same again
    this.ids.add(body.payment);
    this.failures.add(`${body.code}: ${body.detail}`);
    return true;
  }

  /** @param cutMs when the till hangs up; null for never @returns whether it has an answer that counts */
  async #post(cutMs: number | null): Promise<boolean> {
    const answer = await this.#lane.tryAsking('/v1/payments', {
      json: { amount: this.amount, ttl: 60 },
      headers: { 'content-type': 'application/json', 'idempotency-key': this.key },
      ...(cutMs !== null && { signal: AbortSignal.timeout(cutMs) }),
    });
    if (answer === null) this.cuts += 1;
    return answer !== null && this.#take(answer);
  }

  /** Sends it, sometimes twice at once, and the device dies meanwhile. */
  async die(): Promise<void> {
    await this.#lane.device.start();
    const asked = Promise.all([this.#post(null), isLikely(0.3) && this.#post(null)]);
    await pause(cutMoment());
    await this.#lane.device.kill();
    await asked;
  }

  /** Sends it until it has an answer. */
  async sell(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      assert.ok(attempt < MOST_ATTEMPTS, `${this.key} gets no answer`);
      const cutMs = isLikely(0.4) && attempt < CUT_ATTEMPTS ? cutMoment() : null;
      const both = [this.#post(cutMs), isLikely(0.2) && this.#post(cutMoment())];
      if ((await Promise.all(both)).some(Boolean)) return;
    }
  }

  /** The same key again, at the end of the day. */
  async again(): Promise<void> {
    await until(`the answer to ${this.key}`, () => this.#post(null));
  }

  async state(wait = 0): Promise<string> {
    const [id] = this.ids;
    const answer = () => this.#lane.tryAsking(`/v1/payments/${id}?wait=${wait}`);
    return (await until(`the state of ${this.key}`, answer)).body.state;
  }

  async cancel(): Promise<void> {
    const [id] = this.ids;
    await this.#lane.tryAsking(`/v1/payments/${id}/cancel`, { method: 'POST' });
  }

  check(): void {
    const mine = this.#lane.book().filter(({ amount }) => amount === this.amount);
    assert.ok(mine.length <= 1, `${this.key} has ${mine.length} registrations`);
    assert.is(this.ids.size, 1, `${this.key}: ${[...this.ids]}`);
    assert.ok(this.payloads.size <= 1, `${this.key}: ${[...this.payloads]}`);
    assert.ok(this.failures.size <= 1, `${this.key}: ${[...this.failures]}`);
    assert.not(this.failures.size > 0 && this.payloads.size > 0, `${this.key} had a code, and has failed`);
    if (this.isPaid) assert.is(mine[0]?.state, 'paid', `${this.key} is reported as paid, and is not`);
  }
}

/** What the next registration suffers, and what the customer does. */
async function oneSale(lane: KilledLane, sale: Sale, isKilled: boolean): Promise<void> {
  const kind = isLikely(0.25) && one(['drop', 'drop-before', 'error', 'half'] as const);
  lane.slow('register', BANK_TAKES_MS, ...(kind ? [{ call: 'register', kind } as const] : []));
  if (isKilled) await sale.die();
  await sale.sell();
  const code = lane.inBook(sale.amount);
  if (sale.failures.size > 0 || code === undefined) return;
  const action = one(['pay', 'pay', 'pay', 'decline', 'cancel', 'nothing'] as const);
  if (action === 'cancel') await sale.cancel();
  if (action === 'pay' || action === 'decline') lane.bank.payments[action](code.qrcId);
  if (action === 'pay') await until(`${sale.key} is paid`, async () => (await sale.state(5)) === 'ACCEPTED');
  sale.isPaid ||= action === 'pay';
}

test('never two codes for one key, never two payments, and one answer for each key for ever', async () => {
  await using lane = await KilledLane.open();
  const sales = Array.from({ length: SALES }, (_, n) => new Sale(lane, n + 1));
  for (const [n, sale] of sales.entries()) {
    // as many kills as are wanted, spread over the sales
    const isKilled = Math.floor(((n + 1) * kills) / SALES) > Math.floor((n * kills) / SALES);
    await oneSale(lane, sale, isKilled);
  }
  for (const _ of ['in the same process', 'in the next']) {
    for (const sale of sales) await sale.again();
    await lane.device.end('SIGTERM');
  }
  for (const sale of sales) {
    sale.check();
    if (sale.isPaid) assert.is(await sale.state(), 'ACCEPTED', sale.key);
  }
  await lane.agrees();
  assert.equal(
    fieldsOf(lane.rows(), 'key'),
    sales.map(({ key }) => key),
    'a key has one row',
  );
  const cuts = sales.reduce((sum, sale) => sum + sale.cuts, 0);
  process.stdout.write(
    `  ${SALES} sales, ${kills} kills, ${cuts} calls without an answer, ${lane.book().length} codes\n`,
  );
  assert.ok(lane.book().length > SALES / 2, 'most sales came to a code');
});

test.run();
