/**
 * The customer's screen in small, and in words: a calm black frame must not look like a broken one.
 * @import { ConsoleState } from '../../console-view.ts'
 * @import { DisplayStateView } from '../../display-view.ts'
 */
import { part, setText } from '../dom.js';
import { formatRoubles } from '../money.js';

/** @param {DisplayStateView} display */
function captionOf({ kind, status, amount }) {
  if (kind === 'clear') return 'A blank screen';
  if (kind === 'status') return status === 'success' ? 'The success symbol' : 'The failure symbol';
  return amount === undefined ? 'A code without an amount' : `A code to pay ${formatRoubles(amount)}`;
}

/** @param {HTMLElement} root */
export function mountMirror(root) {
  const caption = part(root, '.caption');
  const advice = part(root, '.advice');
  return {
    /** @param {ConsoleState} state */
    onState({ display, settings }) {
      setText(caption, captionOf(display));
      const isOut = settings.display !== null && display.display.state !== 'ready';
      setText(advice, isOut ? 'The display itself is not connected now: see Health.' : '');
    },
    onLost() {
      setText(caption, '');
      setText(advice, '');
    },
  };
}
