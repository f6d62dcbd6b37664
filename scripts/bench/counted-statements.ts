/**
 * Loaded before the firmware (`node --import`): counts the statements that it has SQLite carry out. The counts so far, by their text, are
 * written into the file that COUNTED_STATEMENTS names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const WRITE_EVERY_MS = 100;

const counts: Record<string, number> = {};
const count = (sql: string): void => {
  counts[sql] = (counts[sql] ?? 0) + 1;
};

for (const method of ['run', 'get', 'all', 'iterate'] as const) {
  const carryOut: (...values: never[]) => unknown = StatementSync.prototype[method];
  Object.defineProperty(StatementSync.prototype, method, {
    value(this: StatementSync, ...values: never[]) {
      count(this.sourceSQL);
      return carryOut.apply(this, values);
    },
  });
}
const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function counted(sql) {
  count(sql);
  exec.call(this, sql);
};

const file = process.env.COUNTED_STATEMENTS ?? '';
let written = '';
if (isMainThread) setInterval(write, WRITE_EVERY_MS).unref();

function write(): void {
  const text = JSON.stringify(counts);
  if (text === written) return;
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  written = text;
}
