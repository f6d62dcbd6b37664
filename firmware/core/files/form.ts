/**
 * The form of a database: its tables, indexes and triggers. SQLite stores them as text, without a checksum. One damaged
 * bit gives a column another name: SQLite's check finds no fault, and nothing is found in the column again.
 */
import { DatabaseSync } from 'node:sqlite';
import { recordWriter, schemaOf } from './before-migration.ts';

/**
 * Comments and blanks (SQLite's, which are fewer than JavaScript's), which may change without a step; quoted texts and
 * names; words; any other character.
 */
const TOKENS =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[ \t\n\f\r]+)|'(?:[^']|'')*'|"(?:[^"]|"")*"|[\w$\u0080-\uffff]+|[\s\S]/g;

/** A step of a database's schema, of which the number is the new one. */
interface Step {
  readonly schema: number;
  readonly sql: string;
}

/** The text of a table, index or trigger without comments and blanks. */
const plain = (sql: string): string =>
  [...sql.matchAll(TOKENS)].flatMap(([token, between]) => (between === undefined ? [token] : [])).join(' ');

/** Tables that SQLite's ANALYZE makes. A table with such a name and another text, or a trigger, is not one of them. */
const STATISTICS = [
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
];
const STATISTICS_TEXTS = STATISTICS.map((sql) => `'${sql}'`).join(', ');

/** Names of the tables with statistics of a database. They are no part of its form. */
export const statisticsOf = (db: DatabaseSync): string[] =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IN (${STATISTICS_TEXTS})`)
    .all()
    .map(({ name }) => String(name));

/** Texts by kind and name: "table payments". */
function formOf(db: DatabaseSync): ReadonlyMap<string, string> {
  const parts = db.prepare(
    `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE NOT (type = 'table' AND ifnull(sql IN (${STATISTICS_TEXTS}), 0))`,
  );
  return new Map(
    parts
      .all()
      .map(({ type, name, tbl_name: table, sql }) => [`${type} ${name}`, `${table} ${plain(String(sql ?? ''))}`]),
  );
}

/** The form of an empty database after these steps. */
function emptyForm(steps: readonly Step[]): ReadonlyMap<string, string> {
  using db = new DatabaseSync(':memory:');
  for (const { sql } of steps) db.exec(`${sql};\n`);
  recordWriter(db, 0, 0);
  return formOf(db);
}

/**
 * Compares a migrated database with an empty one after the same steps. What a later release has made is not known here,
 * and counts as sound.
 * @returns what differs, in words; null for nothing @throws {Error} of SQLite
 */
export function misformOf(db: DatabaseSync, migrations: readonly Step[]): string | null {
  const schema = schemaOf(db);
  const steps = migrations.filter((step) => step.schema <= schema);
  if (steps.at(-1)?.schema !== schema) return null;
  const [found, right] = [formOf(db), emptyForm(steps)];
  const lacking = [...right.keys()].find((part) => !found.has(part));
  if (lacking !== undefined) return `it has no ${lacking}`;
  const other = [...found].find(([part, text]) => right.get(part) !== text);
  if (other === undefined) return null;
  return right.has(other[0]) ? `its ${other[0]} has another form` : `it has a ${other[0]}, which no device makes`;
}
