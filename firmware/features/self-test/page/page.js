/**
 * The page of the self-test of a new lane: one screen for each step, with large buttons, for a phone held in one hand.
 * @import { Look } from '../../../core/pages/parts/parts.js'
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 * @import { SelfTestState } from '../run.ts'
 */
import { html, useEffect, useLayoutEffect, useRef } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { has, nameOf, t, time, useWords } from '../../../core/pages/app/language.js';
import { Button, Card, Chip, Folded, Nothing, Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { Reasons } from '../../../core/pages/parts/reasons.js';

const PATH = '/console/api/self-test';
const POLL_MS = 700;

/** @typedef {SelfTestState['results'][number]} Result */
/** @typedef {'yes' | 'no' | 'skip' | 'stop'} Answer */

/** @type {Readonly<Record<Result['verdict'], Look>>} */
const LOOKS = { pass: 'good', asked: 'open', warn: 'open', fail: 'bad', absent: 'rest' };

/**
 * The buttons of each question, the likely one first.
 * @type {Readonly<Record<NonNullable<SelfTestState['asks']>, readonly (readonly [Answer, 'yes' | 'no' | 'ready'])[]>>}
 */
const ANSWERS = {
  see: [
    ['yes', 'yes'],
    ['no', 'no'],
  ],
  ready: [['yes', 'ready']],
  press: [['no', 'no']],
};

/**
 * The words of a key that the device's answer names; empty where this release has none.
 * @param {string} key @param {Result['says'][number]['about']} [about]
 */
function said(key, about = {}) {
  if (!has(key)) return '';
  return t(key, about.bank === undefined ? about : { ...about, bank: nameOf('bank', String(about.bank)) });
}

/** @param {{state: SelfTestState, isBusy: boolean, onAnswer: (answer: Answer) => void}} properties */
function Walk({ state: { steps, step, asks }, isBusy, onAnswer }) {
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  useLayoutEffect(() => heading.current?.focus(), [step]);
  const n = steps.indexOf(step ?? '') + 1;
  return html`<section class="card column self-test">
    <div class="self-test-head">
      <label class="soft" for="self-test-progress">${t('selfTest.progress', { n, all: steps.length })}</label>
      <progress id="self-test-progress" value=${n} max=${steps.length}></progress>
    </div>
    <h2 tabindex="-1" ref=${heading}>${said(`selfTest.step.${step}`)}</h2>
    <p class="self-test-question" role="status">${asks === null ? t('selfTest.measuring') : said(`selfTest.ask.${step}`)}</p>
    <div class="self-test-answers">
      ${
        asks !== null &&
        ANSWERS[asks].map(
          ([answer, word], at) =>
            html`<${Button} key=${word} kind=${at === 0 && answer === 'yes' ? 'primary' : 'plain'} disabled=${isBusy} onClick=${() => onAnswer(answer)}>${t(`selfTest.${word}`)}</${Button}>`,
        )
      }
    </div>
    <div class="buttons">
      ${asks !== null && html`<${Button} disabled=${isBusy} onClick=${() => onAnswer('skip')}>${t('selfTest.skip')}</${Button}>`}
      <${Button} kind="danger" disabled=${isBusy} onClick=${() => onAnswer('stop')}>${t('selfTest.stop')}</${Button}>
      ${step === 'card' && html`<a class="button" target="_blank" href="${PATH}/card">${t('selfTest.card')}</a>`}
    </div>
  </section>`;
}

/** @param {{result: Result}} properties */
function Row({ result: { step, verdict, says, reasons, detail } }) {
  return html`<li>
    <span class="part">${said(`selfTest.step.${step}`)}</span>
    <${Chip} look=${LOOKS[verdict]}>${t(`selfTest.verdict.${verdict}`)}</${Chip}>
    ${
      (says.length > 0 || detail !== '') &&
      html`<div class="reason">
      ${says.map(({ code, about }) => html`<p key=${code}>${said(`selfTest.says.${code}`, about)}</p>`)}
      ${detail !== '' && html`<${Folded} code=${step} detail=${detail} />`}
    </div>`
    }
    <${Reasons} reasons=${reasons} />
  </li>`;
}

/** How the last self-test ended. @param {{state: SelfTestState}} properties */
function End({ state: { stage, why, results, report, reports } }) {
  if (stage === 'broken') return html`<p class="advice" role="status">${why !== null && t(`selfTest.why.${why}`)}</p>`;
  const kept = reports.find(({ number }) => number === report);
  if (stage !== 'done' || kept === undefined) return null;
  return html`<p class="self-test-question" role="status">${t(`selfTest.end.${kept.verdict}`)}</p>
    <p><a class="button primary" href="${PATH}/reports/${report}">${t('selfTest.report')}</a></p>
    <ul class="parts">${results.map((result) => html`<${Row} key=${result.step} result=${result} />`)}</ul>`;
}

/** @param {{reports: SelfTestState['reports']}} properties */
function Reports({ reports }) {
  return html`<${Card} id="self-test-reports" title=${t('selfTest.reports')}>
    ${reports.length === 0 && html`<${Nothing}>${t('selfTest.noReports')}</${Nothing}>`}
    <ul class="parts">${reports.map(
      ({ number, at, verdict }) => html`<li key=${number}>
        <a class="button" href="${PATH}/reports/${number}">${number}: ${time(at)}</a>
        <${Chip} look=${LOOKS[verdict]}>${t(`selfTest.verdict.${verdict}`)}</${Chip}>
      </li>`,
    )}</ul>
  </${Card}>`;
}

function SelfTest() {
  const { language } = useWords();
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<SelfTestState>} */
  const { data: state, again } = useFetched(PATH);
  const { action, isBusy, run } = useAction();
  const isRunning = state?.stage === 'running';
  useEffect(() => {
    if (!isRunning) return;
    const looking = setInterval(again, POLL_MS);
    return () => clearInterval(looking);
  }, [isRunning]);
  if (state === null) return null;
  /** @param {string} path @param {'POST' | 'PUT'} method @param {object} json */
  const send = (path, method, json) =>
    run(async () => {
      await ask(path, { method, json });
      await again();
    });
  if (isRunning)
    return html`<${Walk} state=${state} isBusy=${isBusy} onAnswer=${(/** @type {Answer} */ answer) => send(`${PATH}/answer`, 'PUT', { step: state.step, answer })} />
      <${Outcome} action=${action} />`;
  return html`<${Card} id="self-test" title=${t('settings.self-test')}>
      ${state.stage === 'rest' && html`<p>${t('selfTest.words')}</p>`}
      <${End} state=${state} />
      <div class="buttons">
        <${Button} kind=${state.stage === 'done' ? 'plain' : 'primary'} disabled=${isBusy} onClick=${() => send(PATH, 'POST', { language })}>${t(state.stage === 'rest' ? 'selfTest.begin' : 'selfTest.again')}</${Button}>
        <a class="button" target="_blank" href="${PATH}/card">${t('selfTest.card')}</a>
      </div>
      <${Outcome} action=${action} />
    </${Card}>
    <${Reports} reports=${state.reports} />`;
}

/** @type {FeaturePage} */
export default {
  name: 'self-test',
  place: 'section',
  after: 'health',
  icon: 'M5 4h14v16H5z M8 9l2 2 4-4 M8 16h8',
  line: 'settings.selfTestWords',
  View: SelfTest,
};
