/** A device at a bank with a book of its own, and what a till was told: what a restore must not change. */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Banks, startBanks } from '../../banks/banks.ts';
import { atEnd, call, SCREEN, type TestDevice, temporaryFolder, until } from '../../support.ts';
import { introduce, profileOf } from '../../terminal/banks/profiles.ts';

export const ENVIRONMENT = { LANEWARE_SANDBOXBANK_ENABLED: 'false' };
export const AMOUNT = 100_000;
const PAUSE_MS = 500;

export interface Rig {
  readonly bank: Banks;
  readonly folder: string;
  readonly settings: object;
}

export const onRig = (name: string, work: (rig: Rig) => Promise<void>) => async (): Promise<void> => {
  using own = temporaryFolder();
  const bank = await startBanks({ port: 0, dataFile: join(own.path, 'bank.db') });
  introduce(bank);
  await using _end = atEnd(() => bank.close());
  const profile = profileOf(name, bank.url, own.path);
  const settings = { bankProfile: 'main', bankProfiles: { main: profile }, deviceConnection: SCREEN };
  await work({ bank, folder: join(own.path, 'device'), settings });
};

export const keyed = (key: string, json: object) => ({ json, headers: { 'idempotency-key': key } });
export const sell = ({ terminal }: TestDevice, key: string) =>
  call(`${terminal}/v1/payments`, keyed(key, { amount: AMOUNT, ttl: 60 }));

export async function paid(device: TestDevice, bank: Banks, key: string): Promise<string> {
  const { id } = (await sell(device, key)).body;
  const [newest] = bank.payments.list(1);
  bank.payments.pay(newest?.qrcId ?? '');
  await until('ACCEPTED', async () => (await call(`${device.terminal}/v1/payments/${id}`)).body.state === 'ACCEPTED');
  return id;
}

export const giveBack = (device: TestDevice, id: string, key: string, amount: number) =>
  until('the end of the refund', async () => {
    const { body } = await call(`${device.terminal}/v1/payments/${id}/refunds`, keyed(key, { amount }));
    if (body.state === 'done' || body.state === 'refused') return body;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return null;
  });

/** Kopecks accepted and given back. */
export interface Money {
  readonly accepted: number;
  readonly refunds: number;
}

/** All that a till was told: payments by key, refunds by key, closed shifts by key. */
export class Told {
  readonly sales = new Map<string, string>();
  readonly refunds = new Map<string, { readonly id: string; readonly amount: number; readonly state: string }>();
  readonly shifts = new Map<string, { readonly number: number; readonly totals: Money }>();

  async sale(device: TestDevice, bank: Banks, key: string): Promise<string> {
    const id = await paid(device, bank, key);
    this.sales.set(key, id);
    return id;
  }

  async refund(device: TestDevice, id: string, key: string, amount: number): Promise<void> {
    const { state } = await giveBack(device, id, key, amount);
    this.refunds.set(key, { id, amount, state });
  }

  async close(device: TestDevice, key: string): Promise<void> {
    const { status, body } = await closeShift(device, key);
    assert.is(status, 201);
    this.shifts.set(key, { number: body.number, totals: moneyOf(body.totals) });
  }

  /** What is left for the shift that is open: all that was told, and is in no closed one. */
  get open(): Money {
    const sum = (of: Iterable<Money>): Money =>
      [...of].reduce(
        (one, { accepted, refunds }) => ({ accepted: one.accepted + accepted, refunds: one.refunds + refunds }),
        {
          accepted: 0,
          refunds: 0,
        },
      );
    const all = this.all;
    const closed = sum([...this.shifts.values()].map(({ totals }) => totals));
    return { accepted: all.accepted - closed.accepted, refunds: all.refunds - closed.refunds };
  }

  get all(): Money {
    const done = [...this.refunds.values()].filter(({ state }) => state === 'done');
    return { accepted: this.sales.size * AMOUNT, refunds: done.reduce((sum, { amount }) => sum + amount, 0) };
  }

  /** Each call again gives the same answer. */
  async repeated(device: TestDevice): Promise<void> {
    for (const [key, id] of this.sales) assert.is((await sell(device, key)).body.id, id, key);
    for (const [key, { id, amount, state }] of this.refunds)
      assert.is((await giveBack(device, id, key, amount)).state, state, key);
    for (const [key, { number, totals }] of this.shifts) {
      const { status, body } = await closeShift(device, key);
      assert.equal({ status, number: body.number, totals: moneyOf(body.totals) }, { status: 200, number, totals }, key);
    }
  }

  /** So it is, and ledger, day and shifts have the same money. */
  async holds(device: TestDevice): Promise<void> {
    await this.repeated(device);
    assert.equal(await dayOf(device), this.all, 'day');
    assert.equal(await openShiftOf(device), this.open, 'open shift');
    assert.equal(await ledgerOf(device), this.all, 'ledger');
  }
}

const closeShift = ({ terminal }: TestDevice, key: string) => call(`${terminal}/v1/shifts/close`, keyed(key, {}));

const moneyOf = ({ accepted, refunds }: { accepted: { sum: number }; refunds: { sum: number } }): Money => ({
  accepted: accepted.sum,
  refunds: refunds.sum,
});

export const dayOf = async ({ terminal }: TestDevice): Promise<Money> =>
  moneyOf((await call(`${terminal}/v1/reports/day`)).body.totals);

export const openShiftOf = async ({ terminal }: TestDevice): Promise<Money> =>
  moneyOf((await call(`${terminal}/v1/shifts/current`)).body.totals);

async function ledgerOf({ terminal }: TestDevice): Promise<Money> {
  const { payments } = (await call(`${terminal}/v1/payments?limit=100`)).body;
  const accepted = payments.filter(({ state }: { state: string }) => state === 'ACCEPTED');
  const sum = (field: string): number =>
    accepted.reduce((total: number, each: Record<string, number>) => total + (each[field] ?? 0), 0);
  return { accepted: sum('amount'), refunds: sum('refunded') };
}

/** Codes of what `/health` says of the ledger and of refunds. */
export async function reasonsOf({ terminal }: TestDevice): Promise<string[]> {
  const { parts } = (await call(`${terminal}/health`)).body.health;
  return parts
    .flatMap(({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code))
    .filter((code: string) => /^(ledger|refunds|payments)-/.test(code));
}
