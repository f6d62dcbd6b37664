/** Compares the database of a book with its journal, and restores in each what only the other has. */
import type { DatabaseSync } from 'node:sqlite';
import { accessProblem } from '../../../drivers/lib/rights.ts';
import {
  damaged,
  newestOf,
  renameAside,
  requireJournalReadable,
  SQLITE_CANTOPEN,
  StoreError,
  transaction,
} from '../files/index.ts';
import { Journal } from './journal.ts';
import { journalFiles, journalOf, lineFiles } from './journal-files.ts';
import type { Line, Place } from './journal-lines.ts';
import { headIn, linesOf } from './journal-reading.ts';
import type { Tail } from './journal-tail.ts';
import { append, type BookFile, type BookPlan, type LiveBook, live, type RowChange, storePlace } from './live-book.ts';
import { changedWhere, changesOf, plainRow, type RawRow, selectFrom } from './row.ts';
import { isBeginning } from './stand.ts';

/** Most rows added to a journal that lacks them, while the event loop waits; more are written beside the payments. */
const MOST_APPENDED = 1000;
/** Rows in one line when rows are added to a journal that lacks them. */
const ROWS_A_LINE = 200;
/** Most commits replayed while the event loop waits: a second or so. A power cut loses fewer of them in the database. */
const MOST_REPLAYED = 5000;
/** Lines compared to see whether database and journal have one history. */
const COMPARED_LINES = 50;

/** Files that this process has no right to read do not count as damaged. @throws {StoreError} `NOT_OURS` */
function requireOurs(files: readonly { readonly path: string }[]): void {
  const words = files.map(({ path }) => accessProblem(path)).find((each) => each !== null);
  if (typeof words === 'string') throw Object.assign(new StoreError('NOT_OURS', words), { errcode: SQLITE_CANTOPEN });
}

/** Settles database and journal. The journal is the acknowledged state; what it lacks is added from the database. */
export function settled(
  db: DatabaseSync,
  { path, secondFolder, now }: BookFile,
  plan: BookPlan,
  tail: Tail | null,
): LiveBook {
  const folder = journalOf(path);
  const book = live(db, plan, path);
  const opened = (from: Tail['log'] = null, lacking: string | null = null): LiveBook => ({
    ...book,
    lacking,
    journal: new Journal(folder, book.at, from, now),
  });
  if (tail === null) {
    const isGone = journalFiles(folder).length === 0;
    if (!isGone) {
      requireOurs(journalFiles(folder));
      renameAside(folder, now()); // none of it can be read
    }
    const isLost = isGone && !isBeginning(book.at.hash);
    return opened(null, isLost ? `it was gone, and begins anew behind commit ${book.at.commit}` : null);
  }
  const { commit, hash } = book.at;
  if (tail.commit === commit && tail.hash === hash) return opened(tail.log);
  const missing = tail.commit > commit ? linesBehind(folder, book.at) : null;
  if (missing !== null) {
    requireJournalReadable(
      folder,
      Math.max(0, ...missing.lines.map(({ readableFrom }) => readableFrom)),
      newestOf(plan.migrations),
    );
    if (missing.isBroken && secondFolder !== null)
      throw damaged('the second medium may have what its journal has lost');
    transaction(db, () => {
      for (const line of missing.lines) replay(book, plan, line);
    });
    return opened(tail.log);
  }
  if (commit === 0 && tail.commit > 0) throw damaged('it is empty');
  const isOneHistory = historyOf(folder, book, plan);
  if (tail.commit > commit && isOneHistory === true) throw damaged('its journal has lost the line at which it stands');
  if (tail.commit < commit && isOneHistory !== false) {
    if (changedSince(book, plan, tail) > MOST_APPENDED)
      return opened(null, `it ended with commit ${tail.commit}, and goes on behind commit ${commit}`);
    const behind = { ...book, journal: new Journal(folder, tail, tail.log, now), at: { commit, hash: tail.hash } };
    appendMissing(behind, plan, tail, now());
    return behind;
  }
  renameAside(folder, now(), 'other');
  return opened();
}

/**
 * The lines after a place; null where the journal lacks the place. A line that follows from the place's hash proves the
 * place, even where the place's own line is damaged.
 * @returns `isBroken`: whether a line between them is damaged, which the daily check reports
 * @throws {Error} where there are too many
 */
function linesBehind(
  folder: string,
  { commit, hash }: Place,
): { readonly lines: readonly Line[]; readonly isBroken: boolean } | null {
  const files = lineFiles(folder);
  const first = files.findLastIndex(({ after }) => after <= commit);
  const found: Line[] = [];
  let [isFound, isDamaged, isBroken] = [false, false, false];
  for (const file of files.slice(Math.max(0, first))) {
    const head = headIn(file);
    if (head?.commit === commit && head.hash === hash) isFound = true;
    for (const line of linesOf(file, { known: hash })) {
      if (line === null) {
        isDamaged = isFound; // an incomplete last line was never acknowledged, and is no break
        continue;
      }
      if (isFound || line.before === hash) {
        found.push(line);
        [isFound, isBroken] = [true, isBroken || isDamaged];
      } else if (line.commit === commit && line.hash === hash) isFound = true;
      isDamaged = false;
      if (found.length > MOST_REPLAYED)
        throw damaged(`it is older than its journal by more than ${MOST_REPLAYED} commits`);
    }
  }
  return isFound ? { lines: found, isBroken } : null;
}

/** Replays a commit from the journal, with its events. */
function replay(book: LiveBook, { tables, writeEvents }: BookPlan, { commit, hash, at, lastEvent, rows }: Line): void {
  const changes = tables.flatMap(({ name }) => {
    const format = book.formats.get(name);
    return (rows[name] ?? []).flatMap((values): RowChange[] => {
      const id = Number(values.id);
      const before = format?.byId(id);
      format?.put(values);
      const after = format?.byId(id);
      return after === undefined
        ? []
        : [{ table: name, before: before === undefined ? null : plainRow(before), after: plainRow(after) }];
    });
  });
  book.lastEvent = writeEvents({ changes, at, lastEvent: book.lastEvent, known: lastEvent, statement: book.statement });
  book.at = { commit, hash };
  storePlace(book);
}

const changedSince = ({ statement }: LiveBook, { tables }: BookPlan, { commit }: Place): number =>
  tables
    .map(({ name }) =>
      Number(statement(`SELECT count(*) AS n FROM ${changesOf(name)} WHERE change_no > ?`).get(commit)?.n),
    )
    .reduce((sum, count) => sum + count, 0);

/**
 * Whether the database has the rows of the last lines up to its place, or later versions of them; null where they have
 * no row. A row that the storage has altered or lost proves nothing.
 */
function historyOf(folder: string, { at, formats }: LiveBook, { tables }: BookPlan): boolean | null {
  const lines: Line[] = [];
  for (const file of lineFiles(folder).toReversed()) {
    const before = [...linesOf(file)].filter((line) => line !== null).filter(({ commit }) => commit <= at.commit);
    lines.unshift(...before.slice(-COMPARED_LINES));
    if (lines.length >= COMPARED_LINES) break;
  }
  const compared = lines.slice(-COMPARED_LINES).flatMap(({ rows }) =>
    Object.entries(rows).flatMap(([table, versions]) => {
      const format = formats.get(table);
      const key = tables.find(({ name }) => name === table)?.key ?? 'id';
      return versions.map((values): boolean | null => {
        const row = format?.byId(Number(values.id));
        if (format === undefined || row === undefined || !format.isSound(row)) return null;
        if (String(row[key]) !== String(values[key])) return false;
        return Number(row.change_no) > Number(values.change_no) || format.hasText(row, values);
      });
    }),
  );
  if (compared.length === 0) return null;
  return compared.includes(true) && !compared.includes(false);
}

/**
 * Adds rows that changed after a place to the journal, as commits of their own. One more commit without rows is the
 * journal's end even where none of the rows is sound.
 */
export function appendMissing(book: LiveBook, { tables }: BookPlan, { commit: since }: Place, now: number): void {
  for (const { name } of tables) {
    const changed = `${selectFrom(name)} WHERE ${changedWhere(name, 'change_no > ?')} ORDER BY change_no, id`;
    const texts = book
      .rawStatement(changed)
      .all(since)
      .flatMap((row: RawRow) => {
        const format = book.formats.get(name);
        return format?.isSound(row) === true ? [format.textOf(row)] : [];
      });
    for (let first = 0; first < texts.length; first += ROWS_A_LINE)
      appendAlone(book, new Map([[name, texts.slice(first, first + ROWS_A_LINE)]]), now);
  }
  appendAlone(book, new Map(), now);
}

/** Makes a commit that changes no row. @throws {Error} of SQLite or the file system: nothing has changed then */
function appendAlone(book: LiveBook, rows: ReadonlyMap<string, readonly string[]>, now: number): void {
  const before = book.at;
  let isAppended = false;
  try {
    transaction(book.db, () => {
      append(book, { rows, at: now, isUrgent: true });
      isAppended = true;
    });
  } catch (error) {
    book.at = before;
    if (isAppended) book.journal?.dropLastLine();
    throw error;
  }
}
