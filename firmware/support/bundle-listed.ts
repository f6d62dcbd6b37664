/**
 * What may go into a support bundle: values of listed names and kinds, and of texts only what the program itself can say. A secret
 * is in no source of ours: whatever it is called, however it is encoded and wherever it stands, it is left out.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getSystemErrorMap } from 'node:util';
import { isFields } from '../../drivers/lib/fields.ts';

/** - `text`: as the program says it - `given`: whether there is anything - `stack`: the places in the sources */
export type Kind = 'text' | 'number' | 'flag' | 'given' | 'stack' | keyof typeof FORMS;
export type Shape = Kind | readonly [each: Shape] | { readonly [name: string]: Shape };

/** Stands for a value that is not shown. */
export const WITHHELD = '<withheld>';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['firmware', 'drivers', 'scripts/lib'];
const MAX_TEXT = 400;
const QUOTES = ["'", '"', '`'].map((quote) => quote.charCodeAt(0));
const CLASS = 'class ';
const SPACE = 0x20;
const FORMS = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/,
  version: /^v?\d{1,4}(\.\d{1,4}){1,3}$/,
  serial: /^[\w.-]{1,64}$/,
  /** Of this device. */
  unit: /^laneware[a-z-]{0,24}\.service$/,
  /** How a unit or its process has ended, in systemd's words. */
  result:
    /^(?:success|protocol|resources|timeout|exit-code|signal|core-dump|watchdog|start-limit-hit|oom-kill|exited|killed|dumped)$/,
  digits: /^\d{1,6}$/,
  beside: /^(?:-wal|-shm|\.copy|)$/,
} as const;

/** What is thrown, and why a certificate or a database fails. */
const NAMED = `
  Error TypeError RangeError SyntaxError AggregateError AbortError TimeoutError ENOTFOUND ETIMEOUT
  CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_UNTRUSTED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID
  SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE
  SQLITE_CORRUPT SQLITE_FULL SQLITE_IOERR`;
/** With what the system calls its errors. */
const CODES: ReadonlySet<string> = new Set([
  ...[...getSystemErrorMap().values()].map(([name]) => name),
  ...NAMED.trim().split(/\s+/),
]);
const FRAME = /^\s*at (?:.*[ (])?([^\s()]+):(\d{1,7}):(\d{1,5})\)?$/;
const OF_OURS = new RegExp(`(?:${SOURCES.join('|')}|bundle)/[\\w./-]+$`);

export class Program {
  readonly #text: Buffer;
  readonly #said = new Map<string, boolean>();

  constructor(text: Buffer) {
    this.#text = text;
  }

  /** Its sources, which a release has, too. */
  static async read(): Promise<Program> {
    const texts: Buffer[] = [];
    for (const folder of SOURCES)
      for (const name of await readdir(join(ROOT, folder), { recursive: true }))
        if (/\.(?:ts|sh)$/.test(name)) texts.push(await readFile(join(ROOT, folder, name)));
    return new Program(Buffer.concat(texts));
  }

  /** Whether a text stands in the sources, whole and between quotes, or is the name of a class. */
  says(text: string): boolean {
    if (!/^[a-z]/i.test(text) || text.length > MAX_TEXT) return false;
    const known = this.#said.get(text) ?? this.#quotes(Buffer.from(text));
    this.#said.set(text, known);
    return known;
  }

  #quotes(bytes: Buffer): boolean {
    const text = this.#text;
    for (let at = text.indexOf(bytes); at !== -1; at = text.indexOf(bytes, at + 1)) {
      const before = text[at - 1] ?? 0;
      if (QUOTES.includes(before) && text[at + bytes.length] === before) return true;
      if (text.toString('latin1', at - CLASS.length, at) === CLASS && text[at + bytes.length] === SPACE) return true;
    }
    return false;
  }
}

/** The codes of errors that a text names: most of what a support engineer looks for in it. */
export function shownText(text: string, program: Program): string {
  if (text === '' || CODES.has(text) || program.says(text)) return text;
  const codes = new Set(text.match(/\b[A-Z][A-Z_]{3,}\b/g)?.filter((word) => CODES.has(word)));
  return [WITHHELD, ...codes].join(' ');
}

/** A line of a stack: file, line and column in the sources; null for what is none. */
function frameIn(line: string): string | null {
  const [whole, place = '', row, column] = FRAME.exec(line) ?? [];
  if (whole === undefined) return null;
  if (place.startsWith('node:')) return isBuiltin(place) ? `${place}:${row}` : 'node:internal';
  const [path = ''] = OF_OURS.exec(place) ?? [];
  return path !== '' && !path.includes('..') && existsSync(join(ROOT, path)) ? `${path}:${row}:${column}` : 'elsewhere';
}

const framesIn = (text: string): string[] => text.split('\n').flatMap((line) => frameIn(line) ?? []);

function ofKind(value: unknown, kind: Kind, program: Program): unknown {
  if (kind === 'given') return value !== null && value !== '' && JSON.stringify(value) !== '[]';
  if (value === null || (kind === 'number' && Number.isFinite(value)) || (kind === 'flag' && value === Boolean(value)))
    return value;
  if (typeof value !== 'string') return WITHHELD;
  if (kind === 'text') return shownText(value, program);
  if (kind === 'stack') return framesIn(value);
  return kind in FORMS && FORMS[kind as keyof typeof FORMS].test(value) ? value : WITHHELD;
}

/** A copy of what of a value is listed. */
export function listed(value: unknown, shape: Shape, program: Program): unknown {
  if (typeof shape === 'string') return ofKind(value, shape, program);
  if (value === null) return null;
  if (isList(shape)) return Array.isArray(value) ? value.map((each) => listed(each, shape[0], program)) : WITHHELD;
  if (!isFields(value)) return WITHHELD;
  const members = Object.entries(shape).map(([name, each]) => {
    const member = value[name];
    return [name, member === undefined ? member : listed(member, each, program)];
  });
  return Object.fromEntries(members);
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);
