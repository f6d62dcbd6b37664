/** The customer's picture in small, drawn from the console's own stream: a window has one. @import { ConsoleState } from '../../console-view.ts' */
import { html, useEffect, useRef } from '/console/assets/preact.js';
import { Picture } from '../picture/picture.js';

/** @param {{display: ConsoleState['display'] | null, words: string}} properties `display`: null while the device does not answer */
export function Mirror({ display, words }) {
  /** @type {{current: HTMLElement | null}} */
  const place = useRef(null);
  /** @type {{current: Picture | null}} */
  const picture = useRef(null);
  useEffect(() => {
    if (place.current === null) return;
    picture.current = new Picture(place.current);
    return () => picture.current?.close();
  }, []);
  useEffect(() => {
    if (display === null) picture.current?.lose();
    else picture.current?.show(display);
  }, [display]);
  return html`<div class="mirror" role="img" aria-label=${words}><div ref=${place}></div></div>`;
}
