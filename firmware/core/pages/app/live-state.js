/** Follows a stream of the device's state. A silent stream counts as lost: `onLost` then hides outdated data. */

/** Beats that may be missed before the device counts as lost. */
const MISSED_BEATS = 2.5;
const RECONNECT_MS = 1000;
/** Interval of beats until the device has sent its own. */
const FIRST_BEAT_MS = 2000;

/**
 * @template State
 * @param {string} url a stream of server-sent events: `hello` {pages, beatMs}, states as messages, `beat`
 * @param {{onState: (state: State) => void, onLost: () => void}} handlers `onLost` may be called more than once in a row
 * @param {readonly string[]} [events] events that carry states
 * @returns a function that ends the stream
 */
export function follow(url, { onState, onLost }, events = ['message']) {
  /** @type {EventSource | null} */
  let source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let reconnect;
  let beatMs = FIRST_BEAT_MS;
  /** @type {string | null} */
  let pages = null;

  const close = () => {
    clearTimeout(silence);
    clearTimeout(reconnect);
    source?.close();
    source = null;
  };
  const lost = () => {
    close();
    onLost();
    if (!document.hidden) reconnect = setTimeout(open, RECONNECT_MS);
  };
  const restart = () => {
    clearTimeout(silence);
    silence = setTimeout(lost, beatMs * MISSED_BEATS);
  };
  /** @param {MessageEvent<string>} event */
  const greet = ({ data }) => {
    restart();
    const hello = JSON.parse(data);
    beatMs = hello.beatMs;
    // the device was updated: the page must be loaded anew
    if (pages !== null && pages !== hello.pages) location.reload();
    pages = hello.pages;
  };
  /** @param {MessageEvent<string>} event */
  const show = ({ data }) => {
    restart();
    try {
      onState(JSON.parse(data));
    } catch (error) {
      // a state that cannot be drawn must not leave the one before on the screen
      lost();
      throw error;
    }
  };
  function open() {
    close();
    restart();
    source = new EventSource(url);
    source.addEventListener('hello', greet);
    source.addEventListener('beat', restart);
    source.addEventListener('error', lost);
    for (const event of events) source.addEventListener(event, show);
  }

  // a hidden page holds no connection: a browser has only six for a device
  const react = () => (document.hidden ? lost() : open());
  document.addEventListener('visibilitychange', react);
  addEventListener('pagehide', close);
  open();
  return () => {
    document.removeEventListener('visibilitychange', react);
    removeEventListener('pagehide', close);
    close();
  };
}
