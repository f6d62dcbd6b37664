/** What a page loads late. After an update of the device it has no more what this page was made of: then the page loads itself anew. */

/** Names all that this page was made of. */
const own = document.querySelector('script')?.src;

/** @template Module @param {() => Promise<Module>} load @returns {Promise<Module>} */
export async function late(load) {
  try {
    return await load();
  } catch (error) {
    const answer = await fetch(location.pathname);
    const now = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('script');
    if (now !== null && now.src !== own) location.reload();
    throw error;
  }
}
