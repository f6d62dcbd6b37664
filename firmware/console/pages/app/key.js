/** A key by which the device knows a action that is sent again. */

const BYTES = 12;

/** Names a action by its path. `crypto.randomUUID` is not there on a page of plain HTTP. */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const newKey = () => `console/${newId()}`;
