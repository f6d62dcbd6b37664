/**
 * The page that sets up a fresh device to take payments: a series of steps, of which the next one is open. At the end
 * it lists what the shop still has to do before its first day.
 * @import { Route } from '../../../core/pages/app/route.js'
 */
import { html, useLayoutEffect, useRef } from '/console/assets/preact.js';
import { ask, CallError } from '../../../core/pages/app/api.js';
import { useDevice, usePart } from '../../../core/pages/app/device.js';
import { newKey } from '../../../core/pages/app/drafts.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { nameOf, t } from '../../../core/pages/app/language.js';
import { fromHere, hrefOf, isPage } from '../../../core/pages/app/route.js';
import { useSession } from '../../../core/pages/app/session.js';
import { sentence, zoneWords } from '../../../core/pages/app/writing.js';
import { Button, Outcome, Problem, useAction } from '../../../core/pages/parts/parts.js';
import { PuttingBack } from '../device/backup.js';
import { ShopForm } from '../device/shop.js';
import { awaitOutcome } from '../lane/await-outcome.js';
import { BankStep } from './bank-step.js';
import { DisplayStep } from './display-step.js';
import { BackToTest, readSetUp } from './settings.js';

/** @typedef {import('../../../core/pages/app/fetched.js').Fetched<{learned: boolean}>} Sight */
/** @typedef {import('../../../core/pages/app/fetched.js').Fetched<{items: readonly unknown[]}>} Learned */
/** @param {import('../../../core/pages/app/fetched.js').Fetched<unknown>} fetched */
const isAwaited = ({ data, error }) => data === null && error === null;
const ITEMS_TO_TEACH = 3;
const STEPS = /** @type {const} */ (['bank', 'display', 'shop', 'camera', 'teach']);
/** @typedef {typeof STEPS[number]} StepName */
const stepsHere = () => STEPS.filter((name) => name !== 'teach' || isPage('teach'));
const END = 'ready';

function Try() {
  const { action, isBusy, run } = useAction();
  const press = async () => {
    const go = fromHere();
    if (await run(() => ask('/console/api/sandbox/setup', { method: 'POST', json: {} }))) go(hrefOf('welcome', [END]));
  };
  return html`<section id="try" class="well" aria-labelledby="try-title">
    <h3 id="try-title">${t('welcome.try')}</h3>
    <p>${t('welcome.tryWords')}</p>
    <${Button} kind="primary" disabled=${isBusy} onClick=${press}>${t('welcome.tryGo')}</${Button}>
    <${Outcome} action=${action} />
  </section>`;
}

/**
 * @param {{name: StepName, said: string, isDone: boolean, isToDo: boolean, isOpen: boolean, next: string, children?:
 * unknown}} properties `said`: the step's state, in a line; `isToDo`: it is not done, and can be done now; `next`: the
 * address of the following step
 */
function Step({ name, said, isDone, isToDo, isOpen, next, children }) {
  const all = stepsHere();
  const n = all.indexOf(name) + 1;
  const title = t(`welcome.${name}`);
  const go = t(isDone ? 'welcome.change' : 'welcome.go');
  return html`<li id=${name} class=${isOpen ? 'card' : 'step'} aria-current=${isOpen ? 'step' : undefined}>
    ${isOpen && html`<p class="soft">${t('welcome.step', { n, all: all.length })}</p>`}
    <div class="step-head">
      <span class="tick ${isDone ? 'done' : ''}" role="img" aria-label=${isDone ? t('welcome.done') : n}>${isDone ? '✓' : n}</span>
      <div><h2 tabindex="-1">${title}</h2><p class="soft">${said}</p></div>
      ${!isOpen && (isDone || isToDo) && html`<a href=${hrefOf('welcome', [name])} aria-label="${go}: ${title}">${go}</a>`}
    </div>
    ${isOpen && children}
    ${isOpen && html`<p class="buttons onward"><a class="button ${isDone ? 'primary' : ''}" href=${next}>${t(isDone ? 'welcome.next' : 'welcome.skip')}</a></p>`}
  </li>`;
}

/** A step that is done on another page. @param {{words: string, to: string, go: string, isDone: boolean}} properties */
const Elsewhere = ({ words, to, go, isDone }) =>
  html`<p>${words}</p><p class="buttons"><a class="button ${isDone ? '' : 'primary'}" href=${hrefOf(to)}>${go}</a></p>`;

const TRIAL_KOPECKS = 10_000;

/**
 * Makes a payment at the sandbox bank, pays it as its customer, and reads the outcome as a till does: an unread outcome
 * would count as late.
 */
async function payTrial() {
  const headers = { 'idempotency-key': newKey() };
  /** @type {{id: string}} */
  const { id } = await ask('/v1/payments', { method: 'POST', json: { amount: TRIAL_KOPECKS }, headers });
  await ask(`/console/api/sandbox/payments/${id}`, { method: 'POST', json: { does: 'pay' } });
  if ((await awaitOutcome(id)) !== 'ACCEPTED') throw new CallError('late');
}

/** @param {{isEnd: boolean, isPlay: boolean}} properties `isEnd`: no step is open */
function Ready({ isEnd, isPlay }) {
  const { action, isBusy, run } = useAction();
  const pay = () => run(payTrial, ({ t, roubles }) => t('welcome.trialDone', { amount: roubles(TRIAL_KOPECKS) }));
  return html`<section id="ready" class="advice good" aria-labelledby="ready-title">
    <h2 id="ready-title" tabindex="-1">${t('welcome.ready')}</h2>
    ${!isPlay && html`<p>${t('welcome.readyWords')}</p>`}
    <div class="buttons">
      <a class="button ${isEnd ? 'primary' : ''}" href=${hrefOf('lane')}>${t('welcome.lane')}</a>
      ${isPlay && html`<${Button} disabled=${isBusy} onClick=${pay}>${t('welcome.trial')}</${Button}>`}
    </div>
    <${Outcome} action=${action} />
  </section>`;
}

/**
 * What the shop still has to do before its first day.
 * @param {{steps: readonly {href: string, title: string}[]}} properties `steps` that are still to do
 */
function Undone({ steps }) {
  const session = useSession();
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<import('../device/backup.js').State>} */
  const { data: backups } = useFetched('/console/api/backups');
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{mode: string, speakers: readonly unknown[]}>} */
  const { data: voice } = useFetched(isPage('voice') ? '/v1/voice' : null);
  const isSpeakerIdle = voice?.mode === 'off' && voice.speakers.length > 0;
  const left = [
    ...steps,
    ...(session?.pins === false ? [{ href: hrefOf('device', ['access']), title: t('welcome.noPins') }] : []),
    ...(backups?.lastMade === null ? [{ href: hrefOf('device', ['backup']), title: t('welcome.noBackup') }] : []),
    ...(isSpeakerIdle ? [{ href: hrefOf('device', ['voice']), title: t('welcome.speaker') }] : []),
  ];
  if (left.length === 0) return null;
  return html`<section id="undone" class="card" aria-labelledby="undone-title">
    <h2 id="undone-title">${t('welcome.undone')}</h2>
    <ul class="rows">${left.map(({ href, title }) => html`<li key=${href}><a href=${href}>${title}</a></li>`)}</ul>
  </section>`;
}

/** @param {{route: Route}} properties */
export function Welcome({ route }) {
  const { state } = useDevice();
  const { data, error, again } = useFetched('set-up', state?.settings.bank, readSetUp);
  const learned = /** @type {Learned} */ (useFetched('/v1/templates', state?.itemsRevision));
  const [savingBank, savingDisplay] = [useAction(), useAction()];
  const [camera, display, bankPart] = [usePart('camera'), usePart('display'), usePart('bank')];
  const driver = camera?.driver ?? 'none';
  const isSeeing = driver !== 'none' && camera?.state === 'ok';
  const sight = /** @type {Sight} */ (useFetched(isSeeing ? '/console/api/camera' : null));
  /**
   * The step that is open where the address names none: the first one to do when the page opened. It stays open when it
   * is done.
   */
  const first = useRef(/** @type {string | null} */ (null));
  const [asked] = route.path;
  const before = useRef(asked);
  if (before.current !== asked) first.current = null;
  useLayoutEffect(() => {
    if (before.current === asked) return;
    before.current = asked;
    const heading = document.querySelector('[aria-current=step] h2, #ready h2');
    if (heading instanceof HTMLElement) heading.focus();
  });
  if (state === null) return null;
  if (asked === 'restore')
    return html`<p class="links"><a href=${hrefOf('welcome')}>${t('welcome.back')}</a></p><${PuttingBack} />`;
  const problem = html`<${Problem} error=${error} />`;
  if (data === null) return problem;

  const { bank, sandbox, setupRefusal } = state.settings;
  const isPlay = bank === 'Sandbox';
  const kind = data.settings.deviceConnection.connectionType;
  const isShowing = display?.state === 'ok';
  const level = bankPart?.sales ?? 'sells';
  const ailing = bank !== null && level !== 'sells' ? sentence(t(`level.${level}`)) : '';
  const taught = learned.data?.items.length ?? 0;
  const isEmptyKnown = sight.data?.learned === true;
  const simulated = ['replay', 'push'].includes(driver) ? sentence(t('test.camera')) : '';
  /** @type {Readonly<Record<StepName, {isDone: boolean, said: string}>>} */
  const steps = {
    bank: {
      isDone: bank !== null,
      said: `${isPlay ? sentence(t('test.bank')) : sentence(nameOf('bank', bank ?? ''))} ${ailing}`,
    },
    display: {
      isDone: bank !== null && isShowing,
      said:
        bank === null ? t('welcome.bankFirst') : `${nameOf('display', kind)}${isShowing ? '' : `. ${t('noAnswer')}.`}`,
    },
    shop: {
      isDone: isPlay || state.timeZone !== 'UTC', // nobody accounts for the days of a trial, so any time zone will do
      said: zoneWords(state.timeZone),
    },
    camera: {
      isDone: driver === 'none' || isEmptyKnown,
      said: driver === 'none' ? t('welcome.noCamera') : `${isEmptyKnown ? t('welcome.learned') : ''} ${simulated}`,
    },
    teach: {
      isDone: driver === 'none' || taught >= ITEMS_TO_TEACH,
      said: taught === 0 ? '' : t('welcome.taught', { n: taught }),
    },
  };
  const isReady = steps.bank.isDone && steps.display.isDone && state.health.sales !== 'does-not-sell';
  /** What prevents the lane from selling. */
  const [to, why] =
    bank === null
      ? [hrefOf('welcome', ['bank']), t('welcome.bankFirst')]
      : isShowing
        ? [hrefOf('device', ['health']), t('level.does-not-sell')]
        : [hrefOf('welcome', ['display']), t('welcome.display')];
  const isToDo = (/** @type {StepName} */ name) => !steps[name].isDone && (name !== 'display' || bank !== null);
  if (first.current === null) {
    if (isAwaited(learned) || (isSeeing && isAwaited(sight))) return null;
    first.current = stepsHere().find(isToDo) ?? END;
  }
  const open = asked ?? first.current;
  const after = (/** @type {StepName} */ name) => {
    const all = stepsHere();
    return hrefOf('welcome', [all.slice(all.indexOf(name) + 1).find(isToDo) ?? END]);
  };
  const step = (/** @type {StepName} */ name, /** @type {unknown} */ body) =>
    html`<${Step} key=${name} name=${name} ...${steps[name]} isToDo=${isToDo(name)} isOpen=${open === name} next=${after(name)}>${body}</${Step}>`;
  return html`${problem}
    <ol class="path">
      ${step(
        'bank',
        html`<${BankStep} key=${data.settings.bankProfile} forms=${data.forms} settings=${data.settings} saving=${savingBank} onSaved=${again}>
            ${setupRefusal === null && html`<${Try} />`}
          </${BankStep}>
          ${sandbox && bank !== null && !isPlay && html`<${BackToTest} onDone=${again} />`}`,
      )}
      ${step(
        'display',
        bank !== null &&
          html`<${DisplayStep} key=${kind} forms=${data.forms} settings=${data.settings} saving=${savingDisplay} onSaved=${again} />`,
      )}
      ${step('shop', html`<p>${t('welcome.shopWords')}</p><${ShopForm} />`)}
      ${step('camera', html`<${Elsewhere} words=${t('welcome.cameraWords')} to="camera" go=${t('welcome.cameraGo')} isDone=${steps.camera.isDone} />`)}
      ${isPage('teach') && step('teach', html`<${Elsewhere} words=${t('welcome.teachWords')} to="teach" go=${t('welcome.teachGo')} isDone=${steps.teach.isDone} />`)}
    </ol>
    ${
      isReady
        ? html`<${Ready} isEnd=${open === END} isPlay=${isPlay} />`
        : open === END &&
          html`<section id="ready" class="advice">
            <h2 tabindex="-1">${t('welcome.notReady')}</h2>
            <p><a href=${to}>${why}</a></p>
          </section>`
    }
    ${open === END && html`<${Undone} steps=${stepsHere().flatMap((name) => (isToDo(name) ? [{ href: hrefOf('welcome', [name]), title: t(`welcome.${name}`) }] : []))} />`}
    <p class="links"><a href=${hrefOf('welcome', ['restore'])}>${t('welcome.restore')}</a></p>`;
}
