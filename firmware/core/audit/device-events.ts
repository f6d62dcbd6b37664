/** What leaves lines in the audit trail: calls, and what is none: the button at the tray, devices that pair, another release. */
import { readPlainFile, replaceFile } from '../store/index.ts';
import type { AuditTrail } from './trail.ts';

const VERSION = /^[0-9A-Za-z.+-]{1,64}$/;

/** With room for a line break. */
const MAX_VERSION_BYTES = 80;

/**
 * Somebody has used the button at the tray: pressed it to learn the empty tray, or held it for a code for a technician's token,
 * which is on the display then unless that was in use.
 */
export const noteButton =
  (trail: AuditTrail, deed: 'empty-tray-learned' | 'token-code-called-up') =>
  (isDone: boolean): void =>
    void trail.note('lane', {
      address: null,
      credential: 'button',
      deed,
      what: {},
      outcome: isDone ? 'done' : 'failed',
    });

/** A device has shown the pairing code of this master. A refused one asks again and again. */
export const notePairing =
  (trail: AuditTrail) =>
  (sn: string, refusal: string | null): void => {
    const event = { address: null, credential: 'pairing-code', deed: 'device-paired', what: { sn } } as const;
    if (refusal === null) void trail.note('technician', { ...event, outcome: 'done' });
    else trail.refuse({ ...event, outcome: 'refused', why: refusal });
  };

/** Null where none was noted, or nothing that could be one. */
function lastRelease(file: string): string | null {
  try {
    const text = readPlainFile(file, MAX_VERSION_BYTES).toString().trim();
    return VERSION.test(text) ? text : null;
  } catch {
    return null; // the first start, or a damaged folder: the line says that nothing is known
  }
}

/** Notes where another release ran before. Its updater writes nothing here, so each release notes its own start. Never fails. */
export async function noteRelease(trail: AuditTrail, file: string, version: string): Promise<void> {
  const last = lastRelease(file);
  if (last === version) return;
  await trail.note('technician', {
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

// What a call leaves in the audit trail, as its route says. Calls of every sale leave nothing: payments are in the ledger, faults in the
// log.

/** Of an answer that says that it was done. */
type Data = Readonly<Record<string, unknown>>;

export interface AuditedCall {
  readonly event: string;
  /** Fields of the body or the path that the line holds: names and numbers, never what may be a secret. */
  readonly fields?: readonly string[];
  /** The same of the data of the answer. */
  readonly answers?: readonly string[];
  /** Whether anything was done at all; it was, where this is left out. */
  readonly isDone?: (data: Data) => boolean;
  /** Changes nothing, so that a lane may repeat it at will: the repetitions of a minute are counted into one line. */
  readonly isRepeatable?: boolean;
  /** Of a call that is open to anyone: who it says has come or gone. Only what a technician does takes room in his book. */
  readonly whoCame?: (data: Data) => unknown;
}
