/**
 * The CFT bank back office (one API for many small banks). Source: public clients of it, no official document is public:
 * `POST /qr` registers a one-time code, `GET /qr/state/{qrcId}` returns its state. It knows neither an order id of the
 * shop nor a way to take a code back.
 */
import { type Static, Type } from 'typebox';
import {
  bankAdapter,
  checkedAddress,
  headerText,
  line,
  MISSING_HERE,
  NOBODYS_CODE,
  plainAddress,
  unusableField,
  WHOLE_RANGE,
} from '../adapter.ts';
import { BankId } from '../answer-fields.ts';
import type { OnlineBank } from '../bank.ts';
import { BankClient, type BankClientOptions } from '../bank-client.ts';
import { BankError, isRefused } from '../bank-error.ts';
import { type BankRef, type BankReport, type Order, type Registering, UNREPORTED } from '../bank-payment.ts';
import { readCertificates } from '../certificates.ts';
import { payerOf } from '../method.ts';
import { isTestAddress, type LinkRule, linkRuleOf } from '../payment-link.ts';
import { addressField, MUTUAL_TLS, PAUSE_FIELD } from '../profile-fields.ts';
import { kopecksOf, NO_OPERATION, nspkVerdict } from '../roubles.ts';
import { ONE_PAYMENT } from '../sbp-link.ts';

/** The profile of a CFT bank: its fields, its address, its certificate. */
const CftProfile = Type.Object(
  {
    bankName: Type.Literal('CFT'),
    accAlias: line(1, 128, "the bank's alias of the account that is paid to"),
    extEntityId: line(1, 128, "the bank's id of the company"),
    merchantId: line(1, 128, "the bank's id of the point of sale"),
    password: line(0, 512, 'opens the client certificate (its passphrase); a secret'),
    baseUrl: addressField('banks.cft.baseUrl'),
    ...MUTUAL_TLS,
    ...PAUSE_FIELD,
    authsp: Type.Optional(line(1, 128, 'header authsp, where the bank asks for one')),
  },
  { additionalProperties: false },
);
type CftProfile = Static<typeof CftProfile>;

function addressOf({ baseUrl }: CftProfile, defaultUrl: string | null): string {
  const address = baseUrl ?? defaultUrl;
  if (address === null) {
    const why = 'the device has no address of the CFT bank: set it, or banks.cft.baseUrl in the configuration';
    throw unusableField('baseUrl', why, undefined, MISSING_HERE);
  }
  return checkedAddress(address);
}

export const CFT = bankAdapter({
  name: 'CFT',
  aliases: ['цфт'],
  schema: CftProfile,
  distinctiveFields: ['accAlias', 'extEntityId'],
  secretFields: ['password'],
  capabilities: WHOLE_RANGE,
  asking: { showsProcessing: false }, // no source says that it does
  // without a client certificate the password opens nothing, and a certificate may have none
  mayBeBlank: (field) => field === 'password',
  settingsErrors: 'CFTBankSettings',
  merchant({ accAlias, extEntityId, merchantId, authsp = null, baseUrl }, { cftBaseUrl }) {
    const address = baseUrl ?? cftBaseUrl;
    return [address === null ? null : plainAddress(address), accAlias, extEntityId, merchantId, authsp];
  },
  isForTest: ([address]) => isTestAddress(address, CFT_TEST_HOSTS),
  trial: {
    untried: ['accAlias', 'extEntityId', 'merchantId'],
    culprit: ({ isUnauthorized }, { pfxPath, certPath, authsp }) => {
      if (!isUnauthorized) return null;
      if (certPath !== undefined) return 'certPath';
      return pfxPath === undefined && authsp !== undefined ? 'authsp' : 'pfxPath';
    },
  },
  async open(profile, context) {
    const { bankName: _, password, baseUrl: __, pfxPath, certPath, keyPath, caPath, authsp, ...ids } = profile;
    const baseUrl = addressOf(profile, context.cftBaseUrl);
    if (authsp !== undefined) headerText('authsp', authsp);
    const tls = await readCertificates(
      { passphrase: password, passphraseField: 'password', pfxPath, certPath, keyPath, caPath },
      context,
    );
    return new CftBank({ ...ids, baseUrl, tls, secrets: [password], ...(authsp !== undefined && { authsp }) });
  },
});

interface CftOptions extends Pick<BankClientOptions, 'baseUrl' | 'tls' | 'secrets'> {
  readonly extEntityId: string;
  readonly merchantId: string;
  readonly accAlias: string;
  /** Header that some of the banks ask for. */
  readonly authsp?: string;
}

const SECONDS_A_MINUTE = 60;

const RegisterAnswer = Type.Object({ qrcId: BankId, payload: Type.String() });

const PayStatus = Type.Union([Type.Null(), Type.Object({ status: Type.String() })]);
const QrCode = Type.Union([Type.Null(), Type.Object({})]);
/** Either field shows that the answer is a state: an error has neither. */
const StateAnswer = Type.Union([
  Type.Object({ payStatus: PayStatus, qrCode: Type.Optional(QrCode) }),
  Type.Object({ payStatus: Type.Optional(PayStatus), qrCode: QrCode }),
]);
type StateAnswer = Type.Static<typeof StateAnswer>;

const REGISTRATION = {
  shape: RegisterAnswer,
  otherwise: 'the bank registered a payment without a usable qrcId and payload',
};
const STATE = { shape: StateAnswer, otherwise: 'the bank returned no state of the payment' };

/** The values of an answer under some names, wherever they are: public clients show no fixed place. */
function reported(answer: StateAnswer, names: readonly string[]): unknown[] {
  const parts: readonly (object | null | undefined)[] = [answer, answer.qrCode, answer.payStatus];
  const members = parts.flatMap((part) => Object.entries(part ?? {}));
  return members.filter(([name, value]) => names.includes(name) && value !== null).map(([, value]) => value);
}

/** Statuses with which a bank may say that it does not know a code. */
const UNKNOWN_CODE: readonly (number | null)[] = [200, 404];
/** Time limit of the second question, whose answer is optional: a server in between may not answer it. */
const CONTROL_LIMIT_MS = 3000;

/** Null for a bank error: the two calls then got different answers. @throws any other error */
function unlessForeign(error: unknown): null {
  if (error instanceof BankError) return null;
  throw error;
}

/** Test contours of the CFT. Source: public client code. */
export const CFT_TEST_HOSTS = /(^|\.)ahmad\.ftc\.ru$/;

export class CftBank implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly #client: BankClient;
  readonly #options: CftOptions;

  constructor(options: CftOptions) {
    const { baseUrl, tls, secrets = [], authsp } = options;
    this.#options = options;
    this.address = baseUrl;
    this.linkRule = linkRuleOf(baseUrl, CFT_TEST_HOSTS);
    const headers = authsp === undefined ? {} : { authsp };
    this.#client = new BankClient({ baseUrl, tls, secrets, headers });
  }

  /**
   * Registers a one-time code. The order id is sent as `Idempotency-Key`: a bank that honours it answers a repeated
   * call with the same code. One that does not gives another code, which is safe too: a code that was never shown
   * cannot be paid, and only that of the last answer is shown.
   * @throws {BankError}
   */
  async begin({ orderId, amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const { extEntityId, merchantId, accAlias } = this.#options;
    const answer = await this.#client.call(
      {
        method: 'POST',
        path: '/qr',
        headers: { 'idempotency-key': orderId },
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
    return { ref: { id: answer.qrcId }, code: { payload: answer.payload, linkId: answer.qrcId } };
  }

  async status({ id }: BankRef, signal: AbortSignal): Promise<BankReport> {
    const path = `/qr/state/${encodeURIComponent(id)}`;
    const answer = await this.#client.call({ method: 'GET', path }, STATE, signal);
    return {
      ...UNREPORTED,
      verdict: nspkVerdict(answer.payStatus?.status ?? NO_OPERATION),
      ids: reported(answer, ['qrcId']).map(String),
      amounts: reported(answer, ['amount', 'sum']).map(kopecksOf),
      currencies: reported(answer, ['cur', 'currency']).map(String),
      payer: payerOf({ phone: reported(answer, ['sndPhoneMasked'])[0] }),
    };
  }

  /**
   * Asks for the state of a code that does not exist. Some gateways answer every unknown call in JSON: where a call
   * that no bank has gets the same answer, this gateway does not have the interface of the CFT.
   */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    const refusal = await this.#refusalOf(`/qr/state/${NOBODYS_CODE}`, signal);
    if (refusal === null) return;
    const control = AbortSignal.any([signal, AbortSignal.timeout(CONTROL_LIMIT_MS)]);
    const foreign = await this.#refusalOf(`/laneware-test/${NOBODYS_CODE}`, control).catch(unlessForeign);
    if (refusal === foreign) throw new BankError('contradiction', 'what answers there knows no calls of the CFT');
  };

  async close(): Promise<void> {
    this.#client.close();
  }

  /** The bank's words for a code that it does not know; null where it returns a state. @throws {BankError} for anything else */
  async #refusalOf(path: string, signal: AbortSignal): Promise<string | null> {
    try {
      await this.#client.call({ method: 'GET', path }, STATE, signal);
      return null;
    } catch (error) {
      if (!(isRefused(error) && error.isWorded && UNKNOWN_CODE.includes(error.status))) throw error;
      return error.message.replaceAll(path, '');
    }
  }
}
