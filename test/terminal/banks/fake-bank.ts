/** A bank under the test's control, over real HTTP(S): it speaks the CFT interface and says what it is told to say. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildSbpLink } from '../../../firmware/terminal/banks/sbp-link.ts';

const ID_LENGTH = 32;
const MEMBER = '100000000007';

export interface Reply {
  readonly status?: number;
  /** A text goes out as it is, anything else as JSON; null never answers. */
  readonly body: unknown;
}

export interface Sale {
  readonly qrcId: string;
  readonly amount: number;
  readonly payload: string;
}

export interface FakeBank extends AsyncDisposable {
  readonly url: string;
  /** As they were registered. */
  readonly sales: readonly Sale[];
  /** What it was asked: method and path. */
  readonly calls: readonly string[];
  /** The name in the certificate that each of those calls came with; empty where it came without. */
  readonly callers: readonly string[];
  /** NSPK's code that it tells of every payment. */
  payStatus: string;
  /** Changes what it answers; gets the honest answer. */
  onRegister: (honest: { qrcId: string; payload: string }, sale: Sale) => Reply;
  onState: (honest: object, sale: Sale) => Reply;
}

/** As NSPK gives them out. */
export const linkOf = (qrcId: string, amount: number): string =>
  buildSbpLink({ id: qrcId, type: '02', bank: MEMBER, sum: amount });

async function bodyOf(request: IncomingMessage): Promise<{ amount: number }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as { amount: number };
}

function callerOf({ socket }: IncomingMessage): string {
  return socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject?.CN ?? '') : '';
}

function send(response: ServerResponse, { status = 200, body }: Reply): void {
  if (body === null) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** @param tls makes it a bank over TLS */
export async function startFakeBank(tls?: ServerOptions): Promise<FakeBank> {
  const sales: Sale[] = [];
  const calls: string[] = [];
  const callers: string[] = [];

  function register(amount: number): Reply {
    const qrcId = `AD${String(sales.length + 1).padStart(ID_LENGTH - 2, '0')}`;
    const sale = { qrcId, amount, payload: linkOf(qrcId, amount) };
    sales.push(sale);
    return bank.onRegister({ qrcId, payload: sale.payload }, sale);
  }

  function state(qrcId: string): Reply {
    const sale = sales.find((each) => each.qrcId === qrcId);
    if (sale === undefined) return { status: 404, body: { error: 'QRC_NOT_FOUND' } };
    return bank.onState({ qrCode: { qrcId }, payStatus: { status: bank.payStatus } }, sale);
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    calls.push(`${request.method} ${request.url}`);
    callers.push(callerOf(request));
    if (!/^(POST \/qr|GET \/qr\/state\/.+)$/.test(`${request.method} ${request.url}`)) {
      send(response, { status: 404, body: { error: 'there is no such call' } });
      return;
    }
    const isRegistration = request.method === 'POST';
    const answer = isRegistration
      ? bodyOf(request).then(({ amount }) => register(amount))
      : Promise.resolve(state(decodeURIComponent(request.url?.split('/').at(-1) ?? '')));
    void answer.then((reply) => send(response, reply));
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bank: FakeBank = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    sales,
    calls,
    callers,
    payStatus: 'NTST',
    onRegister: (honest) => ({ body: honest }),
    onState: (honest) => ({ body: honest }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return bank;
}
