/** A call of a person at a page, sent to the port of the tills as a till on this machine would send it. */
import type { Static } from 'typebox';
import { OF_A_PAGE } from '../../../../http/calls/watch-calls.ts';
import { KEY_HEADER } from '../../../../http/header-names.ts';
import { type SendBody, type SentAnswer, tenth } from './call-schemas.ts';

/** Longer than the device itself takes for any call. */
const LIMIT_MS = 60_000;
const TOLD_BYTES = 256 * 1024;

/** The beginning of an answer; of a stream that stays open nothing. */
async function textOf(response: Response): Promise<{ text: string; cut: boolean }> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (!isStream)
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > TOLD_BYTES) break;
    }
  else await response.body?.cancel();
  const bytes = Buffer.concat(chunks);
  return { text: bytes.subarray(0, TOLD_BYTES).toString(), cut: isStream || length > TOLD_BYTES };
}

/** @param base where the tills of this machine call */
export async function sendCall(
  base: string,
  { method, path, key, body }: Static<typeof SendBody>,
): Promise<Static<typeof SentAnswer>> {
  const headers = {
    [OF_A_PAGE]: 'same-origin',
    ...(key === undefined ? {} : { [KEY_HEADER]: key }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const begun = performance.now();
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    const content = method === 'GET' || body === undefined ? {} : { body };
    const response = await fetch(`${base}${path}`, { method, headers, signal, redirect: 'manual', ...content });
    const type = response.headers.get('content-type') ?? '';
    const { text, cut } = await textOf(response);
    return { status: response.status, ms: tenth(performance.now() - begun), type, text, cut };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { status: null, ms: tenth(performance.now() - begun), type: '', text: '', cut: false };
  }
}
