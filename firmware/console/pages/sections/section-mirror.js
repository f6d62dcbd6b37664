/** The customer's screen in small, and in words: a calm black frame must not look like a broken one. */
import { setText } from '../dom.js';
import { formatRoubles } from '../money.js';

function captionOf({ kind, status, amount }) {
  if (kind === 'clear') return 'A blank screen';
  if (kind === 'status') return status === 'success' ? 'The success symbol' : 'The failure symbol';
  return amount === undefined ? 'A code without an amount' : `A code to pay ${formatRoubles(amount)}`;
}

export function mountMirror(root) {
  const caption = root.querySelector('.caption');
  const advice = root.querySelector('.advice');
  return {
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
