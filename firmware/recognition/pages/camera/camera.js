/** The page of the camera: what it sees, which part the device looks at, and the device's answer. @import { Area, Size } from './camera-area.js' */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask, wordsOf } from '../../../core/pages/app/api.js';
import { useBusy } from '../../../core/pages/app/busy-state.js';
import { useIsLive, usePart } from '../../../core/pages/app/device.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { number, t, useWords } from '../../../core/pages/app/language.js';
import { Button, Card, Nothing, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';
import { asCalibration, typedArea } from './camera-area.js';
import { seenNow, useLooking } from './camera-sight.js';
import { Stage, trayWords } from './camera-stage.js';
import { DrawnTray, EmptyTray } from './camera-tray.js';

const SPEEDS = /** @type {const} */ (['normal', 'fast']);

/** The choice of the speed: how closely each picture is looked at, and the time on this board. */
function Speed() {
  const isLive = useIsLive();
  const { action, isBusy, run } = useAction();
  const model = usePart('model');
  // the pressed speed is shown until the device reports its own
  const [pressed, setPressed] = useState(/** @type {string | null} */ (null));
  useEffect(() => setPressed(null), [model?.speed]);
  if (model === undefined) return null;
  const { speed, speedBy, lookMs } = model;
  /** @param {typeof SPEEDS[number]} wanted */
  const choose = async (wanted) => {
    setPressed(wanted);
    const isSet = await run(
      () => ask('/console/api/recognition/speed', { method: 'PUT', json: { speed: wanted } }),
      ({ t }) => t('camera.speedSet', { speed: t(`camera.${wanted}`) }),
    );
    if (!isSet) setPressed(null);
  };
  return html`<${Card} id="speed" title=${t('camera.speed')}>
    ${model.state !== 'ok' && isLive && html`<p class="advice">${t('camera.noModel')}</p>`}
    <fieldset class="choices" disabled=${!isLive || isBusy}>
      <legend class="soft">${t(`camera.by.${speedBy ?? 'default'}`)}</legend>
      ${SPEEDS.map(
        (name) => html`<label key=${name}>
          <input type="radio" name="speed" value=${name} checked=${name === (pressed ?? speed)} onChange=${() => choose(name)} />
          <span><strong>${t(`camera.${name}`)}</strong> ${t(`camera.${name}Words`)}</span>
        </label>`,
      )}
    </fieldset>
    <p class="soft">${lookMs === undefined ? t('camera.notMeasured') : t('camera.lookMs', { ms: number(lookMs) })}</p>
    <${Outcome} action=${action} />
  </${Card}>`;
}

const LOOK_EVERY_MS = 1000;
/** @typedef {'area' | 'thing' | 'look' | 'used'} Line */

/** @param {{names: readonly Line[]}} properties */
function Legend({ names }) {
  return html`<ul class="legend">
    ${names.map(
      (name) => html`<li key=${name}>
        <svg viewBox="0 0 34 16" aria-hidden="true"><path class="line-dark" d="M2 8h30" /><path class="line-${name}" d="M2 8h30" /></svg>
        <span>${t(`camera.line.${name}`)}</span>
      </li>`,
    )}
  </ul>`;
}

export function Camera() {
  const words = useWords();
  const isLive = useIsLive();
  const { seen, error } = useLooking(seenNow, LOOK_EVERY_MS);
  useBusy(seen === null && error === null);
  const [isAdvanced, setAdvanced] = useState(false);
  const [draft, setDraft] = useState(/** @type {Area | null} */ (null));
  useUnsaved(draft !== null);
  const isNone = usePart('camera')?.driver === 'none';
  const sight = seen?.sight ?? null;
  return html`<div class="columns">
    <${Card} id="camera" title=${t('camera.picture')}>
      ${isNone && html`<${Nothing}>${t('camera.none')}</${Nothing}>`}
      ${!isNone && error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)} ${t('camera.again')}</p>`}
      ${!isNone && error === null && seen === null && isLive && html`<${Nothing}>${t('camera.looking')}</${Nothing}>`}
      ${sight?.driver === 'push' && html`<p class="advice">${t('camera.playPush')}</p>`}
      <${DrawnTray} otherwise=${html`<p class="advice">${t('camera.playFolder')}</p>`} />
      ${seen !== null && html`<${Stage} seen=${seen} draft=${draft} onDraft=${setDraft} isAdvanced=${isAdvanced} />`}
      ${seen !== null && html`<p class="things" role="status">${trayWords(words, seen.tray)}</p>`}
      ${sight !== null && sight.quality.length > 0 && html`<p class="advice">${sight.quality.map((flaw) => t(`flaw.${flaw}`)).join(' ')}</p>`}
      ${sight !== null && html`<${Legend} names=${['area', 'thing']} />`}
    </${Card}>
    <div class="column">
      ${sight !== null && html`<${Placing} area=${sight.area} frame=${sight.frame} draft=${draft} onDraft=${setDraft} />`}
      ${sight !== null && html`<${EmptyTray} isLearned=${sight.learned} />`}
      <details class="advanced" onToggle=${(/** @type {{currentTarget: HTMLDetailsElement}} */ { currentTarget }) => setAdvanced(currentTarget.open)}>
        <summary>${t('advanced')}</summary>
        ${sight !== null && html`<${Legend} names=${sight.sees === null ? ['look'] : ['look', 'used']} />`}
        <${Speed} />
      </details>
    </div>
  </div>`;
}

const NUMBERS = /** @type {const} */ (['left', 'top', 'width', 'height']);

/**
 * One number of the area. Typed text stays until the field is left, however often the page is redrawn meanwhile.
 * @param {{name: typeof NUMBERS[number], value: number, onType: (value: number) => void}} properties
 */
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
function Placing({ area, frame, draft, onDraft }) {
  const { action, isBusy, run } = useAction();
  const shown = draft ?? area;
  const save = async () => {
    const json = asCalibration(shown, frame);
    const isSaved = await run(() => ask('/console/api/camera/area', { method: 'PUT', json }), 'camera.kept');
    if (isSaved) onDraft(null);
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
              <${Button} kind="primary" onClick=${save} disabled=${isBusy}>${t('camera.keep')}</${Button}>
              <button type="button" onClick=${() => onDraft({ left: 0, top: 0, width: frame.width, height: frame.height })}>${t('camera.whole')}</button>
              <button type="button" onClick=${() => onDraft(null)}>${t('camera.back')}</button>
            </div>`
    }
    <${Outcome} action=${action} />
  </${Card}>`;
}
