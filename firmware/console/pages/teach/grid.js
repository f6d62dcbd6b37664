/** The pictures, each to be tapped. @import { Answer } from './uncertain.js' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { time } from '../app/writing.js';
import { Button } from '../parts/action.js';

/** What it was said to be, or else what it looks like. @param {Answer} answer @param {import('../app/language.js').Sayer} words */
function guessOf({ told, now }, { t }) {
  if (told !== null) return t('uncertain.assigned', { name: told.name ?? told.item });
  const [best] = now.candidates;
  if (best === undefined || now.reason === 'unlike-all') return t('uncertain.unlike');
  return t(now.certain ? 'uncertain.known' : 'uncertain.like', { name: best.name ?? best.item });
}

/** @param {{answer: Answer, isMarked: boolean, onToggle: () => void}} properties */
function Picture({ answer, isMarked, onToggle }) {
  const words = useWords();
  const guess = guessOf(answer, words);
  const seen = answer.times === 1 ? '' : `, ${words.t('uncertain.times', { n: answer.times })}`;
  return html`<li>
    <${Button} kind="plain" pressed=${isMarked} onClick=${onToggle}>
      <img src=${answer.picture} alt="" decoding="async" />
      <span class="guess ${answer.now.certain ? 'sure' : ''}">${guess}</span>
      <span class="soft">${time(words, answer.at)}${seen}</span>
    </${Button}>
  </li>`;
}

/** @param {{answers: readonly Answer[], marked: readonly string[], onToggle: (id: string) => void}} properties */
export function Grid({ answers, marked, onToggle }) {
  return html`<ul class="answers">
    ${answers.map((answer) => html`<${Picture} key=${answer.id} answer=${answer} isMarked=${marked.includes(answer.id)} onToggle=${() => onToggle(answer.id)} />`)}
  </ul>`;
}
