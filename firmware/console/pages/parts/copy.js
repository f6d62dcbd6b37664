/** Puts a text where it can be pasted. A page of plain HTTP has no clipboard: there the text is selected, to be copied by hand. */

/** @param {Event} event of the button beside the text @param {string} text @returns {Promise<boolean>} whether it is copied */
export async function copyText(event, text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const shown = /** @type {HTMLElement} */ (event.currentTarget ?? event.target)
      .closest('dialog, section')
      ?.querySelector('code');
    if (shown) getSelection()?.selectAllChildren(shown);
    return false;
  }
}
