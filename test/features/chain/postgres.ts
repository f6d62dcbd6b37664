/** A PostgreSQL of its own for a test: reached by a socket in a temporary folder alone. It refuses root, so nobody runs it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { missingPrograms } from '../../needing.ts';
import { temporaryFolder, until } from '../../support.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };
/** Debian keeps its programs of each version here. */
const FOLDER = dirname(globSync('/usr/lib/postgresql/*/bin/postgres').at(-1) ?? '');
export const NO_POSTGRES = missingPrograms('psql') ?? (FOLDER === '.' ? 'not installed: postgresql' : null);

export async function startPostgres() {
  const { path, [Symbol.dispose]: remove } = temporaryFolder();
  chownSync(path, NOBODY.uid, NOBODY.gid);
  const data = join(path, 'data');
  const made = ['--pgdata', data, '--username', 'chain', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale'];
  execFileSync(join(FOLDER, 'initdb'), [...made, '--no-sync'], { ...NOBODY, stdio: 'pipe', cwd: path });
  const settings = ['-k', path, '-c', 'listen_addresses='];
  const server = spawn(join(FOLDER, 'postgres'), ['-D', data, ...settings], { ...NOBODY, stdio: 'ignore', cwd: path });
  const ended = once(server, 'close');
  const environment = { PGHOST: path, PGUSER: 'chain', PGDATABASE: 'postgres' };
  /** @returns the rows, their columns between bars */
  const ask = (sql: string): string[] =>
    execFileSync('psql', ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-c', sql], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
      stdio: 'pipe',
    })
      .split('\n')
      .filter((row) => row !== '');
  await until('PostgreSQL', () => {
    try {
      return ask('SELECT 1');
    } catch {
      return null;
    }
  });
  return {
    ...{ environment, ask },
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGINT');
      await ended;
      remove();
    },
  };
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;
