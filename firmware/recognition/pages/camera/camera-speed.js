/** How closely each picture is looked at, and what that takes on this board. */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useIsLive, usePart } from '../../../core/pages/app/device.js';
import { number, t } from '../../../core/pages/app/language.js';
import { Card, Outcome, useAction } from '../../../core/pages/parts/parts.js';

const SPEEDS = /** @type {const} */ (['normal', 'fast']);

export function Speed() {
  const isLive = useIsLive();
  const { action, isBusy, run } = useAction();
  const model = usePart('model');
  // what was pressed stays until the device reports its own
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
