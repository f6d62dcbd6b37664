/**
 * Filters the content of a support bundle: it shows values of listed names only, each in its listed form. A text must
 * be a code, a name or a sentence of the log. A text of another form, or with a setting of this device in it, is
 * withheld.
 */
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getSystemErrorMap } from 'node:util';
import { isFields } from '../../../drivers/lib/strict-json.ts';

/**
 * What is shown: `given`: whether the value is set; `codes`: the codes in a text; `stack`: a stack's places in the
 * sources.
 */
type Kind = 'number' | 'flag' | 'given' | 'codes' | 'stack' | keyof typeof FORMS;
/** The form of a value; a set: one of its words. */
export type Shape = Kind | ReadonlySet<string> | readonly [each: Shape] | { readonly [name: string]: Shape };

/** Replaces a value that is not shown. */
const WITHHELD = '<withheld>';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Fewest characters of a secret that is searched for: shorter texts occur in many others. */
const LEAST_SECRET = 3;
/** Fewest characters of a part of an address that counts as a secret: shorter parts are common words. */
const LEAST_PIECE = 8;
const MOST_TEXT = 240;
const FORMS = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/,
  version: /^v?\d{1,4}(\.\d{1,4}){1,3}$/,
  serial: /^[\w.-]{1,64}$/,
  /** A code or a name of Laneware or of the system, as `bank-silent` or `Device.SaleRuns`. */
  word: /^[A-Za-z]+(?:[-._][A-Za-z]+)*$/,
  /** A sentence of the log or the updater: plain words, no name, no number, no address. */
  sentence: /^(?:(?:[a-z]+(?:['’-][a-z]+)*|[A-Z]{2,4})[,;:.]?(?: |$))+$/,
  file: /^[a-z]+(?:[.-][a-z]+)*$/,
  /** A unit of this device. */
  unit: /^laneware[a-z-]{0,24}\.service$/,
  /** How a unit or its process ended, in systemd's words. */
  result:
    /^(?:success|protocol|resources|timeout|exit-code|signal|core-dump|watchdog|start-limit-hit|oom-kill|exited|killed|dumped)$/,
  digits: /^\d{1,6}$/,
  /** A bound of a metric, or a status. */
  figure: /^[+\d.Inf]{1,12}$/,
  beside: /^(?:-wal|-shm|\.copy|)$/,
} as const;

/** Names of thrown errors, and error codes of certificates and databases. */
const NAMED = `
  Error TypeError RangeError SyntaxError AggregateError AbortError TimeoutError ENOTFOUND ETIMEOUT
  CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_UNTRUSTED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID
  SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE
  SQLITE_CORRUPT SQLITE_FULL SQLITE_IOERR`;
/** All known codes, the system's error names included. */
const CODES: ReadonlySet<string> = new Set([
  ...[...getSystemErrorMap().values()].map(([name]) => name),
  ...NAMED.trim().split(/\s+/),
]);
const FRAME = /^\s*at (?:.*[ (])?([^\s()]+):(\d{1,7}):(\d{1,5})\)?$/;
const OF_OURS = /(?:firmware|drivers|scripts\/lib|bundle)\/[\w./-]+$/;

/**
 * The secrets of this device: texts that its settings and configuration have, and that may not be shown: a password, a
 * token, an address, a name.
 */
export class Secrets {
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    const pieces = texts.filter((text) => text.includes('://')).flatMap((text) => text.split(/[/?&=:@#]+/));
    const all = [...texts, ...pieces.filter((piece) => piece.length >= LEAST_PIECE)];
    this.#texts = all.filter((text) => text.length >= LEAST_SECRET).map((text) => text.toLowerCase());
  }

  /** The text itself, or `WITHHELD` where a secret occurs in it. */
  shown(text: string): string {
    const plain = text.toLowerCase();
    return this.#texts.some((secret) => plain.includes(secret)) ? WITHHELD : text;
  }
}

/** The texts in a value that its shape does not show. */
export function unlisted(value: unknown, shape: Shape | null): string[] {
  if (typeof value === 'string') return shape === null || shape === 'given' ? [value] : [];
  if (Array.isArray(value))
    return value.flatMap((each) => unlisted(each, shape !== null && isList(shape) ? shape[0] : null));
  if (!isFields(value)) return [];
  const members = isMembers(shape) ? shape : {};
  return Object.entries(value).flatMap(([name, each]) =>
    unlisted(each, Object.hasOwn(members, name) ? (members[name] ?? null) : null),
  );
}

/** The error codes in a text; all other words are withheld. */
function codesIn(text: string): string {
  if (text === '' || CODES.has(text)) return text;
  const codes = new Set(text.match(/\b[A-Z][A-Z_]{3,}\b/g)?.filter((word) => CODES.has(word)));
  return [WITHHELD, ...codes].join(' ');
}

/** The place in the sources that a line of a stack names; null for a line that is no frame. */
function frameIn(line: string): string | null {
  const [whole, place = '', row, column] = FRAME.exec(line) ?? [];
  if (whole === undefined) return null;
  if (place.startsWith('node:')) return isBuiltin(place) ? `${place}:${row}` : 'node:internal';
  const [path = ''] = OF_OURS.exec(place) ?? [];
  return path !== '' && !path.includes('..') && existsSync(join(ROOT, path)) ? `${path}:${row}:${column}` : 'elsewhere';
}

const framesIn = (text: string): string[] => text.split('\n').flatMap((line) => frameIn(line) ?? []);

function ofText(text: string, kind: Kind | ReadonlySet<string>, secrets: Secrets): unknown {
  if (kind === 'codes') return codesIn(text);
  if (kind === 'stack') return framesIn(text);
  if (typeof kind !== 'string') return kind.has(text) ? text : WITHHELD;
  const form = Object.hasOwn(FORMS, kind) ? FORMS[kind as keyof typeof FORMS] : null;
  return form !== null && text.length <= MOST_TEXT && form.test(text) ? secrets.shown(text) : WITHHELD;
}

function ofKind(value: unknown, kind: Kind | ReadonlySet<string>, secrets: Secrets): unknown {
  if (kind === 'given') return value !== null && value !== '' && JSON.stringify(value) !== '[]';
  if (value === null || (kind === 'number' && Number.isFinite(value)) || (kind === 'flag' && value === Boolean(value)))
    return value;
  return typeof value === 'string' ? ofText(value, kind, secrets) : WITHHELD;
}

/** A copy of a value with what its shape shows. */
export function listed(value: unknown, shape: Shape, secrets: Secrets): unknown {
  if (typeof shape === 'string' || shape instanceof Set) return ofKind(value, shape, secrets);
  if (value === null) return null;
  if (isList(shape)) return Array.isArray(value) ? value.map((each) => listed(each, shape[0], secrets)) : WITHHELD;
  if (!isFields(value) || !isMembers(shape)) return WITHHELD;
  const members = Object.entries(shape).map(([name, each]) => {
    const member = value[name];
    return [name, member === undefined ? member : listed(member, each, secrets)];
  });
  return Object.fromEntries(members);
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);
const isMembers = (shape: Shape | null): shape is { readonly [name: string]: Shape } =>
  isFields(shape) && !(shape instanceof Set);
