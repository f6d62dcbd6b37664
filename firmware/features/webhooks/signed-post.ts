/**
 * Posts one message to a webhook's address, signed with its secret in a common form: `t=<seconds>,v1=<HMAC>`, the
 * HMAC-SHA256 of the time, a dot and the body, in hex; with a `v1` for each secret. Redirects are not followed, and
 * only the status of the answer counts.
 */
import { createHmac } from 'node:crypto';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { codeOf, messageOf } from '../../../drivers/lib/errors.ts';
import { readCertificateFile } from '../../core/tls/index.ts';

/** How long a receiver may take, connection and answer together. */
export const ANSWER_LIMIT_MS = 10_000;
/** Most bytes of an answer that are read, so that its connection can be used again. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Time limit for the rest of an answer after its status: the next event uses the same connection. */
const REST_LIMIT_MS = 1000;

export const SIGNATURE_HEADER = 'laneware-signature';

/** The value of the header. @param secrets each makes a signature @param seconds since 1970 */
function signature(secrets: readonly string[], seconds: number, body: string): string {
  const signed = (secret: string) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${signed(secret)}`)].join();
}

export interface Receiver {
  readonly url: string;
  readonly secret: string;
  /** The previous secret, with which messages are also signed until the receiver knows the new one. */
  readonly formerSecret?: string | undefined;
  readonly caPath?: string | undefined;
}

export interface Message {
  readonly number: number;
  readonly type: string;
  /** JSON on one line. */
  readonly text: string;
}

/** The result of a call. */
export interface CallOutcome {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /**
   * Why the message counts as not delivered; the words quote nothing of the answer. Null where it was delivered.
   */
  readonly problem: string | null;
}

const isTaken = (status: number): boolean => status >= 200 && status < 300;

function outcomeOf(status: number): CallOutcome {
  if (isTaken(status)) return { status, problem: null };
  const why = status >= 300 && status < 400 ? ', and no redirect is followed' : '';
  return { status, problem: `it answered HTTP ${status}${why}` };
}

/**
 * Reads and discards the rest of an answer, so that its connection can be used again; closes it where the rest is too
 * long.
 */
function drain(answer: IncomingMessage): void {
  let size = 0;
  const limit = setTimeout(() => answer.destroy(), REST_LIMIT_MS).unref();
  answer.once('close', () => clearTimeout(limit));
  answer.on('error', () => undefined); // the status is known, and only that counts
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) answer.destroy();
  });
}

/** The status of the answer, whose rest is read and discarded. */
const statusOf = (request: ClientRequest): Promise<number> =>
  new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (answer) => {
      drain(answer);
      resolve(answer.statusCode ?? 0);
    });
    // for a receiver that switches protocols there is no `response` event: the call would never end
    request.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answer.statusCode ?? 0);
    });
  });

/**
 * Makes a call, and repeats it where the receiver had already closed the reused connection. A test or a redelivery has
 * one attempt, and a person would take the closed connection for a failure of the receiver.
 * @returns HTTP status
 */
async function statusOfExchange(startRequest: () => ClientRequest): Promise<number> {
  const first = startRequest();
  try {
    return await statusOf(first);
  } catch (error) {
    if (!first.reusedSocket || codeOf(error) !== 'ECONNRESET') throw error;
    return await statusOf(startRequest());
  }
}

/** @throws {CertificateError} where the file of authorities cannot be read */
async function makeAgent({ url, caPath }: Receiver): Promise<HttpAgent | HttpsAgent> {
  const options = { keepAlive: true, maxSockets: 2 };
  if (!url.startsWith('https:')) return new HttpAgent(options);
  const ca = caPath === undefined ? null : await readCertificateFile(caPath);
  const authorities = ca === null ? {} : { ca: [...rootCertificates, ca.toString('latin1')] };
  return new HttpsAgent({ ...options, minVersion: 'TLSv1.2', ...authorities });
}

export class SignedPost {
  readonly #receiver: Receiver;
  readonly #limitMs: number;
  /** Made at the first call; calls at once wait for the same one. */
  #agent: Promise<HttpAgent | HttpsAgent> | null = null;

  constructor(receiver: Receiver, limitMs = ANSWER_LIMIT_MS) {
    this.#receiver = receiver;
    this.#limitMs = limitMs;
  }

  /**
   * Sends one message; never rejects.
   * @param wallMs the device's clock, ms since 1970, which may be wrong
   * @param closing ends the call
   */
  async send({ number, type, text }: Message, wallMs: number, closing: AbortSignal): Promise<CallOutcome> {
    const { url, secret, formerSecret } = this.#receiver;
    const secrets = formerSecret === undefined ? [secret] : [secret, formerSecret];
    const limit = AbortSignal.timeout(this.#limitMs);
    const options = {
      method: 'POST',
      signal: AbortSignal.any([limit, closing]),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'user-agent': 'Laneware',
        'laneware-event-id': String(number),
        'laneware-event-type': type,
        [SIGNATURE_HEADER]: signature(secrets, Math.floor(wallMs / 1000), text),
      },
    };
    try {
      const agent = await this.#openAgent();
      const startRequest = (): ClientRequest => {
        const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, { ...options, agent });
        request.end(text);
        return request;
      };
      return outcomeOf(await statusOfExchange(startRequest));
    } catch (error) {
      const why = limit.aborted
        ? `it has not answered within ${this.#limitMs / 1000} s`
        : `no answer (${codeOf(error) ?? messageOf(error)})`;
      return { status: null, problem: why };
    }
  }

  /** Ends the connections that wait for the next message; calls that are under way end by their `closing`. */
  close(): void {
    this.#agent?.then(
      (agent) => agent.destroy(),
      () => undefined, // the call that wanted it has reported why there is none
    );
  }

  /** @throws {CertificateError} where the file of authorities cannot be read; the next call reads it again */
  #openAgent(): Promise<HttpAgent | HttpsAgent> {
    if (this.#agent === null) {
      this.#agent = makeAgent(this.#receiver);
      this.#agent.catch(() => {
        this.#agent = null;
      });
    }
    return this.#agent;
  }
}
