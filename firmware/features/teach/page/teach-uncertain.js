/**
 * Recent uncertain answers: a person marks several and says which item they were. Also shows how sure recognition was
 * of pictures before and after they were learned, and its current answer for the tray.
 * @import { Look } from '../../../core/pages/parts/parts.js'
 * @import { Now } from '../../../recognition/http/v1/tray-schemas.ts'
 * @import { SurenessSchema } from '../../../recognition/http/v1/sureness.ts'
 * @import { AssignmentAnswer, UncertainList } from '../routes.ts'
 * @import { Item } from '../../../recognition/pages/items/finding.js'
 * @import { Static } from 'typebox'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { number, t, time } from '../../../core/pages/app/language.js';
import { useSees } from '../../../core/pages/app/session.js';
import { Dialog } from '../../../core/pages/parts/dialog.js';
import { Button, Card, Chip, Nothing, Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { Finding, ItemLine, likelyOf, trayNow, useLooking } from '../../../recognition/pages/index.js';
import { isCode, NewItem } from './teach-new-item.js';

/** @typedef {Static<typeof SurenessSchema>} Sureness */
/** @typedef {{before: Sureness, after: Sureness}} Judged */

/** Mean similarity; a picture unlike the item counts as 0. @param {readonly Sureness[]} all */
const meanOf = (all) => all.reduce((sum, { similarity }) => sum + Math.max(0, similarity ?? 0), 0) / all.length;
/** @param {readonly Sureness[]} all */
const certainOf = (all) => all.filter(({ certain }) => certain).length;

/**
 * How sure recognition was of pictures before and after they were learned.
 * @param {{before: readonly Sureness[], after: readonly Sureness[]}} properties none of them empty
 */
export function Score({ before, after }) {
  const percent = (/** @type {readonly Sureness[]} */ all) =>
    number(meanOf(all), { style: 'percent', maximumFractionDigits: 0 });
  const line = (/** @type {readonly Sureness[]} */ all) =>
    html`<strong>${t('teach.sureOf', { n: certainOf(all), most: all.length })}</strong> <span class="soft">${t('teach.like', { percent: percent(all) })}</span>`;
  return html`<dl class="score">
    <div><dt>${t('teach.before')}</dt><dd>${line(before)}</dd></div>
    <div><dt>${t('teach.after')}</dt><dd>${line(after)}</dd></div>
  </dl>`;
}

const LOOK_EVERY_MS = 700;

const look = async () => ({ tray: await trayNow() });

/**
 * @param {Now | null} tray @param {string} item that was taught
 * @returns {[key: 'empty' | 'this' | 'other' | 'unsure' | 'unknown', look: Look, name: string] | null} null where
 * nothing is known of the tray
 */
function verdictOf(tray, item) {
  if (tray === null || tray.state === 'lost') return null;
  if (tray.state === 'empty') return ['empty', 'rest', ''];
  const [first] = likelyOf(tray);
  if (first === undefined) return ['unknown', 'bad', ''];
  const name = first.name ?? first.id;
  if (!tray.certain) return ['unsure', 'open', name];
  return first.id === item ? ['this', 'good', name] : ['other', 'bad', name];
}

/** Recognition's current answer for the tray. @param {{item: string}} properties `item`: the item that was taught */
export function Verdict({ item }) {
  const { seen } = useLooking(look, LOOK_EVERY_MS);
  const verdict = verdictOf(seen?.tray ?? null, item);
  if (verdict === null) return null;
  const [key, colour, name] = verdict;
  return html`<p class="line" id="verdict" role="status"><span>${t('teach.verdict')}</span>
    <${Chip} look=${colour}>${t(`teach.verdict.${key}`, { name })}</${Chip}></p>`;
}

const PATH = '/console/api/recognition/uncertain';

/** @typedef {Static<typeof UncertainList>} List */
/** @typedef {List['answers'][number]} Answer */
/** @typedef {Static<typeof AssignmentAnswer>} Assignment */

/** The item that a person named, else the one that it looks like. @param {Answer} answer */
function guessOf({ told, now }) {
  if (told !== null) return t('uncertain.assigned', { name: told.name ?? told.item });
  const [best] = likelyOf(now);
  if (best === undefined) return t('uncertain.unlike');
  return t(now.certain ? 'uncertain.known' : 'uncertain.like', { name: best.name ?? best.item });
}

/** @param {{answer: Answer, isMarked: boolean, onToggle: () => void}} properties */
function Picture({ answer, isMarked, onToggle }) {
  const guess = guessOf(answer);
  const seen = answer.times === 1 ? '' : `, ${t('uncertain.times', { n: answer.times })}`;
  return html`<li>
    <${Button} kind="plain" pressed=${isMarked} onClick=${onToggle}>
      <img src=${answer.picture} alt="" decoding="async" />
      <span class="guess ${answer.now.certain ? 'sure' : ''}">${guess}</span>
      <span class="soft">${time(answer.at)}${seen}</span>
    </${Button}>
  </li>`;
}

/** @param {{answers: readonly Answer[], marked: readonly string[], onToggle: (id: string) => void}} properties */
function Grid({ answers, marked, onToggle }) {
  return html`<ul class="answers">
    ${answers.map((answer) => html`<${Picture} key=${answer.id} answer=${answer} isMarked=${marked.includes(answer.id)} onToggle=${() => onToggle(answer.id)} />`)}
  </ul>`;
}

/**
 * An assignment with the score before and after, while it can be undone.
 * @param {{assignment: Assignment, isBusy: boolean, onTakeBack: () => void}} properties
 */
function One({ assignment: { item, name, answers, judged }, isBusy, onTakeBack }) {
  const n = answers.length;
  const what = item === null ? t('uncertain.dropped', { n }) : t('uncertain.learned', { n, name: name ?? item });
  return html`<li>
    <p class="line spread"><strong>${what}</strong>
      <${Button} aria-label=${`${t('undo.undo')}: ${what}`} disabled=${isBusy} onClick=${onTakeBack}>${t('undo.undo')}</${Button}></p>
    ${judged.length > 0 && html`<${Score} before=${judged.map(({ before }) => before)} after=${judged.map(({ after }) => after)} />`}
  </li>`;
}

/**
 * @param {{assignments: readonly Assignment[], isBusy: boolean, onTakeBack: (assignment: Assignment) => void}}
 * properties
 */
const Said = ({ assignments, isBusy, onTakeBack }) =>
  html`<div role="status"><ul class="said-of">${assignments.map((one) => html`<${One} key=${one.id} assignment=${one} isBusy=${isBusy} onTakeBack=${() => onTakeBack(one)} />`)}</ul></div>`;

/**
 * @param {{chosen: readonly Answer[], isBusy: boolean, onItem: () => void, onNothing: () => void, onNone: () => void}}
 * properties
 */
function Bar({ chosen, isBusy, onItem, onNothing, onNone }) {
  return html`<div class="chosen" role="group" aria-label=${t('uncertain.chosen', { n: chosen.length })}>
    <p class="line spread"><strong>${t('uncertain.chosen', { n: chosen.length })}</strong>
      <button type="button" onClick=${onNone}>${t('uncertain.none')}</button></p>
    <div class="buttons">
      <${Button} kind="primary" disabled=${isBusy} onClick=${onItem}>${t('uncertain.assign')}</${Button}>
      <${Button} disabled=${isBusy} onClick=${onNothing}>${t('uncertain.notThis')}</${Button}>
    </div>
  </div>`;
}

export function Uncertain() {
  const { state } = useDevice();
  // fetched again also when items change: what was learned elsewhere changes the guesses
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<List>} */
  const { data, error, again } = useFetched(PATH, `${state?.uncertain} ${state?.itemsRevision}`);
  const [marked, setMarked] = useState(/** @type {readonly string[]} */ ([]));
  const [isAsking, setAsking] = useState(false);
  const { action, isBusy, run } = useAction();
  const answers = data?.answers ?? [];
  // a marked answer may be gone: another window may have assigned it
  const chosen = answers.filter(({ id }) => marked.includes(id));
  /** @param {string} id */
  const toggle = (id) => setMarked(marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id]);
  /** @param {string | null} item */
  const assign = async (item) => {
    setAsking(false);
    const json = { item, answers: chosen.map(({ id }) => id) };
    const isDone = await run(() => ask(`${PATH}/assignments`, { method: 'POST', json }));
    if (isDone) setMarked([]);
    void again();
  };
  /** @param {Assignment} assignment */
  const undo = async ({ id }) => {
    await run(() => ask(`${PATH}/assignments/${encodeURIComponent(id)}`, { method: 'DELETE' }), 'uncertain.back');
    void again();
  };
  return html`<${Card} id="uncertain" title=${t('uncertain.title')} error=${error}>
    ${data !== null && answers.length === 0 && html`<${Nothing}>${t('uncertain.nothing')}</${Nothing}>`}
    ${answers.length > 0 && html`<p class="soft">${t('uncertain.how')}</p>`}
    <${Said} assignments=${data?.assignments ?? []} isBusy=${isBusy} onTakeBack=${undo} />
    <${Outcome} action=${action} />
    <${Grid} answers=${answers} marked=${marked} onToggle=${toggle} />
    ${chosen.length > 0 && html`<${Bar} chosen=${chosen} isBusy=${isBusy} onItem=${() => setAsking(true)} onNothing=${() => assign(null)} onNone=${() => setMarked([])} />`}
    ${isAsking && chosen.length > 0 && html`<${Assigning} chosen=${chosen} onItem=${assign} onClose=${() => setAsking(false)} />`}
  </${Card}>`;
}

const MOST_GUESSES = 4;

/**
 * Guesses for the chosen answers: first the items that people named, then those that most pictures look like.
 * @param {readonly Answer[]} chosen
 */
function guessesOf(chosen) {
  const named = chosen.flatMap(({ told, now }) => [...(told === null ? [] : [told, told, told]), ...likelyOf(now)]);
  const counts = new Map(named.map(({ item, name }) => [item, { item, name, count: 0 }]));
  for (const { item } of named) {
    const one = counts.get(item);
    if (one !== undefined) one.count += 1;
  }
  return [...counts.values()].sort((one, other) => other.count - one.count).slice(0, MOST_GUESSES);
}

/** @param {{chosen: readonly Answer[], onItem: (item: string) => void, onClose: () => void}} properties */
function Assigning({ chosen, onItem, onClose }) {
  const guesses = guessesOf(chosen);
  const row = (/** @type {Item} */ item) =>
    html`<${Button} onClick=${() => onItem(item.id)}><${ItemLine} item=${item} /></${Button}>`;
  const mayMake = useSees('items');
  const fresh = (/** @type {string} */ text, /** @type {number} */ found) => {
    if (!mayMake) return found === 0 && html`<${Nothing}>${t('teach.notFound')}</${Nothing}>`;
    if (isCode(text))
      return html`<${Button} onClick=${() => onItem(text)}>${t('teach.new', { sought: text })}</${Button}>`;
    return html`<${NewItem} key=${text} text=${text} onMade=${onItem} />`;
  };
  return html`<${Dialog} title=${t('uncertain.which', { n: chosen.length })} onClose=${onClose}>
    ${
      guesses.length > 0 &&
      html`<div class="buttons guesses">${guesses.map(({ item, name }) => html`<${Button} key=${item} onClick=${() => onItem(item)}>${name ?? item}</${Button}>`)}</div>`
    }
    <${Finding} id="assigned" help="" row=${row} fresh=${fresh} />
    <div class="buttons"><button type="button" onClick=${onClose}>${t('leaveIt')}</button></div>
  </${Dialog}>`;
}
