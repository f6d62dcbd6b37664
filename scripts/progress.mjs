// How far something long has come: on a terminal one line that is written anew in its place and leaves nothing behind,
// elsewhere (a log, CI) a plain line now and then. Node 20, no packages: setup.mjs needs it before there are any.
const REDRAW_MS = 200;
const PLAIN_LINE_MS = 10_000;
const CLEAR_LINE = '\r\u001b[K';

/**
 * @param say writes a line that stays
 * @param stream what the line is drawn on
 * @returns `show` takes what is being done now, `end` clears the line and returns the seconds that it took
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
