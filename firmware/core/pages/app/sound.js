/**
 * Plays in the browser what the device says, where it has no speaker of its own: each new sound once, and nothing of
 * before the page was open or was lost. A browser lets a page play after the first touch; the device is told whether it
 * does.
 */

/** @typedef {{readonly number: number, readonly path: string, readonly isOnDisplay: boolean}} Sound */

/** How often a page says that it is still open. */
const REPORT_EVERY_MS = 60_000;
const GESTURES = /** @type {const} */ (['pointerdown', 'keydown']);

export class PageSpeaker {
  /** @type {'display' | 'checkout'} */
  #page;
  /** @type {(isWaiting: boolean) => void} */
  #onWaiting;
  #id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  /** @type {AudioContext | null} */
  #context = null;
  /** Of the last sound that was seen. @type {number | null} */
  #number = null;
  /** @type {Sound | null} */
  #sound = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #reporting;
  #wake = () => void this.#context?.resume();

  /**
   * @param {'display' | 'checkout'} page
   * @param {(isWaiting: boolean) => void} onWaiting called with whether the page needs a touch before it can play
   */
  constructor(page, onWaiting) {
    this.#page = page;
    this.#onWaiting = onWaiting;
  }

  /** Takes the state of the device; a device of an older release sends none. @param {Sound | null} [sound] */
  follow(sound = null) {
    if (sound === null) return this.close();
    const isNew = this.#number !== null && this.#number !== sound.number;
    this.#sound = sound;
    this.#number = sound.number;
    if (this.#context === null) this.#open();
    else this.#onWaiting(this.#isWaiting);
    if (isNew && this.#plays && !this.#isLeftToDisplay) void this.#play(sound);
  }

  /** The device is lost: what it says meanwhile is not made up for. */
  lose() {
    this.#number = null;
  }

  close() {
    clearInterval(this.#reporting);
    for (const gesture of GESTURES) removeEventListener(gesture, this.#wake);
    void this.#context?.close();
    this.#context = null;
    this.#sound = null;
    this.#number = null;
    this.#onWaiting(false);
  }

  get #plays() {
    return this.#context?.state === 'running';
  }

  get #isLeftToDisplay() {
    return this.#page === 'checkout' && this.#sound?.isOnDisplay === true;
  }

  get #isWaiting() {
    return this.#context !== null && !this.#plays && !this.#isLeftToDisplay;
  }

  #open() {
    const context = new AudioContext();
    this.#context = context;
    context.addEventListener('statechange', () => {
      if (context === this.#context) this.#changed();
    });
    for (const gesture of GESTURES) addEventListener(gesture, this.#wake);
    this.#reporting = setInterval(() => void this.#report(), REPORT_EVERY_MS);
    this.#changed();
  }

  #changed() {
    this.#onWaiting(this.#isWaiting);
    void this.#report();
  }

  async #report() {
    if (this.#sound === null) return;
    const body = JSON.stringify({ id: this.#id, page: this.#page, plays: this.#plays });
    try {
      await fetch(this.#sound.path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    } catch (error) {
      console.warn('the device does not hear whether this page can play', error); // told again in a minute
    }
  }

  /** @param {Sound} sound */
  async #play({ path, number }) {
    const context = this.#context;
    try {
      const answer = await fetch(`${path}?number=${number}`);
      if (!answer.ok || context === null) return;
      const source = context.createBufferSource();
      source.buffer = await context.decodeAudioData(await answer.arrayBuffer());
      source.connect(context.destination);
      source.start();
    } catch (error) {
      console.warn('a sound could not be played', error); // the screen of the till is the proof
    }
  }
}
