/**
 * Calls a bank over HTTP(S) with JSON answers: each call gets one answer or one {@link BankError}. The client follows
 * no redirect, decompresses and quotes nothing, and reads no more than a limit; the deadline is the caller's signal.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { codeOf, isCode, messageOf } from '../../drivers/lib/errors.ts';
import type { Fields } from '../../drivers/lib/strict-json.ts';
import { BankError } from './bank.ts';
import {
  bankLine,
  type FailureReader,
  type ReportedFailure,
  reportedMessage,
  reportsError,
  secretsPattern,
} from './bank-words.ts';
import { type Answer, bankTime, fieldsOf, fieldsOrNothing, readAnswer, retryAfterMs } from './http-answer.ts';

const MAX_SOCKETS = 8;
/** Errors of an idle connection that the bank has closed meanwhile. */
const STALE = ['ECONNRESET', 'EPIPE'];
/** Statuses that say: the bank cannot take the call now. */
const NOT_NOW: readonly number[] = [408, 425, 429];
/** Statuses of a path that the bank does not have. */
const NO_SUCH_CALL: readonly (number | null)[] = [404, 405];
/** Statuses by which the bank refuses the credentials. */
const UNAUTHORIZED: readonly number[] = [401, 403];
/** The same refusal before HTTP: TLS alerts about the caller's certificate, in the words of OpenSSL. */
const CERTIFICATE_REFUSED =
  /:[^:]* alert (bad certificate|unsupported certificate|certificate (?:revoked|expired|unknown|required)|unknown ca|access denied):/;
/** The same refusal by a web server in front of the bank (nginx), which answers with a page. */
const CERTIFICATE_PAGE = /^\s*<html>[\s\S]*\bSSL certificate\b/;

export interface BankCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with a slash; appended to the path of the base address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent instead of `body`: application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>;
  /**
   * True for a call that must not happen twice: it gets a new connection. If the bank is just closing an idle one,
   * nobody knows whether it got the call.
   */
  readonly isOnce?: boolean;
}

/** The shape of a good answer. */
export interface Expected<Shape extends TSchema> {
  readonly shape: Shape;
  /** The error for an answer of another shape: a sentence about the bank. */
  readonly otherwise: string;
  /** True where a good answer may be empty, which reads as an object without members. */
  readonly mayBeEmpty?: boolean;
}

/** TLS of https connections to a bank: client certificate and authorities. */
export type BankTls = Pick<ConnectionOptions, 'secureContext'>;

export interface BankClientOptions {
  /** `http:` or `https:`, a path is kept. */
  readonly baseUrl: string;
  readonly tls?: BankTls | undefined;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values that must not appear in errors about the bank's answers. */
  readonly secrets?: readonly string[];
  /** Reads how this bank reports failures; the usual names count where it is left out, or returns null. */
  readonly failureOf?: FailureReader;
  /** Signs the bytes to send; returns headers. */
  readonly sign?: (body: Buffer) => Readonly<Record<string, string>>;
  /** Logs where the bank behaves differently than expected. */
  readonly log?: ((message: string) => void) | undefined;
}

/** The address of a bank. */
export type BankAddress = Pick<BankClientOptions, 'baseUrl' | 'tls'>;

/** Half a character, which JSON can hold and many readers refuse, becomes U+FFFD. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

const UTF8_FORM = 'application/x-www-form-urlencoded; charset=utf-8';

/** The bytes of a call, and their type; null for none. */
function contentOf({ body, form }: BankCall): { readonly type: string; readonly bytes: Buffer } | null {
  if (form !== undefined) return { type: UTF8_FORM, bytes: Buffer.from(new URLSearchParams(form).toString(), 'utf8') };
  if (body === undefined) return null;
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body, wellFormed), 'utf8') };
}

const isSuccess = (status: number): boolean => status === 200 || status === 201 || status === 204;
/** Whether the bank cannot answer now. A redirect counts, too: it comes from a network's login page, not from the bank. */
const isNotNow = (status: number): boolean => status >= 500 || status < 400 || NOT_NOW.includes(status);

/** What is wrong with the bank's certificate, by Node's codes. */
const CERTIFICATE_DATES: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'its own certificate, or that of an authority above it, has expired'],
  ['CERT_NOT_YET_VALID', 'its own certificate, or that of an authority above it, is not valid yet'],
]);

/** @param refusal the bank's refusal of our certificate */
function whyUnanswered(error: unknown, { aborted }: AbortSignal, refusal: string | undefined): string {
  if (aborted) return 'no answer within the time allowed';
  if (refusal !== undefined) return `it does not take the client certificate of the bank profile (${refusal})`;
  const code = codeOf(error) ?? (error instanceof Error ? error.name : 'unknown');
  return `${CERTIFICATE_DATES.get(code) ?? 'no answer'} (${code})`;
}

export class BankClient {
  readonly #options: BankClientOptions;
  readonly #base: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  /** The agent of calls that need a new connection. */
  readonly #fresh: HttpAgent | HttpsAgent;
  readonly #request: typeof httpRequest;
  protected readonly secrets: RegExp;
  /** How far the bank's clock was ahead of our monotonic one at its last answer, ms; null before. */
  #ahead: number | null = null;
  /** Calls that the bank turned out not to have. */
  readonly #absent = new Set<string>();
  #calls = 0;
  #closed = false;

  constructor(options: BankClientOptions) {
    const { baseUrl, tls = {}, secrets = [] } = options;
    this.#options = options;
    this.#base = new URL(baseUrl);
    const secure = this.#base.protocol === 'https:';
    const agent = (keepAlive: boolean) => {
      const pool = { keepAlive, maxSockets: MAX_SOCKETS };
      return secure ? new HttpsAgent({ ...pool, minVersion: 'TLSv1.2', ...tls }) : new HttpAgent(pool);
    };
    [this.#agent, this.#fresh] = [agent(true), agent(false)];
    this.#request = secure ? httpsRequest : httpRequest;
    this.secrets = secretsPattern(secrets);
  }

  /**
   * @returns the bank's answer, an object of the expected shape
   * @throws {BankError} `unreachable`, `refused` (some banks refuse with HTTP 200, too) or `contradiction`
   */
  async call<Shape extends TSchema>(
    call: BankCall,
    { shape, otherwise, mayBeEmpty = false }: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    const answer = await this.#exchange(call, signal);
    const { status, body } = answer;
    if (!isSuccess(status)) throw this.#unsuccessful(answer);
    const value = mayBeEmpty && body.length === 0 ? {} : fieldsOf(body);
    const failure = this.#options.failureOf?.(value, status) ?? null;
    const saysSuccess = failure === 'success';
    if (failure !== null && !saysSuccess) throw this.#failure(failure, answer);
    if (Check(shape, value) && (saysSuccess || !reportsError(value))) return value;
    if (saysSuccess) throw new BankError('contradiction', otherwise);
    const { text, code } = reportedMessage(value, this.secrets);
    // a bank with its own form of refusals has not refused by words alone: the call may have taken effect
    const hasOwnWay = this.#options.failureOf !== undefined;
    if (reportsError(value) || (!hasOwnWay && (text ?? code) !== null)) {
      throw this.#failure({ code: 'refused', bankCode: code, text }, answer);
    }
    throw new BankError('contradiction', text === null ? otherwise : `${otherwise} (${text})`);
  }

  /**
   * Makes a newer call, and an older one where the bank lacks the newer; after its first answer to the older one, only
   * that. @throws {BankError}
   */
  async callEither<Shape extends TSchema>(
    newer: BankCall,
    older: BankCall,
    expected: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    const [name, instead] = [newer, older].map(({ method, path }) => `${method} ${path}`) as [string, string];
    if (!this.#absent.has(name)) {
      try {
        return await this.call(newer, expected, signal);
      } catch (error) {
        if (!(error instanceof BankError && NO_SUCH_CALL.includes(error.status))) throw error;
      }
    }
    const answer = await this.call(older, expected, signal);
    if (!this.#absent.has(name))
      this.#options.log?.(`the bank has nothing at ${name}: ${instead} is called in its place`);
    this.#absent.add(name);
    return answer;
  }

  /**
   * The time by the bank's clock, from its last answer (header `Date`). Before the first answer the bank is asked; if
   * it never answers, the device's clock counts.
   * @param ask the call to ask with; its answer does not matter
   * @throws {BankError} `unreachable`
   */
  async now(ask: BankCall, signal: AbortSignal): Promise<number> {
    if (this.#ahead === null) await this.#exchange(ask, signal);
    return this.#ahead === null ? Date.now() : performance.now() + this.#ahead;
  }

  /** Closes the connections, after the calls under way. */
  close(): void {
    this.#closed = true;
    if (this.#calls > 0) return;
    this.#agent.destroy();
    this.#fresh.destroy();
  }

  async #exchange(call: BankCall, signal: AbortSignal): Promise<Answer> {
    this.#calls += 1;
    try {
      const answer = await this.#send(call, signal);
      const at = bankTime(answer);
      if (at !== null) this.#ahead = at - performance.now();
      return answer;
    } catch (error) {
      if (error instanceof BankError) throw error;
      const [, refusal] = CERTIFICATE_REFUSED.exec(messageOf(error)) ?? [];
      const isUnauthorized = refusal !== undefined;
      throw new BankError('unreachable', `the bank cannot be reached: ${whyUnanswered(error, signal, refusal)}`, {
        isUnauthorized,
        cause: error,
      });
    } finally {
      this.#calls -= 1;
      if (this.#closed) this.close();
    }
  }

  /** Sends a call, and again where the bank had closed the connection while it was idle. */
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

  #open(call: BankCall, signal: AbortSignal) {
    const content = contentOf(call);
    const url = new URL(this.#base);
    const [path = '', query = ''] = call.path.split('?');
    url.pathname = url.pathname.replace(/\/+$/, '') + path;
    url.search = query;
    const request = this.#request(url, {
      method: call.method,
      agent: call.isOnce === true ? this.#fresh : this.#agent,
      signal,
      headers: {
        accept: 'application/json',
        ...(content && { 'content-type': content.type, 'content-length': content.bytes.length }),
        ...this.#options.headers,
        ...call.headers,
        ...this.#options.sign?.(content?.bytes ?? Buffer.alloc(0)),
      },
    });
    const answer = new Promise<Answer>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (message) => readAnswer(message).then(resolve, reject));
      // a bank that switches protocols sends no response: without this, the call would never settle
      request.on('upgrade', ({ statusCode: status = 0, headers }, socket) => {
        socket.destroy();
        resolve({ status, headers, body: Buffer.alloc(0) });
      });
    });
    request.end(content?.bytes);
    return { answer, reused: () => request.reusedSocket };
  }

  #unsuccessful(answer: Answer): BankError {
    const { status, body } = answer;
    const fields: Fields = fieldsOrNothing(body);
    const { text, code: bankCode } = reportedMessage(fields, this.secrets);
    const read = this.#options.failureOf?.(fields, status) ?? null;
    const isUnauthorized = UNAUTHORIZED.includes(status) || CERTIFICATE_PAGE.test(body.toString('latin1'));
    const failure: ReportedFailure =
      read === null || read === 'success' ? { code: 'refused', bankCode, text, isUnauthorized } : read;
    return this.#failure(isNotNow(status) ? { ...failure, code: 'unreachable' } : failure, answer);
  }

  #failure({ code, ...failure }: ReportedFailure, { status, headers }: Answer): BankError {
    const text = bankLine(failure.text, this.secrets);
    const detail = `HTTP ${status}${text === null ? '' : `: ${text}`}`;
    const what =
      code === 'unreachable' ? `the bank cannot take the call now (${detail})` : `the bank refused (${detail})`;
    return new BankError(code, what, {
      bankCode: bankLine(failure.bankCode, this.secrets),
      retryAfterMs: failure.retryAfterMs ?? retryAfterMs(headers),
      isDuplicate: failure.isDuplicate ?? false,
      isUnauthorized: failure.isUnauthorized ?? UNAUTHORIZED.includes(status),
      status,
      words: text,
    });
  }
}
