/** The states of the latest export and import, stored across restarts. */
import type { DatabaseSync } from 'node:sqlite';

export type TaskKind = 'export' | 'import';

/** Codes of the interface, section "States and transitions". The same number means different things for the two. */
export const EXPORT_STATUS = Object.freeze({ none: 0, preparing: 1, ready: 3, failed: 6 });
export const IMPORT_STATUS = Object.freeze({ none: 0, importing: 2, checking: 3, completed: 4, failed: 5, refused: 7 });

/**
 * The numbers in `msg`, for a page in another language. While a task runs: `done` of `total` templates. An export:
 * `templates` of `items`. An import: `imported`, `known` before, `beyondLimit` because their items are full, `deleted`
 * because they are deleted on all devices of the store.
 */
export type TaskCounts = Readonly<Record<string, number>>;

export interface TaskState {
  readonly status: number;
  readonly msg: string;
  readonly counts: TaskCounts;
  /** Name of the package, while it can be fetched. */
  readonly filename: string | null;
}

/** @param counts none when left out */
export const stateOf = (status: number, msg: string, counts: TaskCounts = {}): TaskState => ({
  status,
  msg,
  counts,
  filename: null,
});

export const failedState = (kind: TaskKind, msg: string): TaskState =>
  stateOf(kind === 'export' ? EXPORT_STATUS.failed : IMPORT_STATUS.failed, msg);

const NONE: Readonly<Record<TaskKind, TaskState>> = Object.freeze({
  export: stateOf(EXPORT_STATUS.none, 'no export has been started'),
  import: stateOf(IMPORT_STATUS.none, 'no import has been started'),
});

const RUNNING: Readonly<Record<TaskKind, readonly number[]>> = Object.freeze({
  export: [EXPORT_STATUS.preparing],
  import: [IMPORT_STATUS.checking, IMPORT_STATUS.importing],
});

export function saveTask(db: DatabaseSync, kind: TaskKind, { status, msg, counts, filename }: TaskState): void {
  db.prepare(
    `INSERT INTO tasks (kind, status, msg, counts, filename) VALUES (:kind, :status, :msg, :counts, :filename)
     ON CONFLICT DO UPDATE SET status = :status, msg = :msg, counts = :counts, filename = :filename`,
  ).run({ kind, status, msg, counts: JSON.stringify(counts), filename });
}

/** The stored counts; none where they are damaged. */
function countsIn(text: unknown): TaskCounts {
  try {
    const counts: unknown = JSON.parse(String(text ?? '{}'));
    return Object.fromEntries(
      Object.entries(Object(counts)).filter((pair): pair is [string, number] => Number.isInteger(pair[1])),
    );
  } catch {
    return {};
  }
}

/** The stored state; a task that was running then counts as failed. A damaged state counts as none. */
export function loadTask(db: DatabaseSync, kind: TaskKind): TaskState {
  const row = db
    .prepare('SELECT status, msg, counts, filename FROM tasks WHERE kind = ? AND status IN (0, 1, 2, 3, 4, 5, 6, 7)')
    .get(kind);
  if (row === undefined) return NONE[kind];
  const state: TaskState = {
    status: Number(row.status),
    msg: String(row.msg),
    counts: countsIn(row.counts),
    filename: row.filename === null ? null : String(row.filename),
  };
  if (!RUNNING[kind].includes(state.status)) return state;
  const done = kind === 'import' ? 'nothing was imported, ' : '';
  return failedState(kind, `the device was restarted during the ${kind}: ${done}start it again`);
}
