/**
 * Records what happens on the device without a call: the button at the tray, the pairing of devices, another release.
 * Also declares how a route describes the audit line of its call.
 */
import { readPlainFile, replaceFile } from '../files/index.ts';
import type { AuditTrail } from './trail.ts';

const VERSION = /^[0-9A-Za-z.+-]{1,64}$/;

/** Bytes of a version, with a line break. */
const MAX_VERSION_BYTES = 80;

/**
 * Records that somebody used the button at the tray: pressed it to learn the empty tray, or held it for the code of a
 * technician's token, which the display then shows unless in use.
 */
export const recordButton =
  (trail: AuditTrail, deed: 'empty-tray-learned' | 'token-code-called-up') =>
  (isDone: boolean): void =>
    void trail.record('lane', {
      address: null,
      credential: 'button',
      deed,
      what: {},
      outcome: isDone ? 'done' : 'failed',
    });

/** Records that a device sent this master's pairing code. A refused device repeats its request. */
export const recordPairing =
  (trail: AuditTrail) =>
  (sn: string, refusal: string | null): void => {
    const event = { address: null, credential: 'pairing-code', deed: 'device-paired', what: { sn } } as const;
    if (refusal === null) void trail.record('technician', { ...event, outcome: 'done' });
    else trail.refuse({ ...event, outcome: 'refused', why: refusal });
  };

/** The release recorded last; null for none, or an invalid one. */
function lastRelease(file: string): string | null {
  try {
    const text = readPlainFile(file, MAX_VERSION_BYTES).toString().trim();
    return VERSION.test(text) ? text : null;
  } catch {
    return null; // the first start, or a damaged folder: the line then names no release before
  }
}

/** Records that another release runs now. The updater writes nothing here, so each release records its own start. Never fails. */
export async function recordRelease(trail: AuditTrail, file: string, version: string): Promise<void> {
  const last = lastRelease(file);
  if (last === version) return;
  await trail.record('technician', {
    address: null,
    credential: 'device',
    deed: 'release-changed',
    what: { from: last, to: version },
    outcome: 'done',
  });
  try {
    replaceFile(file, `${version}\n`);
  } catch (error) {
    trail.reportTrouble(error); // the next start writes the line again
  }
}

// The audit trail's line of a call, as its route declares it. Calls of every sale leave none: payments are in the
// ledger, faults in the log.

/** The data of a successful answer. */
type Data = Readonly<Record<string, unknown>>;

export interface AuditedCall {
  readonly event: string;
  /** Fields of the body or the path that the line contains: names and numbers, never possible secrets. */
  readonly fields?: readonly string[];
  /** Fields of the answer's data that the line contains. */
  readonly answers?: readonly string[];
  /** Whether the call did anything; when left out, each call did. */
  readonly isDone?: (data: Data) => boolean;
  /** Whether a lane may repeat the call without end, since nothing limits it: the repetitions of a minute become one line. */
  readonly isRepeatable?: boolean;
  /**
   * For a call open to anyone: who signed in or out, by the answer. Only a technician's line takes room in the
   * technician's book.
   */
  readonly whoCame?: (data: Data) => unknown;
}
