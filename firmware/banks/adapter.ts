/** What a bank declares. One file exports it, one line in `registry.ts` takes it in, and nothing else knows the bank. */
import Type, { type Static, type TObject } from 'typebox';
import { FieldError } from '../../drivers/lib/errors.ts';
import {
  bankAddressProblem,
  MAX_AMOUNT_KOPECKS,
  MAX_PURPOSE_CHARACTERS,
  MAX_TTL_MINUTES,
} from '../core/config/index.ts';
import { NO_ASCII_CONTROLS } from '../core/store/index.ts';
import type { Bank, BankError } from './bank.ts';
import type { CertificateWatch } from './certificate-watch.ts';
import type { ErrorCategory } from './errors.ts';

/** What a bank is asked about when it is tried out: a payment that does not exist, and cannot. An id as the payment system gives it to a code. */
export const NOBODYS_CODE = `AD${'0'.repeat(30)}`;
/** An order number as a shop gives it; in the bank's log it names who has asked. */
export const NOBODYS_ORDER = 'laneware-test';
export const NOBODYS_UUID = '00000000-0000-4000-8000-000000000000';

/** What a bank may need of the device, beside a profile. */
export interface BankContext {
  /** Address of the CFT bank for profiles without one of their own. */
  readonly cftBaseUrl: string | null;
  /** Where the sandbox bank answers; null where it does not run. */
  readonly sandboxBaseUrl: string | null;
  /** Authorities that banks' certificates are checked against beside the usual ones, PEM; null for none. */
  readonly caPath?: string | null;
  /** Reads what a path of a profile names; a file of the machine where left out. @throws {CertificateError} */
  readonly readFile?: (path: string) => Promise<Buffer>;
  /** Keeps an eye on what the bank is opened with. */
  readonly certificates?: CertificateWatch;
  /** Takes what a technician should know of a bank that works otherwise than was thought; never a secret. */
  readonly log?: (message: string) => void;
}

/** How long codes live at a bank, minutes; `fixed` where a payment cannot ask for it. */
type TtlRange = { readonly min: number; readonly max: number } | { readonly fixed: number };

/** What a payment may ask of a bank; never more than the interface allows. */
export interface BankCapabilities {
  /** Kopecks. */
  readonly minAmount: number;
  /** Kopecks. */
  readonly maxAmount: number;
  readonly ttl: TtlRange;
  /** What the bank takes as our id of a payment; null where it takes none. */
  readonly orderId: OrderIdRule | null;
  /** Characters of the purpose: longer ones are clipped. */
  readonly maxPurpose: number;
  /**
   * The result of a registration that is repeated with the same order id: the same payment, another one (the first
   * code, which was never shown, is abandoned), or a refusal, after which `find` returns the first.
   */
  readonly repeated: 'same' | 'another' | 'refused';
  /** Whether the bank finds an order by our id (`find`), even where the device has lost its own record of it. */
  readonly findsOrders: boolean;
  /** Whether a registration names a timestamp, so that this must be right. */
  readonly needsClock: boolean;
}

interface OrderIdRule {
  readonly maxLength: number;
  readonly charset: RegExp;
  /** The charset in words, to be read after "may hold only". */
  readonly words: string;
}

/** Of a bank that takes the whole range that the interface allows. */
export const WHOLE_RANGE: BankCapabilities = Object.freeze({
  minAmount: 1,
  maxAmount: MAX_AMOUNT_KOPECKS,
  ttl: Object.freeze({ min: 1, max: MAX_TTL_MINUTES }),
  orderId: null,
  maxPurpose: MAX_PURPOSE_CHARACTERS,
  repeated: 'another',
  findsOrders: false,
  needsClock: false,
});

export interface BankAdapter<Schema extends TObject = TObject> {
  /**
   * As answers spell it. It differs from the names and aliases of all other banks, even if case, spaces, hyphens and
   * underscores are ignored.
   */
  readonly name: string;
  /** Other spellings. */
  readonly aliases: readonly string[];
  /** True for a bank without money, which no error offers to a shop. */
  readonly isPlay?: boolean;
  /** A profile: `bankName`, a literal of the name, and the bank's own fields. Those not optional are required, in their order. */
  readonly schema: Schema;
  /** Other names of fields, as other drivers have them, and ours: `{ merchantId: 'sbpMerchantId' }`. */
  readonly fieldAliases?: Readonly<Record<string, string>>;
  /** A profile with an unknown `bankName` belongs to this bank if it has any of these fields. */
  readonly distinctiveFields?: readonly string[];
  /** Fields whose values never leave the device and are stored sealed. */
  readonly secretFields: readonly string[];
  /** Fields that say neither who is paid nor where it is asked: the others are the bank's identity (`identityOf`). */
  readonly freeFields?: readonly string[];
  readonly capabilities: BankCapabilities;
  /** Whether a required field counts as given though it is blank. */
  mayBeBlank?(field: string, profile: Readonly<Record<string, unknown>>): boolean;
  /** The interface's own errors for required fields that are missing, as `MissingAccount`; `InvalidField` says it where it has none. */
  readonly settingsErrors?: ErrorCategory;
  /**
   * What the shop has to agree to at the bank before each paid order reads as paid, as a sentence; null where it has. Absent where
   * nothing is asked of a shop.
   */
  lackedConsent?(profile: Static<Schema>): string | null;
  /** What works, but should be looked at, as `/health` says it; null where nothing should. */
  warning?(profile: Static<Schema>): string | null;
  /**
   * Who is paid and where the bank is asked: profiles of one merchant are good for each other's payments. Absent where the
   * identity fields say just that.
   */
  merchant?(profile: Static<Schema>, context: BankContext): readonly unknown[];
  /** Whether no money moves, by the parts of the merchant: the bank's test contour, a test shop, a terminal for tries. */
  isForTest?(merchant: readonly unknown[]): boolean;
  /**
   * How many of the merchant's parts, from the first, name the login with which the bank is asked: what comes after them decides about new
   * codes alone, so that each profile of the login is good for a payment. Absent where all of them do.
   */
  readonly loginParts?: number;
  /** What trying the bank out (`tryOut`) proves of a profile; absent where it proves only that the bank answers. */
  readonly trial?: {
    /** Fields that are sent only with a payment: no harmless question shows whether they are right. */
    readonly untried: readonly string[];
    /** The field to look at where the bank refuses; null where its refusal is about none. */
    culprit(error: BankError, profile: Static<Schema>): string | null;
  };
  /** Nothing is sent yet. @throws {FieldError} */
  open(profile: Static<Schema>, context: BankContext): Bank | Promise<Bank>;
}

/** Names of the fields that say who is paid and where it is asked: while these stay, a masked secret may keep its stored value. */
export const identityOf = ({ schema, secretFields, freeFields = [] }: BankAdapter): readonly string[] =>
  Object.keys(schema.properties).filter((field) => !['bankName', ...secretFields, ...freeFields].includes(field));

/** An adapter that keeps the type of its schema. */
export const bankAdapter = <Schema extends TObject>(adapter: BankAdapter<Schema>): BankAdapter<Schema> => adapter;

/** A field of a profile that no bank can be opened with on this device. @param why a sentence about it @param reason by which a page words it */
export const unusableField = (field: string, why: string, cause?: unknown, reason?: string): FieldError =>
  new FieldError(field, `cannot be used: ${why}`, {
    ...(cause !== undefined && { cause }),
    ...(reason !== undefined && { reason }),
  });

/** Why a well-formed profile cannot be used: something must be set up on the device. */
export const MISSING_HERE = 'missing-here';

/** What a file of a profile holds: one of PKCS #12, or PEM with a certificate or a key in it. */
export type FileKind = 'pkcs12' | 'certificate' | 'key';

/** Marks a field of a profile that names a file, with its kind. */
export const FILE_KIND = 'x-file';

/** Text without control characters, which have no place in ids, headers and paths. */
export const line = (minLength: number, maxLength: number, description: string) =>
  Type.String({ minLength, maxLength, pattern: NO_ASCII_CONTROLS, description });

/** A file on the device, or one that was sent to it (`kept-certificates.ts`). */
export const file = (kind: FileKind, description: string) =>
  Type.String({ ...line(1, 4096, description), [FILE_KIND]: kind });

/** One that may be left out. */
export const path = (kind: FileKind, description: string) => Type.Optional(file(kind, description));

/** The address of a bank, from its profile or the configuration. @throws {FieldError} */
export function checkedAddress(address: string): string {
  const problem = bankAddressProblem(address);
  if (problem !== null) throw unusableField('baseUrl', `it ${problem}`);
  return address;
}

/** The same address, however it is written: to be compared. */
export const plainAddress = (address: string): string => (URL.parse(address)?.href ?? address).replace(/\/+$/, '');

/** Printable ASCII. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** A field that is sent in an HTTP header. @throws {FieldError} which does not quote it */
export function headerText(field: string, value: string): string {
  if (HEADER_VALUE.test(value)) return value;
  throw unusableField(field, 'it is sent in an HTTP header, which takes Latin letters, digits and signs');
}
