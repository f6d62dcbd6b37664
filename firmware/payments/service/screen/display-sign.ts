/** Shows on the customer's display the code by which a technician claims the device: as a link for a phone, and as text. */
import type { Picture } from '../../../../drivers/display/contract.ts';
import { payloadProblem } from '../../../../drivers/display/payload.ts';
import { claimLink, type Sign } from '../../../core/access/index.ts';
import type { Screen } from './screen.ts';

/** The part of the terminal that shows the code. */
interface ClaimScreen {
  readonly screen: Pick<Screen, 'claim' | 'endClaim' | 'displayState'>;
  /** @returns whether the picture is shown now */
  showClaim(picture: Picture): boolean;
}

const payloadOf = (picture: Picture | null): string | null => (picture?.kind === 'qr' ? picture.payload : null);

/** @param addressNow address of the page where a person types the code */
export const displaySign = (terminal: ClaimScreen, addressNow: () => string): Sign => ({
  get isShown(): boolean {
    return terminal.screen.claim !== null;
  },

  get hasDisplay(): boolean {
    return terminal.screen.displayState.name === 'ready';
  },

  /** Draws nothing where the same code is on the display already. */
  show(code: string): boolean {
    const address = addressNow();
    const payload = claimLink(address, code);
    if (payloadOf(terminal.screen.claim) === payload) return true;
    const problem = payloadProblem(payload);
    if (problem !== null) throw new RangeError(`the link to the page of the code ${problem}`);
    return terminal.showClaim({ kind: 'qr', payload, claim: { code, address } });
  },

  hide(): void {
    terminal.screen.endClaim();
  },
});
