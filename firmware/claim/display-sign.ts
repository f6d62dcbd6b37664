/** Codes for the technician on the customer's display: a link that a phone opens, and words for a page. */

import type { Picture } from '../../drivers/display/contract.ts';
import { payloadProblem } from '../../drivers/display/payload.ts';
import type { Terminal } from '../terminal/index.ts';
import { claimLink } from './claim-address.ts';
import type { Sign } from './claims.ts';

type Shown = Pick<Terminal, 'showClaim'> & {
  readonly screen: Pick<Terminal['screen'], 'claim' | 'endClaim' | 'displayState'>;
};

const payloadOf = (picture: Picture | null): string | null => (picture?.kind === 'qr' ? picture.payload : null);

export class DisplaySign implements Sign {
  readonly #terminal: Shown;
  readonly #address: () => string;

  /** @param address of the page that a code is typed into, as it is now */
  constructor(terminal: Shown, address: () => string) {
    this.#terminal = terminal;
    this.#address = address;
  }

  get isShown(): boolean {
    return this.#terminal.screen.claim !== null;
  }

  get hasDisplay(): boolean {
    return this.#terminal.screen.displayState.name === 'ready';
  }

  /** Draws nothing where the same stands there already. */
  show(code: string): boolean {
    const address = this.#address();
    const payload = claimLink(address, code);
    if (payloadOf(this.#terminal.screen.claim) === payload) return true;
    const problem = payloadProblem(payload);
    if (problem !== null) throw new RangeError(`the link to the page of the code ${problem}`);
    return this.#terminal.showClaim({ kind: 'qr', payload, claim: { code, address } });
  }

  hide(): void {
    this.#terminal.screen.endClaim();
  }
}
