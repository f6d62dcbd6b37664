/** What a page loads late. After an update the device no longer has the parts of this page: then the page reloads itself. */
import { request } from './api.js';

/** Names all that this page was made of. */
const own = document.querySelector('script')?.src;

/** @template Module @param {() => Promise<Module>} load @returns {Promise<Module>} */
export async function lazyImport(load) {
  try {
    return await load();
  } catch (error) {
    // where the device does not answer either, what has failed is the load
    const page = await request(location.pathname)
      .then((answer) => answer.text())
      .catch(() => null);
    if (page === null) throw error;
    const now = new DOMParser().parseFromString(page, 'text/html').querySelector('script');
    if (now !== null && now.src !== own) location.reload();
    throw error;
  }
}
