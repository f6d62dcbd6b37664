/** A file of a web server from one byte on, over TLS alone, as a stream that waits for its reader. */
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Readable } from 'node:stream';
import { messageOf } from '../../drivers/lib/errors.ts';
import { ReleaseError } from './release-error.ts';

/** A server that sends nothing for so long is asked again. */
const STALL_MS = 30_000;
const MOST_REDIRECTS = 5;
const LEADS_ON: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
const MISSING: ReadonlySet<number | undefined> = new Set([404, 410]);
const BEYOND = 416;
const WHOLE = 200;
const PART = 206;

interface WebRequest {
  readonly url: string;
  readonly start: number;
  /** Last byte; null: all that follows. */
  readonly end: number | null;
  /** What the server said of the file before; null: nothing is known. Another one is sent from its beginning. */
  readonly validator: string | null;
  readonly signal: AbortSignal;
}

export interface WebPart {
  /** First byte of it: 0 where the server knows no ranges, or has another file by now. */
  readonly start: number;
  /** Of the whole file. */
  readonly total: number;
  readonly validator: string | null;
  /** Of buffers. Destroying it ends the connection. */
  readonly body: Readable;
}

const failure = (message: string, cause?: unknown): ReleaseError => new ReleaseError('unreachable', message, { cause });

function ask({ url, start, end, validator, signal }: WebRequest): Promise<IncomingMessage> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (start > 0 || end !== null) headers.range = `bytes=${start}-${end ?? ''}`;
  if (start > 0 && validator !== null) headers['if-range'] = validator;
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, signal, agent: false }, resolve);
    sent.setTimeout(STALL_MS, () => sent.destroy(failure(`${url} sends nothing`)));
    sent.once('upgrade', (answer, socket) => {
      socket.destroy();
      reject(failure(`${url} answers ${answer.statusCode}`));
    });
    sent.once('error', (error) => reject(failure(`${url}: ${messageOf(error)}`, error)));
    sent.end();
  });
}

/** What can say that a file is the same one still (RFC 9110, 13.1.5): a weak tag cannot. */
function validatorOf({ headers }: IncomingMessage): string | null {
  if (headers.etag !== undefined && !headers.etag.startsWith('W/')) return headers.etag;
  return headers['last-modified'] ?? null;
}

function partOf(answer: IncomingMessage, url: string): WebPart {
  const { statusCode, headers } = answer;
  const validator = validatorOf(answer);
  if (headers['content-encoding'] !== undefined) throw failure(`${url} is packed on its way`);
  if (statusCode === WHOLE) {
    const total = Number(headers['content-length'] ?? Number.NaN);
    if (!Number.isSafeInteger(total) || total < 1) throw failure(`${url} has no length`);
    return { start: 0, total, validator, body: answer };
  }
  const [, start, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? [];
  if (start === undefined || total === undefined) throw failure(`${url} sends a part of no known length`);
  return { start: Number(start), total: Number(total), validator, body: answer };
}

/** @throws {ReleaseError} `missing`, `unreachable`, `gone` where the server has fewer bytes than are asked for */
export async function fetchPart(asked: WebRequest): Promise<WebPart> {
  let { url } = asked;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await ask({ ...asked, url });
    const { statusCode, headers } = answer;
    try {
      if (statusCode === WHOLE || statusCode === PART) return partOf(answer, url);
    } catch (error) {
      answer.destroy();
      throw error;
    }
    answer.destroy();
    if (MISSING.has(statusCode)) throw new ReleaseError('missing', `${url} is not there`);
    if (statusCode === BEYOND) throw new ReleaseError('gone', `${url} is shorter than it was`);
    if (!LEADS_ON.has(statusCode) || headers.location === undefined) throw failure(`${url} answers ${statusCode}`);
    url = new URL(headers.location, url).href;
    if (!url.startsWith('https://')) throw failure(`${asked.url} leads away from TLS`);
  }
  throw failure(`${asked.url} leads in a circle`);
}
