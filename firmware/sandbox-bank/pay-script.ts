/** The script of the payer's page: without it the page works too, but shows the end only after a button is pressed. */

/** How often an open page asks whether the payment has ended elsewhere. */
const ASK_MS = 2000;
const ANSWER_MS = 5000;

/** Runs in the browser. It asks while it is seen, and loads the page anew where the state has become another. */
export const PAY_SCRIPT = `
const { state, id, lost } = document.body.dataset;
const left = document.getElementById('left');
const note = document.getElementById('note');
const ask = async () => {
  if (!document.hidden) {
    try {
      const answer = await fetch(location.pathname + '/state' + location.search, { signal: AbortSignal.timeout(${ANSWER_MS}) });
      const now = await answer.json();
      if (now.state !== state || now.id !== id) return location.reload();
      if (left !== null && left.textContent !== now.left) left.textContent = now.left;
      note.textContent = '';
    } catch {
      note.textContent = lost;
    }
  }
  setTimeout(ask, ${ASK_MS});
};
setTimeout(ask, ${ASK_MS});
`;
