/**
 * A folder like a release, made of this checkout: a test reads from it as from a release, without the sources of its
 * code.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isPageFile } from '../firmware/console/composed.js';
import { ROOT } from './root.ts';
import { type TemporaryFolder, temporaryFolder } from './support.ts';

export const bundleInto = (folder: string): void => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/release/bundle-code.mjs'), ROOT, folder]);
};

/** The bundle lies in `bundle`, and begins with `bundle/main.js`. */
export function releasePlace(): TemporaryFolder {
  const place = temporaryFolder();
  for (const part of ['clients', 'models', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, part), join(place.path, part));
  const files = execFileSync('git', ['ls-files', '--', 'firmware', 'drivers'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.trim().split('\n')) {
    if (file.endsWith('.ts') || isPageFile(file.replace('firmware/', ''))) continue; // the bundle has them
    mkdirSync(join(place.path, file, '..'), { recursive: true });
    symlinkSync(join(ROOT, file), join(place.path, file));
  }
  bundleInto(join(place.path, 'bundle'));
  return place;
}
