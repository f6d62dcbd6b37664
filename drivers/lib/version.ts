import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { Parse } from 'typebox/schema';

/** The day of a build that is no release. */
const OLDEST = '2026-11-20';
/** `builtAt`: the day of its commit, which `scripts/release/bundle.sh` writes into a release. */
const PackageSchema = Type.Object({ version: Type.String(), builtAt: Type.Optional(Type.String()) });
const manifest = Parse(PackageSchema, JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));

/** Version of this release: three dotted numbers. */
export const VERSION: string = manifest.version;
/** No timestamp before this one can be now: milliseconds since 1970. */
export const BUILD_TIME: number = Date.parse(manifest.builtAt ?? OLDEST);

const numbers = (version: string): number[] => version.split('.').map(Number);

/** Whether a version is newer, compared by its numbers, as in the updater. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [numbers(version), numbers(than)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
