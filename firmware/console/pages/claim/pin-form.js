/** The form of the claim page for a person who has lost the technician's PIN: the code sets another one. */
import { LIMITS } from '/console/assets/limits.js';
import { html } from '/console/assets/preact.js';
import { ClaimForm, post } from './claim-form.js';

const PIN = new RegExp(`^\\d{${LIMITS.shortestPin},${LIMITS.longestPin}}$`);
const FIELD = /** @type {const} */ ({
  name: 'pin',
  label: 'pins.field',
  help: 'pins.help',
  inputmode: 'numeric',
  most: LIMITS.longestPin,
});

/** @param {string} pin @returns {'signIn.noPin' | null} */
const problemOf = (pin) => (PIN.test(pin) ? null : 'signIn.noPin');

/** @param {string} code @param {string} pin */
async function replacePin(code, pin) {
  await post('/console/api/claim/pin', { code, pin });
  location.assign('/');
}

export const PinForm = () =>
  html`<${ClaimForm} intro="claim.pinWords" button="claim.setPin" field=${FIELD} problemOf=${problemOf} send=${replacePin} />`;
