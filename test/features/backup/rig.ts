/** Devices that make backups and take them back over `/v1`. */
import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { type Answer, call, type TestDevice, until } from '../../support.ts';
import { payNewest, showQR, untilAccepted } from '../../terminal/device-calls.ts';

export const PASSPHRASE = 'seven lamps over the counter';
const PROBLEM = 'application/problem+json';

export async function made({ recognition }: TestDevice, passphrase = PASSPHRASE): Promise<Buffer> {
  const response = await fetch(`${recognition}/console/api/backups`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ passphrase }),
  });
  assert.is(response.status, 200, response.status === 200 ? '' : await response.text());
  const file = Buffer.from(await response.arrayBuffer());
  assert.is(Number(response.headers.get('content-length')), file.length);
  return file;
}

export function formOf(file: Buffer, passphrase = PASSPHRASE, more: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  form.append('passphrase', passphrase);
  for (const [name, value] of Object.entries(more)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]), 'lane.backup');
  return form;
}

export const putBack = ({ recognition }: TestDevice, form: FormData): Promise<Answer> =>
  call(`${recognition}/console/api/backups/restore`, { method: 'POST', body: form });

export const amounts = async ({ terminal }: TestDevice): Promise<number[]> =>
  (await call(`${terminal}/v1/payments?limit=100`)).body.payments
    .map(({ amount }: { amount: number }) => amount)
    .sort((a: number, b: number) => a - b);

export async function sell(device: TestDevice, amount: number): Promise<void> {
  const { status, text } = await showQR(device, amount);
  assert.is(status, 200, text);
}

export async function pay(device: TestDevice): Promise<void> {
  await payNewest(device);
  await untilAccepted(device);
}

/** Of the first payment. A bank that is slow to answer is waited for: the same key again is the same refund. */
export async function giveBack({ terminal }: TestDevice, key: string, amount: number): Promise<Answer> {
  const [{ id }] = (await call(`${terminal}/v1/payments`)).body.payments;
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return until('what became of the refund', async () => {
    const answer = await call(`${terminal}/v1/payments/${id}/refunds`, { json: { amount }, headers });
    return answer.body.state === 'unknown' ? null : answer;
  });
}

export const leftOf = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /^(restore-|\.backup-|before-)/.test(name));

export function refused({ status, body, headers }: Answer, expected: number, code: string): void {
  assert.is(status, expected, JSON.stringify(body));
  assert.is(headers.get('content-type'), PROBLEM);
  assert.is(body.code, code);
}
