/**
 * What a call leaves in the audit trail, as its route says. Calls of every sale leave nothing: payments are in the ledger, faults in the
 * log.
 */

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
