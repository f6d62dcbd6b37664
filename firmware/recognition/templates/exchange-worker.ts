/**
 * The thread that stores received templates, over a separate connection: a commit waits for the disk, on a card long
 * enough to delay a payment. The process asks the thread only while it holds the turn to write (see `serial-queue.ts`).
 */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { connect, transaction } from '../../core/files/index.ts';
import { recognitionFailure } from '../model/failures.ts';
import { type CodeName, RecognitionError } from '../model/recognition-error.ts';
import type { WholeTemplate } from '../model/template.ts';
import { templateInserter } from './template-rows.ts';
import { markDamaged, VISIBLE } from './templates-database.ts';

export interface WriterStart {
  readonly database: string;
  /** The most pages of the database. */
  readonly maxPages: number;
  /** The most templates of an item. */
  readonly maxTemplates: number;
}

export type WriterAnswer =
  /** All is durable: the row of each template, in their order; null where one was left out. */
  | { readonly kind: 'stored'; readonly ids: readonly (number | null)[] }
  /** Nothing was changed. */
  | { readonly kind: 'failed'; readonly codeName: CodeName; readonly message: string };

/** Statements that run once for each of thousands of templates. */
const prepare = (db: DatabaseSync) => ({
  isHere: db.prepare(`SELECT 1 FROM templates WHERE origin = ? AND sid = ? AND ${VISIBLE}`),
  isDeletedForGood: db.prepare('SELECT 1 FROM tombstones WHERE origin = ? AND sid = ?'),
  count: db.prepare(`SELECT count(*) AS count FROM templates WHERE item = ? AND ${VISIBLE}`),
  insert: templateInserter(db),
});

class Writer {
  readonly db: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #maxTemplates: number;

  constructor({ database, maxPages, maxTemplates }: WriterStart) {
    this.db = connect(database);
    this.db.exec(`PRAGMA max_page_count = ${maxPages}`);
    this.#statements = prepare(this.db);
    this.#maxTemplates = maxTemplates;
  }

  store(templates: readonly WholeTemplate[]): (number | null)[] {
    return transaction(this.db, () =>
      templates.map((template) => (this.#isWanted(template) ? this.#statements.insert(null, template) : null)),
    );
  }

  #isWanted({ item, origin, sid }: WholeTemplate): boolean {
    const { isHere, isDeletedForGood, count } = this.#statements;
    if (isHere.get(origin, sid) !== undefined || isDeletedForGood.get(origin, sid) !== undefined) return false;
    return Number(count.get(item)?.count ?? 0) < this.#maxTemplates;
  }
}

function failed(error: unknown): WriterAnswer {
  const failure = recognitionFailure(error);
  if (failure instanceof RecognitionError)
    return { kind: 'failed', codeName: failure.codeName, message: failure.message };
  const message = messageOf(error);
  return {
    kind: 'failed',
    codeName: 'Internal.UnexpectedError',
    message: `the templates could not be stored: ${message}`,
  };
}

let writer: Writer | null = null;

parentPort?.on('message', (templates: readonly WholeTemplate[]) => {
  let answer: WriterAnswer;
  try {
    writer ??= new Writer(workerData);
    answer = { kind: 'stored', ids: writer.store(templates) };
  } catch (error) {
    if (writer !== null) markDamaged(writer.db, error);
    answer = failed(error);
  }
  parentPort?.postMessage(answer);
});
