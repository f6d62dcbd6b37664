/**
 * The customer's screen: draws the device's current picture. Where the device does not answer, it says so, and shows no
 * picture that may be outdated. `?lang=ru`, `en` or `both` gives this window another language than the device's.
 * @import { DisplayEvent } from '../display-view.ts'
 */
import { DISPLAY_LANGUAGES } from '/console/assets/languages.js';
import { follow } from '../../core/pages/app/live-state.js';
import { PageSpeaker } from '../../core/pages/app/sound.js';
import { Picture } from './picture/picture.js';
import { node, wordNode } from './picture/picture-parts.js';
import { languagesOf, WORDS } from './picture/picture-words.js';

const wanted = new URLSearchParams(location.search).get('lang');
const language = DISPLAY_LANGUAGES.find((name) => name === wanted) ?? null;
const [first] = languagesOf(language ?? 'both');

document.documentElement.lang = first;
document.title = WORDS.screen[first];
const screen = node('main', '', wordNode('h1', 'unseen', 'screen', language ?? 'both'));
const place = node('div', '');
place.setAttribute('aria-live', 'polite');
screen.append(place);
document.body.append(screen);
const picture = new Picture(place, language);
const touch = wordNode('p', 'touch', 'touch', language ?? 'both');
touch.hidden = true;
screen.append(touch);
const speaker = new PageSpeaker('display', (isWaiting) => {
  touch.hidden = !isWaiting;
});

follow('/display/events', {
  /** @param {DisplayEvent} state */
  onState: (state) => {
    picture.show(state);
    speaker.follow(state.sound);
  },
  onLost: () => {
    picture.lose();
    speaker.lose();
  },
});
