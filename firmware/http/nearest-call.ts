/** The call that an unknown path may mean: it is misspelt, or of the device's other port. */
import { lettersApart } from '../../drivers/lib/nearest.ts';
import { routeName } from '../host/index.ts';
import { RECOGNITION_ROLES, type Roles, TERMINAL_ROLES } from './guard/roles.ts';

/** Share of a call's own letters that may be wrong. */
const MOST_WRONG = 0.5;
/** What many calls begin with: not a letter of their own. */
const SHARED = /^\/(v1|api)\//;
/** A place in a path that is anything: an id. */
const PLACE = /:(\w+)/g;
/** What the pages call for themselves. */
const OF_PAGES = /^\/((console|reference|errors)\/.*|errors)?$/;

export interface KnownCall {
  readonly method: string;
  /** With its places: `/v1/payments/:id`. */
  readonly url: string;
  /** Of which server of the device it is, where it is not this one's. */
  readonly elsewhere: 'the payment terminal' | 'recognition' | null;
}

function callsOf(roles: Roles, elsewhere: KnownCall['elsewhere']): KnownCall[] {
  return Object.keys(roles).flatMap((route) => {
    const [method = '', path = ''] = route.split(' ');
    const url = routeName(path);
    return OF_PAGES.test(url) ? [] : [{ method, url, elsewhere }];
  });
}

/** What can be called of a device, the calls of the server itself first. @param roles of the server's own routes */
export function knownCalls(name: 'terminal' | 'recognition', roles: Roles): KnownCall[] {
  const others =
    name === 'terminal' ? callsOf(RECOGNITION_ROLES, 'recognition') : callsOf(TERMINAL_ROLES, 'the payment terminal');
  return [...callsOf(roles, null), ...others];
}

/** A call's path with the ids of the one that was asked for in its places, where both have as many parts. */
function filled(url: string, path: string): string {
  const parts = path.split('/');
  const own = url.split('/');
  return own.length === parts.length ? own.map((part, at) => (part.startsWith(':') ? parts[at] : part)).join('/') : url;
}

const ownLetters = ({ url }: KnownCall): number => url.replace(PLACE, '').replace(SHARED, '').length;

/** The call that is most like a request that none takes; null where none is. Of two alike the one with its method. */
export function nearestCall(method: string, path: string, calls: readonly KnownCall[]): KnownCall | null {
  const [best] = calls
    .map((call) => ({ call, apart: lettersApart(filled(call.url, path), path) }))
    .filter(({ call, apart }) => apart < ownLetters(call) * MOST_WRONG)
    .toSorted((one, other) => one.apart - other.apart || misses(one.call, method) - misses(other.call, method));
  return best?.call ?? null;
}

const misses = (call: KnownCall, method: string): number => (call.method === method ? 0 : 1);

/** To follow "there is no /showqr2 here": "; the nearest call is POST /showQR". */
export function directionsTo(call: KnownCall | null): string {
  if (call === null) return '; /reference shows the calls, /openapi.json lists them';
  const name = `${call.method} ${call.url.replace(PLACE, '{$1}')}`;
  return call.elsewhere === null
    ? `; the nearest call is ${name}`
    : `; ${name} is a call of ${call.elsewhere}, on the device's other port`;
}
