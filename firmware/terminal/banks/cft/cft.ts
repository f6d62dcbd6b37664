/**
 * The CFT bank back office (one API for many small banks). Source: public clients of it, no official document is public:
 * `POST /qr` registers a one-time code, `GET /qr/state/{qrcId}` tells its state. It knows neither an order id of the
 * shop nor a way to take a code back. The link that it gives is checked before anybody sees it: whoever can have another one
 * drawn takes the customer's money. For the rules of the payment system's links see `sbp-link.ts`.
 */
import { Type } from 'typebox';
import { payloadProblem } from '../../../../drivers/display/payload.ts';
import { isLoopbackHost } from '../../../config/loopback.ts';
import {
  BankError,
  type BankReport,
  type BankVerdict,
  type ClientCertificate,
  type OnlineBank,
  type RegisteredPayment,
  type Registration,
} from '../bank.ts';
import type { BankTls } from '../certificates.ts';
import { checkSbpLink } from '../sbp-link.ts';
import { BankClient } from './bank-client.ts';

export interface CftOptions {
  /** `https://host[:port][/path]`. */
  readonly baseUrl: string;
  readonly extEntityId: string;
  readonly merchantId: string;
  readonly accAlias: string;
  readonly tls?: BankTls;
  /** What must not turn up in what is told of the bank. */
  readonly secrets?: readonly string[];
  /** Header that some of the banks ask for. */
  readonly authsp?: string;
}

/** The payment system's type of a code for one payment. */
const ONE_PAYMENT = '02';
const SECONDS_A_MINUTE = 60;

const RegisterAnswer = Type.Object({
  // it becomes part of an address: printable, and not a way up the path
  qrcId: Type.String({ pattern: '^(?!\\.+$)[\\x21-\\x7e]{1,128}$' }),
  payload: Type.String(),
});

const PayStatus = Type.Union([Type.Null(), Type.Object({ status: Type.String() })]);
const QrCode = Type.Union([Type.Null(), Type.Object({})]);
/** Either says that it is a state: an error has neither. */
const StateAnswer = Type.Union([
  Type.Object({ payStatus: PayStatus, qrCode: Type.Optional(QrCode) }),
  Type.Object({ payStatus: Type.Optional(PayStatus), qrCode: QrCode }),
]);
type StateAnswer = Type.Static<typeof StateAnswer>;

const REGISTRATION = {
  shape: RegisterAnswer,
  otherwise: 'the bank registered a payment without a usable qrcId and payload',
};
const STATE = { shape: StateAnswer, otherwise: 'the bank told no state of the payment' };

/** NSPK's codes: NTST no operation yet, RCVD and ACTC in work, ACWP done, RJCT refused. */
const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  ['RCVD', 'processing'],
  ['ACTC', 'processing'],
  ['ACWP', 'accepted'],
  ['RJCT', 'rejected'],
]);

/** What an answer tells under some names, wherever it tells it: public clients show no fixed place. */
function told(answer: StateAnswer, names: readonly string[]): unknown[] {
  const parts: readonly (object | null | undefined)[] = [answer, answer.qrCode, answer.payStatus];
  const members = parts.flatMap((part) => Object.entries(part ?? {}));
  return members.filter(([name, value]) => names.includes(name) && value !== null).map(([, value]) => value);
}

const kopecks = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value)) ? Number(value) : Number.NaN;

/**
 * - `nspk`: a link of the payment system, right in all its parts
 * - `nspk-test`: the same of a bank's test contour, whose checksums are placeholders
 * - `this-machine`: the same as `nspk`, or the payer's page of a sandbox bank
 */
export type LinkRule = 'nspk' | 'nspk-test' | 'this-machine';

/** The payment that the link must lead to. */
interface LinkedPayment {
  /** The bank's id of it. */
  readonly bankId: string;
  /** Kopecks. */
  readonly amount: number;
}

/** Written plainly: what is encoded, or stands in another case, others may read differently. */
const PLAIN = /^https:\/\/qr\.nspk\.ru\/[A-Z0-9]{1,64}\?[A-Za-z0-9=&._-]+$/;
/** The checksum covers what stands before it, so nothing may stand behind it. */
const ENDS_WITH_CHECKSUM = /&crc=[0-9A-Fa-f]{4}$/;
/** Test contours of the CFT. Source: public client code. */
const TEST_HOST = /(^|\.)ahmad\.ftc\.ru$/;

/** @param baseUrl where the bank is asked */
export function linkRuleOf(baseUrl: string): LinkRule {
  const { hostname } = new URL(baseUrl);
  if (isLoopbackHost(hostname.replaceAll(/[[\]]/g, ''))) return 'this-machine';
  return TEST_HOST.test(hostname) ? 'nspk-test' : 'nspk';
}

function isPayPage(link: string, bankId: string): boolean {
  const url = URL.parse(link);
  return url !== null && link === `${url.origin}/pay/${bankId}` && url.protocol === 'http:';
}

/** What is wrong with a link, to be read after "the bank gave"; null when nothing is. */
export function linkProblem(link: string, { bankId, amount }: LinkedPayment, rule: LinkRule): string | null {
  const undrawable = payloadProblem(link);
  if (undrawable !== null) return `a link that no QR code can hold (it ${undrawable})`;
  if (rule === 'this-machine' && isPayPage(link, bankId)) return null;
  const parts = checkSbpLink(link);
  if (parts.kind === 'foreign' || !PLAIN.test(link)) {
    return 'a link that does not lead to https://qr.nspk.ru, or is not plainly written';
  }
  if (parts.kind === 'malformed') return `a malformed link: ${parts.reason}`;
  if (parts.id !== bankId) return 'a link to another payment than the one that it registered';
  if (parts.type !== ONE_PAYMENT) return 'a link that is not for one payment (type 02)';
  if (parts.sum !== null && parts.sum !== amount) return `a link for another amount than ${amount} kopecks`;
  if (parts.cur !== null && parts.cur !== 'RUB') return 'a link in another currency than RUB';
  if (rule !== 'nspk-test' && !(parts.crc === 'ok' && ENDS_WITH_CHECKSUM.test(link))) {
    return 'a link that fails its own checksum (crc)';
  }
  return null;
}

/** @throws {BankError} `contradiction`: such a link is never drawn */
function mustBeRightLink(link: string, payment: LinkedPayment, rule: LinkRule): void {
  const problem = linkProblem(link, payment, rule);
  if (problem !== null) throw new BankError('contradiction', `the bank gave ${problem}; it is not shown`);
}

export class CftBank implements OnlineBank {
  readonly kind = 'online';
  readonly certificate: ClientCertificate | null;
  readonly #client: BankClient;
  readonly #options: CftOptions;
  readonly #linkRule: LinkRule;

  constructor(options: CftOptions) {
    const { baseUrl, tls, secrets = [] } = options;
    this.#options = options;
    this.#linkRule = linkRuleOf(baseUrl);
    this.certificate = tls?.certificate ?? null;
    this.#client = new BankClient({ baseUrl, tls: tls?.options ?? {}, secrets });
  }

  /**
   * Registers a one-time code. The order id goes along as `Idempotency-Key`: a bank that honours it answers a repeated
   * call with the same code. One that does not gives another code, which is safe too: nobody can pay a code that was
   * never shown, and only the last answer is.
   * @throws {BankError}
   */
  async register({ orderId, amount, purpose, ttl }: Registration, signal: AbortSignal): Promise<RegisteredPayment> {
    const { extEntityId, merchantId, accAlias } = this.#options;
    const answer = await this.#client.call(
      {
        method: 'POST',
        path: '/qr',
        headers: { ...this.#headers(), 'idempotency-key': orderId },
        body: {
          extEntityId,
          merchantId,
          accAlias,
          amount,
          ...(purpose !== null && { paymentPurpose: purpose }),
          qrcType: ONE_PAYMENT,
          expDt: ttl,
          localExpDt: ttl * SECONDS_A_MINUTE,
        },
      },
      REGISTRATION,
      signal,
    );
    mustBeRightLink(answer.payload, { bankId: answer.qrcId, amount }, this.#linkRule);
    return { bankId: answer.qrcId, payload: answer.payload };
  }

  /** @throws {BankError} */
  async status(bankId: string, signal: AbortSignal): Promise<BankReport> {
    const path = `/qr/state/${encodeURIComponent(bankId)}`;
    const call = { method: 'GET', path, headers: this.#headers() } as const;
    const answer = await this.#client.call(call, STATE, signal);
    return {
      verdict: VERDICTS.get(answer.payStatus?.status ?? '') ?? 'pending',
      ids: told(answer, ['qrcId']).map(String),
      amounts: told(answer, ['amount', 'sum']).map(kopecks),
      currencies: told(answer, ['cur', 'currency']).map(String),
    };
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  #headers(): Record<string, string> {
    return this.#options.authsp === undefined ? {} : { authsp: this.#options.authsp };
  }
}
