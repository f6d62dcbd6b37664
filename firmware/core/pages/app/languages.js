/** The choice of the language, on every page. */
import { LANGUAGES } from '/console/assets/languages.js';
import { html } from '/console/assets/preact.js';
import { chooseLanguage, t, useWords } from './language.js';

export function Languages() {
  const { language } = useWords();
  return html`<div class="languages" role="group" aria-label=${t('language')}>
    ${LANGUAGES.map(
      (name) =>
        html`<button
          type="button"
          key=${name}
          lang=${name}
          aria-pressed=${String(name === language)}
          onClick=${() => chooseLanguage(name)}
        >${name.toUpperCase()}</button>`,
    )}
  </div>`;
}
