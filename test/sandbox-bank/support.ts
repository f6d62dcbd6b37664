/** What the tests of the dialects share: a sandbox bank that ends with the test, a clock that it moves, and calls. */
import * as assert from 'uvu/assert';
import type { SandboxOptions } from '../../firmware/sandbox-bank/server.ts';
import { type Banks, startBanks } from '../banks/banks.ts';
import { StillClock } from '../still-clock.ts';
import { type Answer, call, temporaryFolder } from '../support.ts';

export const MINUTE_MS = 60_000;

export interface Rig {
  readonly sandbox: Banks;
  readonly url: string;
  readonly clock: StillClock;
}

export async function withBank(
  work: (rig: Rig) => Promise<void>,
  options: Partial<SandboxOptions> = {},
): Promise<void> {
  using folder = temporaryFolder();
  const clock = new StillClock();
  const sandbox = await startBanks({ port: 0, dataFile: `${folder.path}/sandbox.db`, clock, ...options });
  try {
    await work({ sandbox, url: sandbox.url, clock });
  } finally {
    await sandbox.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Body = any;

/** Answers of the till's calls: the body, whose HTTP status must be as expected. */
export const bodyOf = (answer: Answer, status = 200): Body => {
  assert.is(answer.status, status, answer.text);
  return answer.body;
};

export const sendJson = (url: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });

/** What the payer does, on the payer's page of a code's link. */
export async function payer(url: string, link: string, action: 'pay' | 'decline' = 'pay'): Promise<void> {
  const qrcId = new URL(link).pathname.split('/').at(-1);
  bodyOf(await call(`${url}/sandbox/payments/${qrcId}/${action}`, { method: 'POST' }));
}

/** The newest payment in the bank's books. */
export async function newest(url: string): Promise<Body> {
  return bodyOf(await call(`${url}/sandbox/payments`))[0];
}

/** The promise's call ends without an answer. */
export async function noAnswer(pending: Promise<unknown>): Promise<void> {
  const ended = await pending.then(
    () => 'answered',
    () => 'broken',
  );
  assert.is(ended, 'broken');
}
