/** A key by which the device recognises an action that is sent again. */

const BYTES = 12;

/** An id for the path of an action. `crypto.randomUUID` is not there on a page of plain HTTP. */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const newKey = () => `console/${newId()}`;
