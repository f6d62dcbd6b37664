/**
 * Tells whether a request comes from a browser, and whether its session counts. A browser cannot leave out what shows
 * that: it sends `Sec-Fetch-Site` to every address that it trusts (https, and always `127.0.0.1` and `localhost`),
 * `Origin` with requests and changes from another page, to other addresses `Referer` from our pages, and
 * `Upgrade-Insecure-Requests` with a typed address.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Owner } from './credentials.ts';

/** Somebody who has signed in at a page. */
export interface PageSession {
  readonly owner: Owner;
  readonly by: 'pin' | 'token';
}

export interface PageSessions {
  /** Whether pages of this machine must sign in, too. */
  readonly isLocked: boolean;
  /** Name of the cookie. */
  readonly cookie: string;
  /** @returns null for an unknown or ended session */
  find(secret: string): PageSession | null;
  /** Records that a person did something. */
  use(secret: string): void;
  /** @param changed called when somebody may do less than before @returns ends the calls */
  onChange(changed: () => void): () => void;
}

export const NO_SESSIONS: PageSessions = Object.freeze({
  isLocked: false,
  cookie: '',
  find: () => null,
  use: () => undefined,
  onChange: () => () => undefined,
});

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isChange = (method: string): boolean => !SAFE.has(method);

/** The value of a cookie; null where none of that name was sent. */
export function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  for (const pair of cookie.split(';')) {
    const [key = '', ...value] = pair.split('=');
    if (name !== '' && key.trim() === name) return value.join('=').trim();
  }
  return null;
}

/** Whether a person opens an address, not a page's script: only then the browser’s dialogue helps. */
export const isNavigation = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || headers['upgrade-insecure-requests'] !== undefined;

/**
 * Whether a request comes from a browser. A program may send `Sec-Fetch-Site: none` outside of any page, and
 * `Sec-Fetch-Mode` besides.
 */
export function isOfBrowser(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return (
    isNavigation(headers) ||
    (site !== undefined && site !== 'none') ||
    headers.origin !== undefined ||
    headers.referer !== undefined
  );
}

/** Whether a page of the device sent a request, as far as the browser says so; `Origin` was checked before. */
export function isOwnPages(headers: IncomingHttpHeaders, method: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site') return false;
  if (headers.origin !== undefined || site === 'same-origin') return true;
  return !isChange(method) && site !== 'same-site';
}
