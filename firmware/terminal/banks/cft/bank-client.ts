/**
 * JSON over HTTP(S) to a bank: one answer or one {@link BankError} for each call. Nothing is followed, decompressed, quoted or
 * believed beyond its size; the deadline is the caller's signal. What the bank says of a failure is told in its own words:
 * short, on one line, without secrets.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { codeOf, isCode } from '../../../../drivers/lib/errors.ts';
import { parseStrictJson, StrictJsonError } from '../../../../drivers/lib/strict-json.ts';
import { BankError } from '../bank.ts';

export const MAX_ANSWER_BYTES = 64 * 1024;
/** A bank that asks for more patience than this gets this. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const MAX_SOCKETS = 8;
/** How a kept connection fails that the other end has closed meanwhile. */
const STALE = ['ECONNRESET', 'EPIPE'];
/** Of objects and lists in an answer. */
const MAX_DEPTH = 32;
const MAX_BANK_TEXT = 200;
/** Under which names banks tell what went wrong. Source: public clients of several banks. */
const TEXT_NAMES = ['error', 'message', 'errorMessage', 'error_message', 'error_description', 'description'] as const;
const CODE_NAMES = ['errorCode', 'error_code', 'code'] as const;

export interface BankCall {
  readonly method: 'GET' | 'POST';
  /** Begins with a slash; comes after the path of the base address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a good answer holds. */
export interface Expected<Shape extends TSchema> {
  readonly shape: Shape;
  /** What is told of an answer of another shape: a sentence about the bank. */
  readonly otherwise: string;
}

export interface BankClientOptions {
  /** `http:` or `https:`, a path is kept. */
  readonly baseUrl: string;
  /** Client certificate and authorities; only for https. */
  readonly tls?: SecureContextOptions;
  /** Values that must not turn up in what is told of the bank's answers. */
  readonly secrets?: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new BankError('contradiction', `the bank's answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Half a character, which JSON can hold and many readers refuse, becomes U+FFFD. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

/** Seconds, or a date that is held against the answer's own Date: our wall clock may be wrong. */
function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(headers.date ?? '');
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : null;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws {BankError} `contradiction` */
function readAnswer(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseStrictJson(body, MAX_DEPTH);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    // the parser would quote the answer, and with it whatever the bank repeats of what it was sent
    const why = cause.kind === 'syntax' ? 'is no JSON' : cause.message;
    throw new BankError('contradiction', `the bank's answer ${why}`, { cause });
  }
  if (!isRecord(value)) throw new BankError('contradiction', 'the bank answered with JSON that is not an object');
  return value;
}

/** What stands in an answer that is no success; nothing for an error page of something in between. */
function jsonOrNothing(body: Buffer): unknown {
  try {
    return parseStrictJson(body, MAX_DEPTH);
  } catch (error) {
    if (error instanceof StrictJsonError) return null; // its status says enough
    throw error;
  }
}

/** Whether an answer calls itself an error, whatever else it holds. */
function saysError({ error }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(error) ? Object.keys(error).length > 0 : Boolean(error);
}

function clean(value: unknown, secrets: readonly string[]): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '<PASSWORD>'), String(value));
  const line = safe.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line === '' ? null : line.slice(0, MAX_BANK_TEXT).toWellFormed();
}

/** @param answer JSON, or anything else, which says nothing @param secrets none of them empty */
function bankWords(
  answer: unknown,
  secrets: readonly string[],
): { readonly text: string | null; readonly code: string | null } {
  if (!isRecord(answer)) return { text: null, code: null };
  const first = Array.isArray(answer.errors) ? answer.errors[0] : undefined;
  const parts = [answer, answer.error, first].filter(isRecord);
  const under = (names: readonly string[]): string[] =>
    parts.flatMap((part) => names.map((name) => clean(part[name], secrets)).filter((word) => word !== null));
  const text = [...new Set(under(TEXT_NAMES))].join(': ').slice(0, MAX_BANK_TEXT).toWellFormed();
  return { text: text === '' ? null : text, code: under(CODE_NAMES)[0] ?? null };
}

export class BankClient {
  readonly #base: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #request: typeof httpRequest;
  readonly #secrets: readonly string[];
  #calls = 0;
  #closed = false;

  constructor({ baseUrl, tls = {}, secrets = [] }: BankClientOptions) {
    this.#base = new URL(baseUrl);
    const secure = this.#base.protocol === 'https:';
    const pool = { keepAlive: true, maxSockets: MAX_SOCKETS };
    this.#agent = secure ? new HttpsAgent({ ...pool, minVersion: 'TLSv1.2', ...tls }) : new HttpAgent(pool);
    this.#request = secure ? httpsRequest : httpRequest;
    this.#secrets = secrets.filter((secret) => secret !== '');
  }

  /**
   * @returns the object that the bank answered with; it has the shape that is expected
   * @throws {BankError} `unreachable`, `refused` (some banks refuse with HTTP 200, too) or `contradiction`
   */
  async call<Shape extends TSchema>(
    call: BankCall,
    { shape, otherwise }: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    const answer = await this.#exchange(call, signal);
    if (answer.status !== 200 && answer.status !== 201) throw this.#unsuccessful(answer);
    const value = readAnswer(answer.body);
    const fits = Value.Check(shape, value);
    if (fits && !saysError(value)) return value;
    const { text, code } = bankWords(value, this.#secrets);
    if (text === null && code === null && !saysError(value)) throw new BankError('contradiction', otherwise);
    throw new BankError('refused', `the bank refused (HTTP ${answer.status}${text === null ? '' : `: ${text}`})`, {
      bankCode: code,
    });
  }

  /** Keeps no connection from now on; calls under way are heard out. */
  close(): void {
    this.#closed = true;
    if (this.#calls === 0) this.#agent.destroy();
  }

  async #exchange(call: BankCall, signal: AbortSignal): Promise<Answer> {
    this.#calls += 1;
    try {
      return await this.#send(call, signal);
    } catch (error) {
      if (error instanceof BankError) throw error;
      const code = codeOf(error) ?? (error instanceof Error ? error.name : 'unknown');
      const reason = signal.aborted ? 'no answer within the time allowed' : `no answer (${code})`;
      throw new BankError('unreachable', `the bank cannot be reached: ${reason}`, { cause: error });
    } finally {
      this.#calls -= 1;
      if (this.#closed) this.close();
    }
  }

  /** Sends once, and once more where a kept connection turns out to have been closed by the bank while it was idle. */
  async #send(call: BankCall, signal: AbortSignal): Promise<Answer> {
    const first = this.#open(call, signal);
    try {
      return await first.answer;
    } catch (error) {
      const stale = first.reused() && isCode(error, ...STALE) && !signal.aborted;
      if (!stale) throw error;
      return await this.#open(call, signal).answer;
    }
  }

  #open({ method, path, headers = {}, body }: BankCall, signal: AbortSignal) {
    const payload = body === undefined ? null : Buffer.from(JSON.stringify(body, wellFormed), 'utf8');
    const url = new URL(this.#base);
    url.pathname = url.pathname.replace(/\/+$/, '') + path;
    const request = this.#request(url, {
      method,
      agent: this.#agent,
      signal,
      headers: {
        accept: 'application/json',
        ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
        ...headers,
      },
    });
    const answer = new Promise<Answer>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (message) => {
        readBody(message).then(
          (bytes) => resolve({ status: message.statusCode ?? 0, headers: message.headers, body: bytes }),
          reject,
        );
      });
    });
    request.end(payload);
    return { answer, reused: () => request.reusedSocket };
  }

  #unsuccessful({ status, headers, body }: Answer): BankError {
    const { text, code } = bankWords(jsonOrNothing(body), this.#secrets);
    const details = { bankCode: code, retryAfterMs: retryAfterMs(headers) };
    const said = `HTTP ${status}${text === null ? '' : `: ${text}`}`;
    // a login page of some network in between answers with a redirect: that is no word of the bank's
    if (status >= 500 || status < 400 || status === 408 || status === 425 || status === 429) {
      return new BankError('unreachable', `the bank cannot take the call now (${said})`, details);
    }
    return new BankError('refused', `the bank refused (${said})`, details);
  }
}
