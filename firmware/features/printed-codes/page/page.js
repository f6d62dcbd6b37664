/**
 * The page of the layouts of the codes that the shop's scales print, with a preview of what typed layouts read before
 * they are saved.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 * @import { Preview } from '../routes.ts'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { nameOf, number, roubles, t } from '../../../core/pages/app/language.js';
import { Button, Card, Form, Nothing, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

const PATH = '/console/api/printed-codes';
const CODE_DIGITS = 13;

/** @param {{one: Preview['read'][number]}} properties */
function Row({ one: { code, layout, plu, weight, price, item } }) {
  const amount = weight === null ? roubles(price ?? 0) : t('printed.grams', { n: number(weight) });
  return html`<li>
    <span class="line"><code>${code}</code> <code class="soft">${layout}</code></span>
    <span class="line"><strong>${item ?? t('printed.noItem')}</strong> <span class="soft">${t('printed.plu', { plu })}</span> <strong>${amount}</strong></span>
  </li>`;
}

/** @param {{preview: Preview}} properties */
function Shown({ preview: { read, refused } }) {
  if (refused !== null)
    return html`<p class="problem" role="alert">${nameOf('problem', `PrintedCodes.${refused}`)}</p>`;
  if (read.length === 0) return html`<${Nothing}>${t('printed.none')}</${Nothing}>`;
  return html`<ul class="rows">${read.map((one) => html`<${Row} key=${one.layout} one=${one} />`)}</ul>`;
}

/** @param {{kept: string, onKept: () => void}} properties */
function Layouts({ kept, onKept }) {
  const [layouts, setLayouts] = useState(kept);
  const [code, setCode] = useState('');
  const { action, isBusy, run } = useAction();
  /** Only a complete code is sent: a shorter one is still being typed. */
  const whole = code.trim().length === CODE_DIGITS ? { code: code.trim() } : {};
  const asked = new URLSearchParams({ layouts, ...whole });
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<Preview>} */
  const { data, error } = useFetched(`${PATH}/preview?${asked}`);
  const isChanged = layouts.trim() !== kept;
  useUnsaved(isChanged);
  const unfit = data?.unfit ?? [];
  const save = async () => {
    const json = { layouts: layouts.split(/\s+/).filter((word) => word !== '') };
    if (await run(() => ask(PATH, { method: 'PUT', json }), 'printed.saved')) onKept();
  };
  return html`<${Card} id="printed-codes" title=${t('settings.printed-codes')} error=${error}>
    <p>${t('printed.how')}</p>
    <${Form} onSubmit=${save}>
      <${TextField} id="layouts" label=${t('printed.layouts')} help=${t('printed.layoutsHelp')}
        problem=${unfit.length === 0 ? '' : t('printed.unfit', { words: unfit.join(', ') })}
        autocapitalize="characters" spellcheck="false" value=${layouts} onText=${setLayouts} />
      <${TextField} id="label" label=${t('printed.code')} help=${t('printed.codeHelp')} inputmode="numeric"
        most=${CODE_DIGITS} value=${code} onText=${setCode} />
      <h3>${t('printed.preview')}</h3>
      ${data !== null && html`<${Shown} preview=${data} />`}
      <div class="buttons"><${Button} type="submit" kind=${isChanged ? 'primary' : 'plain'} disabled=${isBusy || unfit.length > 0}>${t('printed.save')}</${Button}></div>
    </${Form}>
    <${Outcome} action=${action} />
  </${Card}>`;
}

function PrintedCodes() {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{layouts: readonly string[]}>} */
  const { data, again } = useFetched(PATH);
  if (data === null) return null;
  return html`<${Layouts} kept=${data.layouts.join(' ')} onKept=${() => void again()} />`;
}

/** @type {FeaturePage} */
export default {
  name: 'printed-codes',
  place: 'section',
  after: 'access',
  icon: 'M4 5v14 M8 5v14 M11 5v14 M15 5v14 M17 5v14 M20 5v14',
  line: 'settings.printedCodesWords',
  View: PrintedCodes,
};
