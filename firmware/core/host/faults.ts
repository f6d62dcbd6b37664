/**
 * What `/health` may find wrong, by codes: the sentence is for who reads English, the code with what it is about for a page
 * that has words of its own. `detail` is what the system, a bank or a library has said, as it said it.
 */

/** No payment can be taken. Each code with the names of what it is about. */
const STOPPING = {
  'settings-missing': [],
  'settings-unreadable': ['detail'],
  'settings-unconfirmed': ['detail'],
  'bank-closed': ['detail'],
  'bank-silent': ['detail'],
  'bank-unauthorised': ['detail'],
  'bank-unreachable': ['n', 'today', 'detail'],
  'bank-refuses': ['n', 'detail'],
  'bank-contradicts': ['n', 'detail'],
  'bank-certificate-doubted': ['n', 'today', 'detail'],
  'certificate-client-ended': ['name', 'at', 'today'],
  'certificate-authority-ended': ['name', 'at', 'today'],
  'certificate-authority-early': ['name', 'at', 'today'],
  'certificate-bank-ended': ['name', 'at', 'today'],
  'certificate-bank-early': ['name', 'at', 'today'],
  'display-lost': ['detail'],
  'payments-unanswered': ['n'],
  'storage-full': [],
  'storage-refused': ['detail'],
  'root-absent': ['detail'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The lane sells, and somebody should look at it later. */
const LATER = {
  'settings-doubtful': ['detail'],
  'bank-stale': ['detail'],
  'bank-refused': ['detail'],
  'bank-other-closed': ['profile', 'detail'],
  'bank-other-unauthorised': ['profile', 'detail'],
  'certificate-client-early': ['name', 'at', 'today'],
  'certificate-client-ending': ['name', 'at', 'today'],
  'certificate-authority-ending': ['name', 'at', 'today'],
  'certificate-bank-ending': ['name', 'at', 'today'],
  'payments-late': ['n'],
  'payments-silent': ['n'],
  'payments-untold': ['n', 'detail'],
  'refunds-undecided': ['n'],
  'refunds-done-after-all': ['n'],
  'refunds-refused-after-all': ['n'],
  'refunds-unexplained': ['n'],
  'ledger-aside': ['file'],
  'ledger-beside': ['file'],
  'ledger-damaged': ['detail'],
  'ledger-lost': ['detail'],
  'ledger-conflicting': ['file'],
  'ledger-repaired': ['detail'],
  'ledger-journal': ['detail'],
  'ledger-rule': ['detail'],
  'ledger-copy': ['path', 'detail'],
  'webhooks-unkept': ['detail'],
  'webhook-failing': ['url', 'minutes', 'n', 'detail'],
  'webhook-given-up': ['url', 'n'],
  'camera-unfed': [],
  'camera-lost': ['detail'],
  'camera-silent': ['detail'],
  'tray-misfit': [],
  'model-loading': [],
  'model-stopped': ['detail'],
  'barcodes-lost': ['detail'],
  'templates-unopened': ['detail'],
  'templates-damaged': [],
  'templates-gone': [],
  'templates-unpictured': ['n'],
  'templates-preparing': ['n'],
  'templates-aside': ['file'],
  'recognition-settings-damaged': ['detail'],
  'items-unopened': ['detail'],
  'items-damaged': [],
  'items-gone': [],
  'items-aside': ['file'],
  'items-altered': ['n', 'items'],
  'sync-settings-damaged': ['detail'],
  'sync-devices-damaged': ['detail'],
  'sync-twice': ['devices'],
  'sync-failing': ['detail'],
  'sync-silent': ['devices', 'minutes'],
  'sync-late': ['minutes'],
  'lane-payments': ['detail'],
  'clock-behind': ['says', 'known'],
  'config-unknown': ['keys'],
  'config-last-good': ['keys', 'at', 'detail'],
  'access-loopback': [],
  'access-unencrypted': [],
  'access-unclaimed': [],
  'access-lost': [],
  'console-pins-lost': [],
  'card-refused': ['detail'],
  'card-unpaired': ['master', 'detail'],
  'card-token': ['role'],
  'tls-troubled': ['detail'],
  'pins-lost': ['detail'],
  'pins-unreachable': ['detail'],
  'audit-unkept': ['n', 'detail'],
  'audit-damaged': ['n'],
  'chain-credentials': ['detail'],
  'chain-certificate': ['detail'],
  'chain-refuses': ['detail'],
  'chain-away': ['minutes', 'detail'],
  'disk-full': ['free', 'needed'],
  'disk-files': ['n'],
  'disk-faulty': ['n'],
  'disk-worn': ['percent'],
  'database-held': ['file', 'pid'],
  'root-repaired': [],
  'root-troubled': ['detail'],
  'root-writable': [],
  'supply-low': [],
  'supply-was-low': ['n'],
  'board-slow': [],
  'board-was-slow': ['n'],
  'board-hot': ['degrees', 'limit'],
  'board-unwatched': [],
  'update-undone': ['version', 'detail'],
  'update-undone-load': ['version', 'detail'],
  'update-load': ['n'],
  'update-ends': ['n'],
  'update-put-off': ['at', 'detail'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Of all of them a technician has something to do. */
export const FAULTS = { ...STOPPING, ...LATER };

/** What is left out on purpose, or passes by itself: nothing is to be done. */
export const NOTES = {
  'camera-none': [],
  'barcodes-off': [],
  'native-failed': ['detail'],
  'tls-off': [],
  'tls-on': ['fingerprint', 'lacking'],
  'update-running': ['doing'],
  'update-waiting': ['at', 'detail'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const REASONS = { ...FAULTS, ...NOTES };

/** From well to ill: whether the lane sells, and whether somebody should look at it later. */
export const SALES = ['sells', 'sells-look-later', 'does-not-sell'] as const;
export type Sales = (typeof SALES)[number];

export const salesOf = (code: ReasonCode): Sales => {
  if (code in STOPPING) return 'does-not-sell';
  return code in LATER ? 'sells-look-later' : 'sells';
};

export type FaultCode = keyof typeof FAULTS;
export type ReasonCode = keyof typeof REASONS;
/** Times are ISO 8601; other numbers are formatted by the caller. */
type About<Code extends ReasonCode> = Readonly<Record<(typeof REASONS)[Code][number], string | number>>;

/** One thing that `/health` says of a part. Among texts it reads as its sentence. */
export class Reason {
  readonly code: ReasonCode;
  readonly about: Readonly<Record<string, string | number>>;
  /** In English: what is wrong and what to do. */
  readonly sentence: string;

  constructor(code: ReasonCode, about: Readonly<Record<string, string | number>>, sentence: string) {
    this.code = code;
    this.about = about;
    this.sentence = sentence;
  }

  toString(): string {
    return this.sentence;
  }
}

/** @param about by the names that the code has in its table */
export const reasonOf = <Code extends ReasonCode>(code: Code, about: About<Code>, sentence: string): Reason =>
  new Reason(code, about, sentence);

export interface Verdict {
  readonly state: 'ok' | 'degraded' | 'failed';
  readonly reasons: readonly Reason[];
}

export const WELL: Verdict = { state: 'ok', reasons: [] };
export const degraded = (...reasons: readonly Reason[]): Verdict => ({ state: 'degraded', reasons });
export const failed = (...reasons: readonly Reason[]): Verdict => ({ state: 'failed', reasons });
export const okWith = (...reasons: readonly Reason[]): Verdict => ({ state: 'ok', reasons });
export const degradedBy = (reasons: readonly Reason[]): Verdict => (reasons.length === 0 ? WELL : degraded(...reasons));
