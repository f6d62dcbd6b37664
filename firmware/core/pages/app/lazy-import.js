/** Loads parts of a page late. An updated device no longer has this page's parts: the page then reloads itself. */
import { request } from './api.js';

/** Address of this page's main script; it changes with each version of the pages. */
const own = document.querySelector('script')?.src;

/** @template Module @param {() => Promise<Module>} load @returns {Promise<Module>} */
export async function lazyImport(load) {
  try {
    return await load();
  } catch (error) {
    // where the device does not answer this either, it is not a matter of versions
    const page = await request(location.pathname)
      .then((answer) => answer.text())
      .catch(() => null);
    if (page === null) throw error;
    const now = new DOMParser().parseFromString(page, 'text/html').querySelector('script');
    if (now !== null && now.src !== own) location.reload();
    throw error;
  }
}
