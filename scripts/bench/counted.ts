/**
 * Loaded before the firmware (`node --import`): counts its modules, the routes of its servers, its threads, and the
 * statements that SQLite carries out. It writes the counts so far into the file named by COUNTED.
 */
import { subscribe } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';

const WRITE_EVERY_MS = 100;

export interface Counts {
  modules: number;
  /** Size of these modules on the disk. */
  bytes: number;
  threads: number;
  routes: number;
  /** How often each statement was carried out, by its text. */
  readonly statements: Record<string, number>;
}
const counts: Counts = { modules: 0, bytes: 0, threads: 0, routes: 0, statements: {} };
const { statements } = counts;

const count = (sql: string): void => {
  statements[sql] = (statements[sql] ?? 0) + 1;
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

const file = process.env.COUNTED ?? '';
let written = '';
if (isMainThread) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (url.startsWith('file:')) {
        counts.modules += 1;
        counts.bytes += Buffer.byteLength(loaded.source ?? '');
      }
      return loaded;
    },
  });
  process.on('worker', () => {
    counts.threads += 1;
  });
  subscribe('fastify.initialization', (message) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', () => {
      counts.routes += 1;
    });
  });
  setInterval(write, WRITE_EVERY_MS).unref();
}

function write(): void {
  const text = JSON.stringify(counts);
  if (text === written) return;
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  written = text;
}
