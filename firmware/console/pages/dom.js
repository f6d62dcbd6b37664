/** Text goes into the page as text and nothing else: what a till or a bank has written never becomes markup. */

/** @returns {HTMLElement} @param {(Node | string)[]} children */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Changes the text only where it differs: a screen reader must not hear the same again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Fills a list anew when it differs from what it was filled with. */
export function fill(list, entries, make) {
  const key = JSON.stringify(entries);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...entries.map(make));
}

/** The outcome of a deed, read aloud. @param {'good' | 'bad' | 'busy'} kind */
export function tell(node, kind, text) {
  node.dataset.kind = kind;
  node.textContent = text;
}
