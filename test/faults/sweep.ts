/** Of each operation every call of the storage is struck, one after the other, until none is left. */
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { type Name, OPERATIONS, type Operation } from './operations.ts';
import { Shop } from './shop.ts';
import type { Fault } from './storage.ts';

const LACK = process.platform === 'linux' ? missingPrograms('gcc') : 'it needs Linux';
/** What came before makes an operation a few calls longer or shorter: so often none was left. */
const MISSES = 2;
/** What a call that failed has left only in memory is seen by the next process: one of so many times. */
const KILLED_EVERY = 3;
/** More of them say nothing new. */
const MOST_FINDINGS = 10;

/** A failure is of two kinds in turn: two sweeps would say little more than one, and take twice as long. */
type Kind = 'kill' | 'failure';
const faultAt = (n: number, kind: Kind): Fault => (kind === 'kill' ? 'kill' : n % 2 === 0 ? 'ENOSPC' : 'EIO');

/** @returns whether a call was struck: else there were fewer @throws {Error} what does not agree */
async function strikeOnce(shop: Shop, operation: Operation, n: number, kind: Kind): Promise<boolean> {
  const { storage } = shop;
  const fault = faultAt(n, kind);
  const act = await operation(shop);
  await storage.rests('for now');
  let { deaths } = shop;
  storage.strike(n, fault);
  await act();
  if (storage.struck === null) await storage.rests('for good');
  storage.heal();
  if (storage.struck === null) return false;
  if (fault === 'kill') deaths += 1;
  else if (n % KILLED_EVERY === 0) {
    assert.is(shop.deaths, deaths, 'the device has gone away');
    deaths += 1;
  }
  if (shop.deaths < deaths) await shop.die();
  await shop.agrees();
  assert.is(shop.deaths, deaths, 'the device has gone away');
  return true;
}

/** @returns calls of the longest, and what did not agree */
async function sweepOf(operation: Operation, kind: Kind): Promise<{ calls: number; findings: string[] }> {
  const findings: string[] = [];
  let shop = await Shop.open();
  let n = 1;
  try {
    for (let misses = 0; misses < MISSES && findings.length < MOST_FINDINGS; )
      try {
        const isStruck = await strikeOnce(shop, operation, n, kind);
        [n, misses] = isStruck ? [n + 1, 0] : [n, misses + 1];
      } catch (error) {
        findings.push(`${n}, ${shop.storage.struck}: ${String(error)}`);
        n += 1;
        await shop[Symbol.asyncDispose]();
        shop = await Shop.open();
      }
    await shop.keeps();
    await shop.die();
    await shop.keeps();
  } finally {
    await shop[Symbol.asyncDispose]();
  }
  return { calls: n - 1, findings };
}

/** @param names of operations: a file has as many as it has time for */
export function sweep(about: string, kind: Kind, names: readonly Name[]): void {
  const test = suiteNeeding(LACK, about);
  for (const name of names)
    test(name, async () => {
      const began = performance.now();
      const { calls, findings } = await sweepOf(OPERATIONS[name], kind);
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      process.stdout.write(`  ${name}, ${kind}: ${calls} calls, ${seconds} s\n`);
      assert.equal(findings, []);
    });
  test.run();
}
