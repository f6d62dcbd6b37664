/**
 * Loaded before all else that is bundled: stacks name the lines of the sources. With `--enable-source-maps` Node reads every map when
 * it starts, which is half of what the bundle saves. Here a map is read when a stack is asked for, and only the answer is cached.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Lines from 1, columns from 1, as stacks have them. */
interface Place {
  readonly line: number;
  readonly column: number;
}

const FRAME = /(file:\/\/[^\s()]+\/bundle\/[^/\s()]+\.js):(\d+):(\d+)/g;
const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((digit, value) => [
    digit.charCodeAt(0),
    value,
  ]),
);
const SEMICOLON = 59;
const COMMA = 44;

/** The last mapping at or before each place: number of the source, line and column in it; null for none. */
function sourcesOf(mappings: string, wanted: readonly Place[]): (readonly [number, Place] | null)[] {
  const found: (readonly [number, Place] | null)[] = wanted.map(() => null);
  const last = Math.max(...wanted.map(({ line }) => line));
  let line = 1;
  /** Column in the bundle; source, its line and its column, all from 0. */
  const at = [0, 0, 0, 0, 0];
  let field = 0;
  let value = 0;
  let shift = 0;
  const apply = (): void => {
    if (field >= 4) {
      const [column = 0, source = 0, sourceLine = 0, sourceColumn = 0] = at;
      wanted.forEach((place, n) => {
        if (place.line === line && column < place.column)
          found[n] = [source, { line: sourceLine + 1, column: sourceColumn + 1 }];
      });
    }
    field = 0;
  };
  for (let index = 0; index < mappings.length && line <= last; index++) {
    const code = mappings.charCodeAt(index);
    if (code === COMMA || code === SEMICOLON) {
      apply();
      if (code === SEMICOLON) {
        line += 1;
        at[0] = 0;
      }
      continue;
    }
    const digit = DIGITS.get(code) ?? 0;
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    at[field] = (at[field] ?? 0) + ((value & 1) === 0 ? value >> 1 : -(value >> 1));
    field += 1;
    value = 0;
    shift = 0;
  }
  apply();
  return found;
}

/** Places in the sources, by the places in a stack. */
const known = new Map<string, string>();

function resolve(url: string, places: readonly Place[]): void {
  const { mappings, sources } = JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8'));
  sourcesOf(mappings, places).forEach((found, n) => {
    const { line = 0, column = 0 } = places[n] ?? {};
    const place = `${url}:${line}:${column}`;
    const source = found && `${new URL(sources[found[0]], url)}:${found[1].line}:${found[1].column}`;
    known.set(place, source ?? place);
  });
}

/** The frames of a stack, as the sources have them. */
function inSources(frames: string): string {
  const unknown = new Map<string, Place[]>();
  for (const [place, url = '', line, column] of frames.matchAll(FRAME)) {
    if (known.has(place)) continue;
    unknown.set(url, [...(unknown.get(url) ?? []), { line: Number(line), column: Number(column) }]);
  }
  for (const [url, places] of unknown) {
    try {
      resolve(url, places);
    } catch {
      // a map that cannot be read: the place in the bundle is better than no stack
    }
  }
  return frames.replaceAll(FRAME, (place) => known.get(place) ?? place);
}

function titleOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    // the error's name cannot be read: its stack can
    return 'Error';
  }
}

Error.prepareStackTrace = (error, sites) =>
  `${titleOf(error)}${inSources(sites.map((site) => `\n    at ${site}`).join(''))}`;
