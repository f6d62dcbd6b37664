/**
 * Whether a request is one of a browser, and whether the session that it carries counts. A browser cannot leave out what shows it: it sends
 * `Sec-Fetch-Site` to every address that it trusts (https, and `127.0.0.1` and `localhost` in any case), `Origin` with what another page asks for or
 * changes, and to the others `Referer` from our pages, and `Upgrade-Insecure-Requests` with what is typed into its line of addresses.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Owner } from './credentials.ts';

/** Somebody who has signed in at a page. */
export interface PageSession {
  readonly owner: Owner;
  readonly by: 'pin' | 'token';
}

export interface PageSessions {
  /** Whether pages of this machine, too, are asked who sits there. */
  readonly isLocked: boolean;
  /** Name of the cookie. */
  readonly cookie: string;
  /** @returns null where there is no such session, or none any more */
  find(secret: string): PageSession | null;
  /** A person has done something. */
  use(secret: string): void;
  /** @param changed called when somebody may do less than before @returns what ends it */
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

/** Whether a person opens an address, and not a script of a page: only then the browser’s dialogue is of use. */
export const isNavigation = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || headers['upgrade-insecure-requests'] !== undefined;

/** Whether it comes from a browser. A program may send `Sec-Fetch-Site: none` outside of any page, and `Sec-Fetch-Mode` besides. */
export function isOfBrowser(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return (
    isNavigation(headers) ||
    (site !== undefined && site !== 'none') ||
    headers.origin !== undefined ||
    headers.referer !== undefined
  );
}

/** Whether a page of the device itself has made it, as far as the browser says so; `Origin` was looked at before. */
export function isOwnPages(headers: IncomingHttpHeaders, method: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site') return false;
  if (headers.origin !== undefined || site === 'same-origin') return true;
  return !isChange(method) && site !== 'same-site';
}
