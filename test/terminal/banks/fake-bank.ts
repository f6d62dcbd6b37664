/** A bank under the test's control, over real HTTP(S): it speaks the CFT interface and answers as the test says. */
import type { ServerOptions } from 'node:https';
import { codeId, linkTo, type Reply, startWireBank, type WireBank } from './wire-bank.ts';

export interface Sale {
  readonly qrcId: string;
  readonly amount: number;
  readonly payload: string;
}

export interface FakeBank extends Pick<WireBank, 'url' | 'connections'>, AsyncDisposable {
  /** As they were registered. */
  readonly sales: readonly Sale[];
  /** What it was asked: method and path. */
  readonly calls: readonly string[];
  /** The name in the certificate that each of those calls came with; empty where it came without. */
  readonly callers: readonly string[];
  /** NSPK's code that it reports for every payment. */
  payStatus: string;
  /** Changes what it answers; gets the honest answer. */
  onRegister: (honest: { qrcId: string; payload: string }, sale: Sale) => Reply | Promise<Reply>;
  onState: (honest: object, sale: Sale) => Reply;
}

/** @param tls makes it a bank over TLS */
export async function startFakeBank(tls?: ServerOptions): Promise<FakeBank> {
  const sales: Sale[] = [];

  function register(amount: number): Reply | Promise<Reply> {
    const qrcId = codeId(sales.length + 1);
    const sale = { qrcId, amount, payload: linkTo(qrcId, amount) };
    sales.push(sale);
    return bank.onRegister({ qrcId, payload: sale.payload }, sale);
  }

  function state(qrcId: string): Reply {
    const sale = sales.find((each) => each.qrcId === qrcId);
    if (sale === undefined) return { status: 404, body: { error: 'QRC_NOT_FOUND' } };
    return bank.onState({ qrCode: { qrcId }, payStatus: { status: bank.payStatus } }, sale);
  }

  const wire = await startWireBank(({ call, json }) => {
    if (call === 'POST /qr') return register(Number(json?.amount));
    const [, qrcId] = /^GET \/qr\/state\/(.+)$/.exec(call) ?? [];
    if (qrcId === undefined) return { status: 404, body: { error: 'there is no such call' } };
    return state(decodeURIComponent(qrcId));
  }, tls);
  wire.isKeeping = true;
  const bank: FakeBank = {
    ...{ url: wire.url, connections: wire.connections },
    sales,
    get calls() {
      return wire.calls;
    },
    get callers() {
      return wire.asked.map(({ caller }) => caller);
    },
    payStatus: 'NTST',
    onRegister: (honest) => ({ body: honest }),
    onState: (honest) => ({ body: honest }),
    [Symbol.asyncDispose]: () => Promise.resolve(wire[Symbol.asyncDispose]()),
  };
  return bank;
}
