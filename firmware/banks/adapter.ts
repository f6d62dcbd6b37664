/**
 * What a bank declares about itself. One file exports it, one line in `registry.ts` adds it, and nothing else knows the
 * bank.
 */
import Type, { type Static, type TObject } from 'typebox';
import { FieldError } from '../../drivers/lib/errors.ts';
import { MAX_AMOUNT_KOPECKS, MAX_PURPOSE_CHARACTERS, MAX_TTL_MINUTES } from '../core/config/index.ts';
import { NO_ASCII_CONTROLS } from '../core/schema/index.ts';
import type { Bank } from './bank.ts';
import { bankAddressProblem } from './bank-address.ts';
import type { BankError } from './bank-error.ts';
import type { WatchedCertificate } from './certificate-watch.ts';
import type { BankSettingsCategory } from './error-records.ts';

/** The code that a trial of a bank asks about: it has the form of the payment system's ids, and cannot exist. */
export const NOBODYS_CODE = `AD${'0'.repeat(30)}`;
/** The order number of a trial; in the bank's log it names who asked. */
export const NOBODYS_ORDER = 'laneware-test';
export const NOBODYS_UUID = '00000000-0000-4000-8000-000000000000';

/** What a bank may need from the device, beside a profile. */
export interface BankContext {
  /** Address of the CFT bank for profiles without one of their own. */
  readonly cftBaseUrl: string | null;
  /** Address of the sandbox bank; null where it does not run. */
  readonly sandboxBaseUrl: string | null;
  /** File of authorities to check banks' certificates against, in addition to the usual ones, PEM; null for none. */
  readonly caPath?: string | null;
  /** Reads the file that a profile's path names; files of the machine where left out. @throws {CertificateError} */
  readonly readFile?: (path: string) => Promise<Buffer>;
  /** Gets the certificates that the bank is opened with: all that the profile, and the device for it, name. */
  readonly onCertificates?: (files: readonly WatchedCertificate[]) => void;
  /** Logs for the technician where a bank works differently than expected; never a secret. */
  readonly log?: (message: string) => void;
}

/** How long codes live at a bank, minutes; `fixed` where a payment cannot choose. */
type TtlRange = { readonly min: number; readonly max: number } | { readonly fixed: number };

/** What a payment may ask of a bank; never more than the interface allows. */
export interface BankCapabilities {
  /** Kopecks. */
  readonly minAmount: number;
  /** Kopecks. */
  readonly maxAmount: number;
  readonly ttl: TtlRange;
  /** The rule for our id of a payment; null where the bank takes none. */
  readonly orderId: OrderIdRule | null;
  /** Characters of the purpose: longer ones are clipped. */
  readonly maxPurpose: number;
  /** Whether the bank finds an order by our id (`find`), even where the device has lost its own record of it. */
  readonly findsOrders: boolean;
}

/** How often a bank may be asked about a payment, and what it then says. */
export interface Asking {
  /** Age of a shown code at the first question, ms. */
  readonly firstMs: number;
  /** Least pause between two questions about a payment, ms; 0: none. */
  readonly pauseMs: number;
  /** The longest pause after answers "too many requests" (429) that name no time, ms. */
  readonly mostPauseMs: number;
  /** Whether it says that a customer is paying before it says that the payment is paid. */
  readonly showsProcessing: boolean;
  /** How long after the end of its code it still knows a paid payment, ms; null where it does not forget. */
  readonly knowsForMs: number | null;
}

/** For a bank that declares nothing else. The first question waits four seconds: nobody pays faster. */
const USUAL_ASKING: Asking = Object.freeze({
  firstMs: 4000,
  pauseMs: 0,
  mostPauseMs: 15_000,
  showsProcessing: true,
  knowsForMs: null,
});

interface OrderIdRule {
  readonly maxLength: number;
  readonly charset: RegExp;
  /** The charset in words, to be read after "may hold only". */
  readonly words: string;
}

/** Capabilities of a bank that takes the whole range of the interface. */
export const WHOLE_RANGE: BankCapabilities = Object.freeze({
  minAmount: 1,
  maxAmount: MAX_AMOUNT_KOPECKS,
  ttl: Object.freeze({ min: 1, max: MAX_TTL_MINUTES }),
  orderId: null,
  maxPurpose: MAX_PURPOSE_CHARACTERS,
  findsOrders: false,
});

export interface BankAdapter<Schema extends TObject = TObject> {
  /**
   * Its name in answers. It differs from the names and aliases of all other banks, even ignoring case, spaces, hyphens
   * and underscores.
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
  /** Fields that name neither the payee nor the bank's address: all others are the identity (`identityOf`). */
  readonly freeFields?: readonly string[];
  readonly capabilities: BankCapabilities;
  /** Where it differs from `USUAL_ASKING`. */
  readonly asking?: Partial<Asking>;
  /** What differs from `asking` at the gateway that a profile chooses. */
  askingAt?(profile: Static<Schema>): Partial<Asking>;
  /** Whether a blank required field counts as given. */
  mayBeBlank?(field: string, profile: Readonly<Record<string, unknown>>): boolean;
  /** The interface's errors for missing required fields, as `MissingAccount`; `InvalidField` where it has none. */
  readonly settingsErrors?: BankSettingsCategory;
  /**
   * The consent that the shop must still give the bank before each paid order reads as paid, as a sentence; null where
   * given. Absent where the bank needs none.
   */
  lackedConsent?(profile: Static<Schema>): string | null;
  /** What works but needs a look, in the words of `/health`; null for nothing. */
  warning?(profile: Static<Schema>): string | null;
  /**
   * The payee and the bank's address: profiles of one merchant can ask about each other's payments. Absent where the
   * identity fields say just that.
   */
  merchant?(profile: Static<Schema>, context: BankContext): readonly unknown[];
  /** Whether no money moves, by the merchant's parts: the bank's test contour, a test shop, a test terminal. */
  isForTest?(merchant: readonly unknown[]): boolean;
  /**
   * How many of the merchant's parts, from the first, name the login that asks the bank. The parts after them only
   * matter for new codes, so each profile of the login can ask about a payment. Absent where all parts name it.
   */
  readonly loginParts?: number;
  /** What a trial (`tryOut`) proves about a profile; absent where it only proves that the bank answers. */
  readonly trial?: {
    /** Fields that are sent only with a payment: no trial shows whether they are right. */
    readonly untried: readonly string[];
    /** The field that a refusal points to; null for none. */
    culprit(error: BankError, profile: Static<Schema>): string | null;
  };
  /** Opens the bank and sends nothing yet. @throws {FieldError} */
  open(profile: Static<Schema>, context: BankContext): Bank | Promise<Bank>;
}

/** Names of the fields that say who is paid and where: while they stay the same, a mask may stand for the stored secret. */
export const identityOf = ({ schema, secretFields, freeFields = [] }: BankAdapter): readonly string[] =>
  Object.keys(schema.properties).filter(
    (field) => !['bankName', LEAST_PAUSE, ...secretFields, ...freeFields].includes(field),
  );

/** A profile's field, seconds: the least pause, where the bank objects to the shorter ones of `poll-schedule.ts`. */
export const LEAST_PAUSE = 'leastPause';
const MS = 1000;

/** How a bank is asked, by itself and by the profile of the payment. @param profile of this bank; null where it is gone */
export function askingOf(bank: BankAdapter, profile: Readonly<Record<string, unknown>> | null): Asking {
  const own = { ...USUAL_ASKING, ...bank.asking, ...(profile !== null && bank.askingAt?.(profile)) };
  const seconds = Number(profile?.[LEAST_PAUSE] ?? 0);
  return { ...own, pauseMs: Math.max(own.pauseMs, seconds * MS) };
}

/** An adapter that keeps the type of its schema. */
export const bankAdapter = <Schema extends TObject>(adapter: BankAdapter<Schema>): BankAdapter<Schema> => adapter;

/**
 * The error for a field with which this device cannot open the bank. @param why a sentence about it @param reason code
 * by which a page words it
 */
export const unusableField = (field: string, why: string, cause?: unknown, reason?: string): FieldError =>
  new FieldError(field, `cannot be used: ${why}`, {
    ...(cause !== undefined && { cause }),
    ...(reason !== undefined && { reason }),
  });

/** Reason of a well-formed profile that needs something set up on the device first. */
export const MISSING_HERE = 'missing-here';

/** The content of a profile's file: PKCS #12, or PEM with a certificate or a key. */
export type FileKind = 'pkcs12' | 'certificate' | 'key';

/** Marks a profile's field that names a file, with the kind of file. */
export const FILE_KIND = 'x-file';

/** Text without control characters, which have no place in ids, headers and paths. */
export const line = (minLength: number, maxLength: number, description: string) =>
  Type.String({ minLength, maxLength, pattern: NO_ASCII_CONTROLS, description });

/** A file on the device, or one that was sent to it (`kept-certificates.ts`). */
export const file = (kind: FileKind, description: string) =>
  Type.String({ ...line(1, 4096, description), [FILE_KIND]: kind });

/** A field for a file that may be left out. */
export const path = (kind: FileKind, description: string) => Type.Optional(file(kind, description));

/** The address of a bank, from its profile or the configuration. @throws {FieldError} */
export function checkedAddress(address: string): string {
  const problem = bankAddressProblem(address);
  if (problem !== null) throw unusableField('baseUrl', `it ${problem}`);
  return address;
}

/** One spelling of an address, to compare addresses. */
export const plainAddress = (address: string): string => (URL.parse(address)?.href ?? address).replace(/\/+$/, '');

/** A header's value: printable ASCII. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** A field that is sent in an HTTP header. @throws {FieldError} without quoting the value */
export function headerText(field: string, value: string): string {
  if (HEADER_VALUE.test(value)) return value;
  throw unusableField(field, 'it is sent in an HTTP header, which takes Latin letters, digits and signs');
}
