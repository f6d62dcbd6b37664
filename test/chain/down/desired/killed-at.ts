/**
 * A process that starts with what its chain wants configured, does one thing with it, and is killed at its n-th call of the file
 * system that changes something: `killed-at.ts PATH ACTION N`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Wanted } from '../../../../firmware/config/desired.ts';

const [path = '', action = '', at = ''] = process.argv.slice(2);

export const WANTED: Wanted = { mark: 'm2', number: 2, settings: { 'terminal.symbolMs': 4000 } };

if (import.meta.main) {
  let left = Number(at);
  const count = (): void => {
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
  };
  const { openSync, writeSync, fsyncSync, renameSync } = fs;
  fs.openSync = (...args) => {
    if (args[1] !== undefined && args[1] !== 'r') count();
    return openSync(...args);
  };
  fs.writeSync = ((handle: number, bytes: Uint8Array, offset: number) => {
    // half of it first, as a killed process leaves it
    if (left === 0) writeSync(handle, bytes, offset, Math.floor((bytes.length - offset) / 2));
    count();
    return writeSync(handle, bytes, offset);
  }) as typeof fs.writeSync;
  fs.fsyncSync = (handle) => {
    count();
    fsyncSync(handle);
  };
  fs.renameSync = (from, to) => {
    count();
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  const { DesiredConfig } = await import('../../../../firmware/config/desired.ts');
  const { loadConfig } = await import('../../../../firmware/config/load.ts');
  const load = (settings: Wanted['settings']) => loadConfig(null, {}, settings);
  const desired = new DesiredConfig(path);
  desired.choose(load);
  if (action === 'want') desired.want(WANTED, load, {});
  if (action === 'prove') desired.prove();
  if (action === 'undo') desired.undo('it is not well');
  if (action === 'end in order') desired.endInOrder();
}
