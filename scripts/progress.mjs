// Shows the progress of something long: on a terminal in one line that is redrawn and removed at the end, elsewhere (a
// log, CI) in a plain line now and then. Node 20, no packages: setup.mjs needs it before packages are installed.
const REDRAW_MS = 200;
const PLAIN_LINE_MS = 10_000;
const CLEAR_LINE = '\r\u001b[K';

/**
 * @param say writes a line that stays
 * @param stream where the line is drawn
 * @returns `show` sets the present step, `end` clears the line and returns the seconds taken
 */
export function startProgress(say, stream = process.stderr) {
  const began = Date.now();
  const isDrawn = stream.isTTY === true && process.env.TERM !== 'dumb';
  let doing = '';
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const draw = () => {
    const line = `${doing} (${seconds()} s)`;
    if (!isDrawn) return say(line);
    stream.write(`${CLEAR_LINE}${line.slice(0, (stream.columns || 80) - 1)}`);
  };
  const timer = setInterval(draw, isDrawn ? REDRAW_MS : PLAIN_LINE_MS);
  timer.unref();
  return {
    show(what) {
      doing = what;
      if (isDrawn) draw();
    },
    end() {
      clearInterval(timer);
      if (isDrawn) stream.write(CLEAR_LINE);
      return seconds();
    },
  };
}
