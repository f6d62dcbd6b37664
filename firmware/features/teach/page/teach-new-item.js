/** The form of a new item; it begins with the searched text as the item's code or name. */
import { LIMITS } from '/console/assets/limits.js';
import { html } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useDraft, useUnsaved } from '../../../core/pages/app/drafts.js';
import { t } from '../../../core/pages/app/language.js';
import { useMessage } from '../../../core/pages/app/outcome.js';
import { Button, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

/** Whether the typed text is a PLU; any other text is a name. @param {string} text */
export const isCode = (text) => /^\d+$/.test(text);

/** The name of the item that already has this code; null where none has it. @param {string} code @returns {Promise<string | null>} */
async function ownerOf(code) {
  const query = new URLSearchParams({ code, limit: '1' });
  /** @type {{items: readonly {id: string, name: string | null}[]}} */
  const {
    items: [owner],
  } = await ask(`/v1/items?${query}`);
  return owner === undefined ? null : (owner.name ?? owner.id);
}

/** @param {{text: string, onMade: (item: string) => void}} properties `text`: the searched text, which no item has */
export function NewItem({ text, onMade }) {
  const [code, setCode] = useDraft(`code of ${text}`, isCode(text) ? text : '');
  const [name, setName] = useDraft(`name of ${text}`, isCode(text) ? '' : text);
  const [problem, setProblem] = useMessage();
  const { action, isBusy, run } = useAction();
  const isTyped = isCode(text) ? name !== '' : code !== '' || name !== text;
  useUnsaved(isTyped && (action.stage !== 'done' || problem !== ''));
  const make = async () => {
    const plu = code.trim();
    setProblem(plu === '' ? 'teach.noCode' : null);
    if (plu === '') return;
    await run(async () => {
      const owner = await ownerOf(plu);
      if (owner !== null) return setProblem((words) => words.t('teach.codeTaken', { name: owner }));
      const json = name.trim() === '' ? {} : { name: name.trim() };
      await ask(`/v1/items/${encodeURIComponent(plu)}`, { method: 'PUT', json });
      onMade(plu);
    });
  };
  return html`<${Form} novalidate onSubmit=${make}>
    <p>${t('teach.newWords', { sought: text })}</p>
    ${
      !isCode(text) &&
      html`<${TextField} id="new-code" label=${t('teach.code')} help=${t('teach.codeHelp')} problem=${problem}
        inputmode="numeric" most=${LIMITS.itemId} value=${code} onText=${setCode} />`
    }
    <${TextField} id="new-name" label=${t('teach.name')} problem=${isCode(text) ? problem : ''}
      most=${LIMITS.itemName} value=${name} onText=${setName} />
    <${Button} type="submit" kind="primary" disabled=${isBusy}>${t('teach.new', { sought: text })}</${Button}>
    <${Outcome} action=${action} />
  </${Form}>`;
}
