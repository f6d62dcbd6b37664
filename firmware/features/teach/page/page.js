/**
 * The page that teaches recognition an item, for a phone in one hand: the choice of the item, and the lists of
 * uncertain answers and of contradictions.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 * @import { Route } from '../../../core/pages/app/route.js'
 * @import { CameraAnswer } from '../../../recognition/http/v1/camera-routes.ts'
 * @import { ContradictionList } from '../../../recognition/http/v1/contradiction-routes.ts'
 * @import { Item } from '../../../recognition/pages/items/finding.js'
 */
import { html } from '/console/assets/preact.js';
import { ask, CallError } from '../../../core/pages/app/api.js';
import { useDevice, usePart } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { roubles, t, time } from '../../../core/pages/app/language.js';
import { fromHere, hrefOf } from '../../../core/pages/app/route.js';
import { useSees } from '../../../core/pages/app/session.js';
import { Card, Nothing, Problem } from '../../../core/pages/parts/parts.js';
import { DrawnTray, EmptyTray, Finding, ItemLine } from '../../../recognition/pages/index.js';
import { Collecting } from './teach-collecting.js';
import { NewItem } from './teach-new-item.js';
import { Uncertain } from './teach-uncertain.js';

/**
 * The item at a path.
 * @param {string} path
 * @returns {Promise<Pick<Item, 'name' | 'plu'>>} without name and PLU for an item that was learned, but has no record
 * @throws {CallError}
 */
async function itemAt(path) {
  try {
    return await ask(path);
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'Items.NotFound')) throw error;
    /** @type {{templates: readonly unknown[]}} */
    const { templates } = await ask(`${path}/templates`);
    if (templates.length === 0) throw error;
    return { name: null, plu: '' };
  }
}

/** @param {{id: string}} properties */
function Chosen({ id }) {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<Pick<Item, 'name' | 'plu'>>} */
  const { data, error } = useFetched(`/v1/items/${encodeURIComponent(id)}`, undefined, itemAt);
  return html`<div class="column teach-one">
    <p class="line"><strong class="large">${data?.name ?? id}</strong><span class="soft">${data?.plu ?? ''}</span>
      <a class="button" href=${hrefOf('teach')}>${t('teach.another')}</a></p>
    <${Problem} error=${error} />
    <${DrawnTray} />
    ${data !== null && html`<${Collecting} key=${id} item=${id} name=${data.name ?? id} />`}
  </div>`;
}

/** The choice of the item to teach: a known or a new one. */
function Choosing() {
  const mayMake = useSees('items');
  const row = (/** @type {Item} */ item) =>
    html`<a href=${hrefOf('teach', [item.id])}><${ItemLine} item=${item} /></a>`;
  const go = fromHere();
  const open = (/** @type {string} */ id) => go(hrefOf('teach', [id]));
  const fresh = (/** @type {string} */ text, /** @type {number} */ found) => {
    if (mayMake) return html`<${NewItem} key=${text} text=${text} onMade=${open} />`;
    return found === 0 && html`<${Nothing}>${t('teach.notFound')}</${Nothing}>`;
  };
  const none = html`<${Nothing}>${t(mayMake ? 'teach.noItems' : 'teach.noneYet')}</${Nothing}>`;
  return html`<${Card} id="choosing" title=${t('teach.which')}>
    <${Finding} id="sought" help=${mayMake ? t('teach.soughtHelp') : ''} row=${row} fresh=${fresh} none=${none} />
  </${Card}>`;
}

/** @typedef {import('../../../core/pages/app/fetched.js').Fetched<CameraAnswer>} Sight */
/**
 * Has a person teach the empty tray first.
 * @param {{children: unknown}} properties shown once the empty tray is learned, or without a camera
 */
function TrayFirst({ children }) {
  const camera = usePart('camera');
  const isSeeing = camera?.state === 'ok' && camera.driver !== 'none';
  const mayLearn = useSees('camera');
  const { data, error, again } = /** @type {Sight} */ (useFetched(isSeeing ? '/console/api/camera' : null));
  if (isSeeing && data === null && error === null) return null;
  if (data === null || data.learned) return children;
  if (!mayLearn)
    return html`<${Card} id="learning" title=${t('camera.emptyTray')}><${Nothing}>${t('teach.trayFirst')}</${Nothing}></${Card}>`;
  return html`<div class="column teach-one">
    <${EmptyTray} isLearned=${false} onLearned=${() => void again()}>
      <${DrawnTray} />
    </${EmptyTray}>
  </div>`;
}

/** @typedef {ContradictionList['contradictions'][number]} Contradiction */

/** @param {Contradiction['certain']} item */
const soldAs = ({ id, name, price }) =>
  html`<strong>${name ?? id}</strong> ${price !== null && html`<span class="price">${roubles(price)}</span>`}`;

/** @param {{one: Contradiction}} properties */
const Row = ({ one: { at, certain, taken, picture } }) =>
  html`<li class="line contradiction">
    ${picture !== null && html`<img src=${picture} alt="" decoding="async" />`}
    <span>
      <span class="line">${t('contradictions.certain')} ${soldAs(certain)}</span>
      <span class="line">${t('contradictions.taken')} ${soldAs(taken)}</span>
      <time class="soft" datetime=${at}>${time(at)}</time>
    </span>
  </li>`;

/**
 * Sales in which another item was taken than recognition was certain of; nothing where there are none, or the person
 * may not manage items.
 */
function Contradictions() {
  const { state } = useDevice();
  const maySee = useSees('items');
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<ContradictionList>} */
  const { data, error } = useFetched(maySee ? '/v1/contradictions' : null, state?.uncertain);
  const all = data?.contradictions ?? [];
  if (all.length === 0 && error === null) return null;
  return html`<${Card} id="contradictions" title=${t('contradictions.title')} error=${error}>
    <p class="soft">${t('contradictions.words')}</p>
    <ul class="rows">${all.map((one) => html`<${Row} key=${one.id} one=${one} />`)}</ul>
  </${Card}>`;
}

/** @param {{route: Route}} properties */
function Teach({ route: { path } }) {
  const [id] = path;
  if (id !== undefined) return html`<${TrayFirst}><${Chosen} key=${id} id=${id} /></${TrayFirst}>`;
  return html`<${TrayFirst}><div class="columns">
    <div class="column"><${Choosing} /></div>
    <div class="column"><${Uncertain} /><${Contradictions} /></div>
  </div></${TrayFirst}>`;
}

/** @type {FeaturePage} */
export default {
  name: 'teach',
  place: 'rail',
  after: 'items',
  isOnPhone: true,
  icon: 'M3 9l9-4 9 4-9 4z M7 11v5c3 2 7 2 10 0v-5 M21 9v6',
  View: Teach,
};
