/**
 * The connections to a bank: sends a call, and reads its whole answer, whatever it says. It follows no redirect and
 * decompresses nothing; the deadline is the caller's signal.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { codeOf, isCode, messageOf } from '../../drivers/lib/errors.ts';
import { BankError } from './bank-error.ts';
import { type Answer, readAnswer } from './http-answer.ts';

const MAX_SOCKETS = 8;
/** Errors of an idle connection that the bank has closed meanwhile. */
const STALE = ['ECONNRESET', 'EPIPE'];
/** A refusal of the credentials before HTTP: TLS alerts about the caller's certificate, in the words of OpenSSL. */
const CERTIFICATE_REFUSED =
  /:[^:]* alert (bad certificate|unsupported certificate|certificate (?:revoked|expired|unknown|required)|unknown ca|access denied):/;

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

/** TLS of https connections to a bank: client certificate and authorities. */
export type BankTls = Pick<ConnectionOptions, 'secureContext'>;

export interface ConnectionSettings {
  /** `http:` or `https:`, a path is kept. */
  readonly baseUrl: string;
  readonly tls?: BankTls | undefined;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs the bytes to send; returns headers. */
  readonly sign?: (body: Buffer) => Readonly<Record<string, string>>;
}

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

export class BankConnection {
  readonly #settings: ConnectionSettings;
  readonly #base: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  /** The agent of calls that need a new connection. */
  readonly #fresh: HttpAgent | HttpsAgent;
  readonly #request: typeof httpRequest;
  #calls = 0;
  #isClosed = false;

  constructor(settings: ConnectionSettings) {
    const { baseUrl, tls = {} } = settings;
    this.#settings = settings;
    this.#base = new URL(baseUrl);
    const isSecure = this.#base.protocol === 'https:';
    const agent = (keepAlive: boolean) => {
      const pool = { keepAlive, maxSockets: MAX_SOCKETS };
      return isSecure ? new HttpsAgent({ ...pool, minVersion: 'TLSv1.2', ...tls }) : new HttpAgent(pool);
    };
    [this.#agent, this.#fresh] = [agent(true), agent(false)];
    this.#request = isSecure ? httpsRequest : httpRequest;
  }

  /** @throws {BankError} `unreachable`; `contradiction` for an answer that is too long */
  async exchange(call: BankCall, signal: AbortSignal): Promise<Answer> {
    this.#calls += 1;
    try {
      return await this.#send(call, signal);
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
      if (this.#isClosed) this.close();
    }
  }

  /** Closes the connections, after the calls under way. */
  close(): void {
    this.#isClosed = true;
    if (this.#calls > 0) return;
    this.#agent.destroy();
    this.#fresh.destroy();
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
        ...this.#settings.headers,
        ...call.headers,
        ...this.#settings.sign?.(content?.bytes ?? Buffer.alloc(0)),
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
}
