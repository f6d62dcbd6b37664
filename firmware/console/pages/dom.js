/** Text goes into the page as text and nothing else: what a till or a bank has written never becomes markup. */

/**
 * The node of a page that a selector names: it is in the page's own HTML.
 * @template {Element} [Kind=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {abstract new () => Kind} [kind] of node; any of HTML when left out
 * @returns {Kind}
 * @throws where the page has none
 */
export function part(root, selector, kind) {
  const found = root.querySelector(selector);
  if (found === null || !(found instanceof (kind ?? HTMLElement))) throw new Error(`the page has no ${selector}`);
  return /** @type {Kind} */ (found);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/**
 * Changes the text only where it differs: a screen reader must not hear the same again.
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Fills a list anew when it differs from what it was filled with.
 * @template Entry
 * @param {HTMLElement} list
 * @param {readonly Entry[]} entries
 * @param {(entry: Entry) => Node} make
 */
export function fill(list, entries, make) {
  const key = JSON.stringify(entries);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...entries.map((entry) => make(entry)));
}

/**
 * The outcome of a deed, read aloud.
 * @param {HTMLElement} node
 * @param {'good' | 'bad' | 'busy'} kind
 * @param {string} text
 */
export function tell(node, kind, text) {
  node.dataset.kind = kind;
  node.textContent = text;
}
