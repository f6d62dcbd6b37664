/** The recognition area: where it is, and how it is changed. @import { Area, Size } from './camera-area.js' */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { t } from '../../../core/pages/app/language.js';
import { Button, Card, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';
import { asCalibration, typedArea } from './camera-area.js';

const NUMBERS = /** @type {const} */ (['left', 'top', 'width', 'height']);

/** What is being typed stands until it is done, however often the page is drawn meanwhile. @param {{name: typeof NUMBERS[number], value: number, onType: (value: number) => void}} properties */
function Side({ name, value, onType }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const done = (/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => {
    if (text === null) return;
    setText(null);
    if (currentTarget.value !== '') onType(Math.round(currentTarget.valueAsNumber));
  };
  return html`<${TextField} id="area-${name}" label=${t(`camera.${name}`)}
    type="number" inputmode="numeric" min="0" value=${text ?? value} onText=${setText} onChange=${done} onBlur=${done} />`;
}

/** @param {{area: Area, frame: Size, draft: Area | null, onDraft: (area: Area | null) => void}} properties */
export function Placing({ area, frame, draft, onDraft }) {
  const { action, isBusy, run } = useAction();
  const shown = draft ?? area;
  const keep = async () => {
    const json = asCalibration(shown, frame);
    const isKept = await run(() => ask('/console/api/camera/area', { method: 'PUT', json }), 'camera.kept');
    if (isKept) onDraft(null);
  };
  return html`<${Card} id="area" title=${t('camera.area')}>
    <p class="soft" id="area-help">${draft === null ? t('camera.areaWords') : t('camera.areaHelp')}</p>
    <details>
      <summary>${t('camera.numbers')}</summary>
      ${
        draft === null
          ? html`<p>${t('camera.areaNow', { ...area, frameWidth: frame.width, frameHeight: frame.height })}</p>`
          : html`<div class="numbers">
              ${NUMBERS.map((name) => html`<${Side} key=${name} name=${name} value=${shown[name]} onType=${(/** @type {number} */ value) => onDraft(typedArea(shown, name, value, frame))} />`)}
            </div>`
      }
    </details>
    ${
      draft === null
        ? html`<${Button} onClick=${() => onDraft(area)}>${t('camera.change')}</${Button}>`
        : html`<p class="advice">${t('camera.forgets')}</p>
            <div class="buttons">
              <${Button} kind="primary" onClick=${keep} disabled=${isBusy}>${t('camera.keep')}</${Button}>
              <button type="button" onClick=${() => onDraft({ left: 0, top: 0, width: frame.width, height: frame.height })}>${t('camera.whole')}</button>
              <button type="button" onClick=${() => onDraft(null)}>${t('camera.back')}</button>
            </div>`
    }
    <${Outcome} action=${action} />
  </${Card}>`;
}
