/** Checks the content of a receipt's code: a link for a phone's browser, or the text of a fiscal code. */

/**
 * Most bytes of UTF-8 in a code. It then has 69 modules a side (version 13, correction M), and a module has 3 pixels on
 * the smallest displays, of 240 by 320.
 */
export const MAX_RECEIPT_BYTES = 300;

const HTTPS = /^https:\/\/[^/\\]/;
/** How a text begins that a phone treats as a link or a command: `tel:`, `WIFI:`, `javascript:`. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/**
 * A link of the payment system, or the requisites of a transfer (GOST R 56042): a customer who has paid must not be asked to
 * pay again.
 */
const OF_PAYMENTS = /nspk\.ru|^ST\d{5}\|/i;

/** As a phone reads a link: its host's letters may be written as codes. */
const asRead = (payload: string): string => (URL.canParse(payload) ? new URL(payload).href : payload);

const hasLogin = (link: string): boolean => {
  const { username, password } = new URL(link);
  return username !== '' || password !== '';
};

/**
 * What is wrong with the content of a receipt's code, as the end of a sentence that begins with the field's name; null
 * for nothing.
 * @param codeOfPayment content of the code by which the customer has paid
 */
export function receiptProblem(payload: string, codeOfPayment: string | null): string | null {
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_RECEIPT_BYTES)
    return `must have 1 to ${MAX_RECEIPT_BYTES} bytes of UTF-8, so that small displays show it; it has ${bytes}: send a shorter link`;
  if (payload.trim() !== payload) return 'must not begin or end with a blank';
  if (payload === codeOfPayment || OF_PAYMENTS.test(payload) || OF_PAYMENTS.test(asRead(payload)))
    return 'must be the code of the receipt; it is a code to pay by';
  if (!SCHEME.test(payload)) return null;
  if (!HTTPS.test(payload) || !URL.canParse(payload))
    return 'must be a link that begins with https://, or the text of a fiscal code';
  return hasLogin(payload) ? 'must hold no user name and no password' : null;
}
