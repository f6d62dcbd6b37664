/**
 * Alfa-Bank's AnyWay gateway (Alfa token): every call is one signed JSON at one address. No official document is public. Sources,
 * independent of each other: Spoleto.FastPayments.AlfaBank, and public clients in Python and PHP, all of which sign the bytes of
 * the body with RSA (PKCS #1 v1.5) over SHA-256, in base64. None of them says how a refund is repeated: none is made.
 */
import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import {
  bankAdapter,
  checkedAddress,
  file,
  headerText,
  line,
  NOBODYS_CODE,
  plainAddress,
  WHOLE_RANGE,
} from '../adapter.ts';
import { BankId, idIn, maybe, OptionalValue, reported, reportedAmount, timestampIn } from '../answer-fields.ts';
import type { OnlineBank } from '../bank.ts';
import { nullWhere } from '../bank-calls.ts';
import { type BankAddress, BankClient } from '../bank-client.ts';
import { type BankError, isRefused } from '../bank-error.ts';
import { type BankRef, type BankReport, type Order, type Registering, UNREPORTED } from '../bank-payment.ts';
import type { FailureReader } from '../bank-words.ts';
import { readCertificates } from '../certificates.ts';
import { isTestAddress, type LinkRule, linkRuleOf } from '../payment-link.ts';
import { MUTUAL_TLS, PAUSE_FIELD } from '../profile-fields.ts';
import { kopecksOf, nspkVerdict } from '../roubles.ts';
import { ONE_PAYMENT } from '../sbp-link.ts';
import { readSignKey, signatureOf } from '../sign-key.ts';

/** The profile of Alfa token: the terminal, the key that signs, the certificate that opens the gateway. */
const AnyWayProfile = Type.Object(
  {
    bankName: Type.Literal('Alfa Bank Token'),
    termNo: line(1, 64, "the bank's id of the terminal (TermNo)"),
    keyName: line(1, 256, 'what the bank calls the key (header key-name, the alias)'),
    signKeyPath: file('key', 'the RSA key that signs every call, PEM'),
    baseUrl: line(1, 512, "the gateway's address, as https://host:2443/fsCryptoProxy; http on this machine"),
    passphrase: Type.Optional(line(1, 512, 'opens the keys; a secret')),
    ...MUTUAL_TLS,
    ...PAUSE_FIELD,
  },
  { additionalProperties: false },
);

export const ANYWAY = bankAdapter({
  name: 'Alfa Bank Token',
  aliases: ['alfatoken', 'alfaanyway', 'anyway', 'альфабанктокен'],
  schema: AnyWayProfile,
  distinctiveFields: ['termNo'],
  secretFields: ['passphrase'],
  capabilities: WHOLE_RANGE,
  // Its test contour answers four questions a minute, by a public client; a till's source waits 15 s before the first.
  asking: { firstMs: 15_000, pauseMs: 15_000, mostPauseMs: 60_000 },
  merchant: ({ baseUrl, termNo }) => [plainAddress(baseUrl), termNo],
  isForTest: ([address]) => isTestAddress(address, ANYWAY_TEST_HOSTS),
  trial: {
    untried: [],
    culprit: (error, { certPath }) => {
      if (isAboutTerminal(error)) return 'termNo';
      if (!error.isUnauthorized) return null;
      // an answer of its own is about the signature; anything else about the certificate that opens the gateway
      if (error.bankCode !== null) return 'signKeyPath';
      return certPath === undefined ? 'pfxPath' : 'certPath';
    },
  },
  async open(profile, context) {
    const { termNo, keyName, signKeyPath, baseUrl, passphrase = '', pfxPath, certPath, keyPath, caPath } = profile;
    const address = checkedAddress(baseUrl);
    headerText('keyName', keyName);
    const signKey = await readSignKey(signKeyPath, passphrase, context);
    const tls = await readCertificates({ passphrase, pfxPath, certPath, keyPath, caPath }, context);
    return new AnyWayBank({ baseUrl: address, termNo, keyName, signKey, tls });
  },
});

interface AnyWayOptions extends BankAddress {
  /** The bank's id of the terminal. */
  readonly termNo: string;
  /** The bank's name for the key. */
  readonly keyName: string;
  /** RSA. */
  readonly signKey: KeyObject;
}

/** Test contours of the bank. Source: the clients above. */
export const ANYWAY_TEST_HOSTS = /^217\.12\.103\.(132|147)$/;
/** The purpose where a payment has none: the bank requires one. */
const NO_PURPOSE = 'Оплата покупки';
/** Content type of the calls, though the body is JSON: clients written for the gateway send it so. */
const FORM = 'application/x-www-form-urlencoded';

/** Text as the bank encodes it: `%u041d` for a character, `%20` for a byte of UTF-8. */
function decoded(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const characters = text.replaceAll(/%u([0-9a-f]{4})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  try {
    return decodeURIComponent(characters);
  } catch {
    return characters; // a per cent sign that encodes nothing
  }
}

/** The bank's words for an unknown or wrong key. */
const WRONG_SIGNATURE = /подпис|signature/i;

/** Whether the bank's words are about the terminal. */
export const isAboutTerminal = ({ message }: BankError): boolean => /терминал|terminal|termno/i.test(message);

const failureOf: FailureReader = ({ ErrorCode: code, message }) => {
  if (code === undefined || code === null) return null;
  if (String(code) === '0') return 'success';
  const text = decoded(message);
  const isUnauthorized = WRONG_SIGNATURE.test(String(text));
  return {
    code: 'refused',
    bankCode: code,
    text,
    ...(isUnauthorized && { isUnauthorized }),
  };
};

const Registration = Type.Object({
  qrcId: BankId,
  payload: Type.String(),
  payrrn: maybe(Type.Union([Type.String(), Type.Number()])),
});
const REGISTRATION = {
  shape: Registration,
  otherwise: 'the bank registered a payment without a usable qrcId and payload',
};

const State = Type.Object({
  qrcId: Type.String(),
  status: Type.String(),
  trxId: maybe(Type.Union([Type.String(), Type.Number()])),
  trxDT: OptionalValue,
  amount: OptionalValue,
  currency: OptionalValue,
});
const STATE = { shape: State, otherwise: 'the bank returned no state of the payment' };

const DATE = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;
/** The time in a text like `20261121160500`, taken as Moscow's; null for anything else. */
function timeOf(value: unknown): number | null {
  const [, year, month, day, hour, minute, second] = DATE.exec(String(value)) ?? [];
  return timestampIn(`${year}-${month}-${day}T${hour}:${minute}:${second}+03:00`);
}

export class AnyWayBank implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly #client: BankClient;
  readonly #termNo: string;

  constructor({ baseUrl, termNo, keyName, signKey, tls }: AnyWayOptions) {
    this.address = baseUrl;
    this.linkRule = linkRuleOf(baseUrl, ANYWAY_TEST_HOSTS);
    this.#termNo = termNo;
    this.#client = new BankClient({
      baseUrl,
      tls,
      failureOf,
      sign: (body) => ({
        'content-type': FORM,
        'key-name': keyName,
        authorization: signatureOf(body, signKey),
      }),
    });
  }

  /** Registers a code. The bank takes no order id: a repeated registration is another code. @throws {BankError} */
  async begin({ amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const more = { qrcType: ONE_PAYMENT, amount, currency: 'RUB', paymentPurpose: purpose ?? NO_PURPOSE, qrTtl: ttl };
    const call = this.#call('GetQRCd', more);
    const { qrcId, payload, payrrn } = await this.#client.call(call, REGISTRATION, signal);
    const ref = { id: qrcId, ...(payrrn != null && { payrrn: String(payrrn) }) };
    return { ref, code: { payload, linkId: qrcId } };
  }

  /** Reads the state; only a payment with a transaction is paid. @throws {BankError} */
  async status({ id }: BankRef, signal: AbortSignal): Promise<BankReport> {
    const state = await this.#client.call(this.#call('GetQRCstatus', { qrcId: id }), STATE, signal);
    const { qrcId, status, trxDT, amount, currency } = state;
    const trxId = idIn(state.trxId);
    const named = nspkVerdict(status);
    const verdict = named === 'accepted' && trxId === null ? 'processing' : named;
    return {
      ...UNREPORTED,
      verdict,
      ids: [qrcId],
      amounts: reportedAmount(amount, verdict).map(kopecksOf),
      currencies: reported(currency).map(String),
      trxId,
      paidAt: verdict === 'accepted' ? timeOf(trxDT) : null,
    };
  }

  /** Asks for the state of a code that does not exist. No description names the error for that: any refusal counts that is not about the terminal. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    const isAnswer = (error: unknown) => isRefused(error) && error.bankCode !== null && !isAboutTerminal(error);
    await nullWhere(isAnswer, this.status({ id: NOBODYS_CODE }, signal));
  };

  async close(): Promise<void> {
    this.#client.close();
  }

  #call(command: string, more: object) {
    return { method: 'POST', path: '', body: { command, TermNo: this.#termNo, ...more } } as const;
  }
}
