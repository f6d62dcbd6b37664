/** The form of the claim page that makes a technician's token, or stores the one that the person chose. */
import { LIMITS } from '/console/assets/limits.js';
import { html } from '/console/assets/preact.js';
import { CallError } from '../../../core/pages/app/api.js';
import { ClaimForm, post } from './claim-form.js';

const FIELD = /** @type {const} */ ({
  name: 'token',
  label: 'claim.own',
  help: 'claim.ownHelp',
  inputmode: 'text',
  most: LIMITS.ownToken,
});

/** @param {unknown} error @returns {'claim.wrongToken' | null} */
const refusalOf = (error) => (error instanceof CallError && error.field === 'token' ? 'claim.wrongToken' : null);

/** Signs in with the token, so that the console need not ask for it; where that fails, the console asks. @param {string} token */
const signIn = (token) => post('/console/api/session', { token }).catch(() => undefined);

/** @param {{onMade: (token: string) => void}} properties */
export function TokenForm({ onMade }) {
  /** @param {string} code @param {string} chosen token of the person; empty: the device makes one */
  const makeToken = async (code, chosen) => {
    /** @type {{token: string}} */
    const { token } = await post('/console/api/claim', { code, ...(chosen === '' ? {} : { token: chosen }) });
    await signIn(token);
    onMade(token);
  };
  return html`<${ClaimForm} intro="claim.words" button="claim.make" field=${FIELD} refusalOf=${refusalOf} send=${makeToken} />`;
}
