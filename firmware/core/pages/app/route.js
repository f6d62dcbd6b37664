/** The open page. Its name follows the # of the address, so that it outlives a reload and can be sent to somebody. */
import { useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { isUnsaved } from './drafts.js';
import { featurePage, pagesAt, withFeatures } from './feature-pages.js';

const PAGES = ['lane', 'payments', 'items', 'camera', 'store', 'device', 'welcome'];
/** Names of the pages in the rail, in order. */
export const railPages = () => withFeatures(PAGES, 'rail');
/** The feature page that has this address and the whole screen. */
export const pageOfAddress = () => pagesAt('alone').find(({ address }) => address === location.pathname);
/** Whether a page, or the page of a view, exists. @param {string} name as `payments/shifts` */
export const isPage = (name) => PAGES.includes(name.split('/')[0] ?? '') || featurePage(name) !== undefined;

/** @typedef {import('./feature-pages.js').Route} Route */

/** @param {string} part of an address @returns {string} decoded; unchanged where it cannot be decoded */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {string} hash of an address @returns {Route} the lane's page where the address names none */
export function routeOf(hash) {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...parts] = path.split('/').map(decoded);
  const rest = parts.filter((part) => part !== '');
  const isOwn = PAGES.includes(name) || ['rail', 'alone'].includes(featurePage(name)?.place ?? '');
  const page = isOwn ? name : 'lane';
  return { page, path: page === name ? rest : [], query: new URLSearchParams(query) };
}

/**
 * @param {string} page
 * @param {readonly string[]} [path]
 * @param {Readonly<Record<string, string>>} [query] empty values are left out
 */
export function hrefOf(page, path = [], query = {}) {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#/${[page, ...path].map(encodeURIComponent).join('/')}${words === '' ? '' : `?${words}`}`;
}

/**
 * For a page that opens another one after the device's answer; to be called before the wait for the answer.
 * @returns {(href: string) => void} opens an address, unless a person has gone to another page meanwhile
 */
export function fromHere() {
  const { hash } = location;
  return (href) => {
    if (location.hash === hash) location.assign(href);
  };
}

/** The page and path of an address, without its query. @param {string} hash */
const placeOf = (hash) => hash.split('?')[0];

/** Index of the present step in the browser's history; 0 where the browser does not say it. */
const stepNow = () => globalThis.navigation?.currentEntry?.index ?? 0;

/**
 * @returns {{route: Route, leaving: {go: () => void, stay: () => void} | null}} `leaving`: set where a person wants
 *   another page, and text on this one is not saved
 */
export function useRoute() {
  const [hash, setHash] = useState(location.hash);
  const [wanted, setWanted] = useState(/** @type {string | null} */ (null));
  const step = useRef(0);
  useLayoutEffect(() => {
    step.current = stepNow();
    const follow = () => {
      const isAsked = isUnsaved() && placeOf(location.hash) !== placeOf(hash);
      setWanted(isAsked ? location.hash : null);
      if (!isAsked) setHash(location.hash);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [hash]);
  const leaving = wanted !== null && {
    go: () => {
      setHash(wanted);
      setWanted(null);
    },
    stay: () => {
      const way = step.current - stepNow();
      // the question closes once the browser is there
      if (way !== 0) return history.go(way);
      history.replaceState(null, '', hash);
      setWanted(null);
    },
  };
  const own = pageOfAddress();
  return {
    route: routeOf(hash === '' && own !== undefined ? hrefOf(own.name) : hash),
    leaving: leaving || null,
  };
}
