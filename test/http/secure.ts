/** Calls over TLS that trust one certificate, as a till does that was given it. */
import type { IncomingMessage } from 'node:http';
import { request as ask, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';

export interface SecureAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface SecureCall {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** PEM of the certificate that is trusted; without one, any is. */
  readonly ca?: string;
}

export function openSecure(url: string, { method = 'GET', headers = {}, ca, signal }: SecureCall = {}) {
  const trust: RequestOptions = ca === undefined ? { rejectUnauthorized: false } : { ca };
  return ask(url, { method, headers, agent: false, ...trust, ...(signal === undefined ? {} : { signal }) });
}

/** @throws what the connection fails with, a certificate that is not trusted included */
export function secureCall(url: string, call: SecureCall = {}): Promise<SecureAnswer> {
  return new Promise((resolve, reject) => {
    const request = openSecure(url, call).on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((content) => resolve({ status, headers, text: content }), reject);
    });
    request.end(call.body);
  });
}
