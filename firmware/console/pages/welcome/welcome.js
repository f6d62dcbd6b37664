/** The page on which a fresh device becomes one that takes payments: steps that can be left and taken up again. @import { Forms, Settings } from './types.js' @import { PageName } from '../app/route.js' */
import { html } from '/console/assets/preact.js';
import { ask, wordsOf } from '../app/api.js';
import { useDevice } from '../app/device.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { PuttingBack } from '../device/putting-back.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Card, Chip } from '../parts/parts.js';
import { BankStep } from './bank-step.js';
import { DisplayStep } from './display-step.js';

/** @returns {Promise<{forms: Forms, settings: Settings}>} */
async function readSetUp() {
  /** @type {[Forms, {settings: Settings}]} */
  const [forms, { settings }] = await Promise.all([ask('/console/api/settings/forms'), ask('/console/api/settings')]);
  // a till may have sent more than there is a name for
  const { bankProfile, bankProfiles, deviceConnection } = settings;
  return { forms, settings: { bankProfile, bankProfiles, deviceConnection } };
}

/** @param {{isDone: boolean}} properties */
function Stage({ isDone }) {
  const { t } = useWords();
  return html`<${Chip} look=${isDone ? 'good' : 'rest'}>${t(isDone ? 'welcome.done' : 'welcome.open')}</${Chip}>`;
}

function Try() {
  const { t } = useWords();
  const { action, run } = useAction();
  const press = () => run(() => ask('/console/api/sandbox/setup', { method: 'POST', json: {} }), 'welcome.tried');
  return html`<${Card} id="try" title=${t('welcome.try')}>
    <p>${t('welcome.tryWords')}</p>
    <${Button} kind="primary" disabled=${action.stage === 'busy'} onClick=${press}>${t('welcome.tryGo')}</${Button}>
    <${Outcome} action=${action} />
  </${Card}>`;
}

/** @param {{id: string, title: string, words: string, to: PageName, isDone: boolean}} properties */
const Elsewhere = ({ id, title, words, to, isDone }) => {
  const { t } = useWords();
  return html`<${Card} id=${id} title=${title} aside=${html`<${Stage} isDone=${isDone} />`}>
    <p>${words}</p>
    <a class="button" href=${hrefOf(to)}>${t('welcome.go')}</a>
  </${Card}>`;
};

/** @param {string} path @returns {Promise<{learned: boolean}>} */
const readSight = (path) => ask(path);
/** @param {string} path @returns {Promise<{items: readonly unknown[]}>} */
const readLearned = (path) => ask(path);
const ITEMS_TO_TEACH = 3;

export function Welcome() {
  const words = useWords();
  const { t, has } = words;
  const { state } = useDevice();
  const { data, error, again } = useFetched('set-up', state?.settings.bank, readSetUp);
  const { data: learned } = useFetched('/v1/templates', state?.itemsRevision, readLearned);
  const [savingBank, savingDisplay] = [useAction(), useAction()];
  const wellPart = (/** @type {string} */ name) =>
    state?.health.parts.find(({ part, state: how }) => part === name && how === 'ok');
  const isSeeing = (wellPart('camera')?.driver ?? 'none') !== 'none';
  const { data: sight } = useFetched(isSeeing ? '/console/api/camera' : null, undefined, readSight);
  if (state === null) return null;
  const { bank, setupRefusal } = state.settings;
  const isFresh = setupRefusal === null;
  const kind = data?.settings.deviceConnection.connectionType ?? '';
  const key = `display.${kind}`;
  return html`<p>${t('welcome.words')}</p>
    ${error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`}
    ${isFresh && html`<div class="columns"><${Try} /><${PuttingBack} /></div>`}
    ${
      data !== null &&
      html`<div class="columns">
        <${Card} id="bank" title=${t('welcome.bank')} aside=${html`<${Stage} isDone=${bank !== null && bank !== 'Sandbox'} />`}>
          ${bank !== null && html`<p class="soft">${t('welcome.bankNow', { bank })}</p>`}
          <${BankStep} key=${data.settings.bankProfile} forms=${data.forms} settings=${data.settings} saving=${savingBank} onSaved=${again} />
        </${Card}>
        <${Card} id="display" title=${t('welcome.display')} aside=${html`<${Stage} isDone=${bank !== null && wellPart('display') !== undefined} />`}>
          ${kind !== '' && html`<p class="soft">${t('welcome.displayNow', { display: has(key) ? t(key) : kind })}</p>`}
          <${DisplayStep} key=${kind} forms=${data.forms} settings=${data.settings} saving=${savingDisplay} onSaved=${again} />
        </${Card}>
      </div>`
    }
    <div class="columns">
      <${Elsewhere} id="to-camera" title=${t('welcome.camera')} words=${t('welcome.cameraWords')} to="camera" isDone=${sight?.learned === true} />
      <${Elsewhere} id="to-teach" title=${t('welcome.teach')} words=${t('welcome.teachWords')} to="teach" isDone=${(learned?.items.length ?? 0) >= ITEMS_TO_TEACH} />
    </div>
    ${!isFresh && html`<${PuttingBack} />`}`;
}
