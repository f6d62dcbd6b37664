/**
 * The page for a screen at the scale or the till: it shows what lies on the tray, one view at a time, which is a
 * picture and a few words, one tile, or tiles to choose from. A tap chooses: it is the recognition's feedback, and the
 * device reports it to the tray's followers.
 * @import { WordKey } from '../../../core/pages/app/language.js'
 * @import { TrayState } from '../../answer/tray-state.ts'
 * @import { Item } from './scale-tiles.js'
 */
import { html, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { t } from '../../../core/pages/app/language.js';
import { hrefOf, isPage } from '../../../core/pages/app/route.js';
import { Button, Chip, Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { likelyOf } from './likely.js';
import { answer, rejectItem } from './scale-answer.js';
import { Search, Sold, Tiles } from './scale-tiles.js';

/**
 * @typedef {object} Tray
 * @property {TrayState | null} tray null before the device has said anything
 * @property {boolean} isMoving the answer before no longer counts
 */

/**
 * @typedef {object} Choice
 * @property {ReadonlyMap<number, Item | null>} chosen by the thing's number, 0 where only one lies there; null: it is
 * not the certain or chosen item
 * @property {number | null} thing of several, the thing for which a person is choosing, from 1
 */

/** @type {Choice} */
export const NO_CHOICE = Object.freeze({ chosen: new Map(), thing: null });

/**
 * @typedef {{name: 'one', item: Item, by: 'certain' | 'chosen'}} Known the item of a thing: the device is certain, or a
 * person has said so
 * @typedef {Known | {name: 'many', candidates: readonly Item[]} | {name: 'unknown'}} StageOfThing
 * @typedef {StageOfThing | {name: 'looking' | 'moving' | 'lost' | 'empty' | 'dark'}
 *   | {name: 'several', things: readonly {thing: number, item: Item | null, by: Known['by'] | null}[]}} Stage
 */

/**
 * @param {Pick<TrayState, 'certain' | 'reason' | 'candidates'>} thing
 * @param {Item | null | undefined} picked what was chosen for it; null: not the certain or chosen item
 * @returns {StageOfThing}
 */
function stageOfThing(thing, picked) {
  const candidates = likelyOf(thing);
  const [first] = candidates;
  if (picked != null) return { name: 'one', item: picked, by: 'chosen' };
  if (thing.certain && first !== undefined && picked === undefined) return { name: 'one', item: first, by: 'certain' };
  return first === undefined ? { name: 'unknown' } : { name: 'many', candidates };
}

/** @param {TrayState} tray @param {Choice} choice @returns {Stage} */
function severalOf({ things }, { chosen, thing }) {
  const open = thing === null ? undefined : things[thing - 1];
  if (open !== undefined) return stageOfThing(open, chosen.get(/** @type {number} */ (thing)));
  return {
    name: 'several',
    things: things.map((each, at) => {
      const picked = chosen.get(at + 1);
      const stage = stageOfThing(each, picked);
      if (stage.name === 'one') return { thing: at + 1, item: stage.item, by: stage.by };
      return { thing: at + 1, item: picked === null ? null : (likelyOf(each)[0] ?? null), by: null };
    }),
  };
}

/** @param {Tray} seen @param {Choice} choice @returns {Stage} */
export function stageOf({ tray, isMoving }, choice) {
  if (tray === null) return { name: 'looking' };
  if (isMoving) return { name: 'moving' };
  if (tray.state === 'lost' || tray.state === 'empty') return { name: tray.state };
  if (tray.reason === 'several-items') return severalOf(tray, choice);
  const stage = stageOfThing(tray, choice.chosen.get(0));
  return stage.name === 'unknown' && tray.quality.includes('dark') ? { name: 'dark' } : stage;
}

/**
 * Icons drawn for Laneware: strokes on a field of 24; `unknown`: like no item at all.
 * @type {Readonly<Record<'silent' | 'looking' | 'moving' | 'lost' | 'empty' | 'dark' | 'unknown', string>>}
 */
const SIGNS = {
  silent: 'M4 12h4 M16 12h4 M8 8v8 M16 8v8 M10 5l4 14',
  looking: 'M12 5v2 M12 17v2 M5 12h2 M17 12h2 M7 7l1.5 1.5 M15.5 15.5L17 17 M17 7l-1.5 1.5 M8.5 15.5L7 17',
  moving: 'M3 12h6 M5 8h4 M5 16h4 M12 7h9v10h-9z',
  lost: 'M4 7h4l2-3h4l2 3h4v12H4z M3 3l18 18',
  empty: 'M3 15h18 M5 15l1 4h12l1-4',
  dark: 'M20 14a8 8 0 1 1-10-10 7 7 0 0 0 10 10z',
  unknown: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4 M12 17.5h.01 M4 4h16v16H4z',
};

/**
 * An icon with its words; other words get another node, because centred text would move.
 * @param {{name: keyof typeof SIGNS}} properties
 */
function Sign({ name }) {
  return html`<div class="sign ${name}">
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[name]} /></svg>
    <p role="status"><span key=${name}>${t(`scale.${name}`)}</span></p>
  </div>`;
}

/** @param {Known} properties */
function One({ item, by }) {
  return html`<div class="one" role="status">
    <div class="tile"><${Sold} item=${item} /></div>
    <${Chip} look="good">${t(`scale.${by}`)}</${Chip}>
  </div>`;
}

/** @param {{things: Extract<Stage, {name: 'several'}>['things'], onOpen: (thing: number) => void}} properties */
function Several({ things, onOpen }) {
  return html`<ul class="tiles" aria-label=${t('scale.several')}>
    ${things.map(
      ({ thing, item, by }) =>
        html`<li key=${thing}><button type="button" class="tile ${by === null ? '' : 'known'}" onClick=${() => onOpen(thing)}>
          ${item === null ? html`<span class="letters">?</span><span class="words"><strong>${t('scale.unknown')}</strong></span>` : html`<${Sold} item=${item} />`}
          <${Chip} look=${by === null ? 'open' : 'good'}>${t(by === null ? 'scale.tapToChoose' : `scale.${by}`)}</${Chip}>
        </button></li>`,
    )}
  </ul>`;
}

/** @param {Stage} stage @returns {keyof typeof SIGNS | null} the icon shown where nothing can be tapped */
function signOf(stage) {
  switch (stage.name) {
    case 'one':
    case 'many':
    case 'several':
      return null;
    default:
      return stage.name;
  }
}

/** @param {Stage} stage @returns {WordKey | null} null where a person need do nothing */
function promptOf(stage) {
  if (stage.name === 'many') return 'scale.many';
  return stage.name === 'several' && stage.things.some(({ by }) => by === null) ? 'scale.several' : null;
}

/** Keeps the focus: when the pressed element is removed, the element around the view gets the focus. */
function useFocusKept() {
  const shown = useRef(/** @type {HTMLElement | null} */ (null));
  const isUsed = useRef(false);
  useLayoutEffect(() => {
    if (isUsed.current && document.activeElement === document.body) shown.current?.focus();
  });
  return /** @type {const} */ ([shown, isUsed]);
}

/**
 * @typedef {{thing: number | null, recognition: string | null, item: Item | null}} Said a person's answer on a thing;
 * `item` null: it is not the certain or chosen item
 * @typedef {{onChange: (isSame: boolean) => void, onSaid: (said: Said) => void}} Handlers
 * @typedef {(handlers: Handlers) => Tray & {isUnknown?: boolean}} FollowTray `isUnknown`: the device cannot say what
 * lies there
 */

/**
 * @param {{follow: FollowTray, kind?: 'primary' | 'plain'}} properties `follow`: how the tray is followed, always the
 * same function; `kind`: of the search
 */
export function OnScale({ follow, kind = 'plain' }) {
  const [choice, setChoice] = useState(NO_CHOICE);
  const [isSearching, setSearching] = useState(false);
  const { action, isBusy, run, abandon } = useAction();
  const [shown, isUsed] = useFocusKept();
  /** The recognition that each choice has answered, which may be a later one than the shown one. */
  const answered = useRef(/** @type {Map<number, string | null>} */ (new Map()));
  /** @param {Said} said */
  const recordAnswer = ({ thing, recognition, item }) => {
    const at = thing ?? 0;
    answered.current.set(at, recognition);
    if (item !== null) setSearching(false);
    setChoice((before) => ({
      chosen: new Map([...before.chosen, [at, item]]),
      thing: before.thing === at && item !== null ? null : before.thing,
    }));
  };
  /**
   * Resets the page for another state. Typed text survives a small move of the thing; a choice does not.
   * @param {boolean} isSame
   */
  const reset = (isSame) => {
    setChoice(({ thing }) => (isSame ? { ...NO_CHOICE, thing } : NO_CHOICE));
    answered.current.clear();
    abandon();
    if (isSame) return;
    setSearching(false);
    isUsed.current = false;
  };
  const { isUnknown = false, ...seen } = follow({ onChange: reset, onSaid: recordAnswer });
  const { isLive, lostAt } = useDevice();
  const stage = stageOf(seen, choice);
  const tray = seen.tray?.id == null ? null : seen.tray;
  /** @param {Item} item */
  const choose = async (item) => {
    if (tray === null) return;
    const { thing } = choice;
    let recognition = tray.id;
    const send = async (/** @type {() => boolean} */ isWanted) => {
      recognition = await answer(tray, item.id, isWanted, thing ?? 0);
    };
    if (await run(send)) recordAnswer({ thing, recognition, item });
  };
  const notThis = async () => {
    if (tray === null) return;
    const { thing } = choice;
    const at = thing ?? 0;
    const look = { ...tray, id: answered.current.get(at) ?? tray.id };
    abandon();
    recordAnswer({ thing, recognition: look.id, item: null });
    await run((isWanted) => rejectItem(look, isWanted, at));
  };
  const isSought = isSearching && tray !== null;
  const canChoose = tray !== null && ['many', 'unknown', 'dark'].includes(stage.name);
  const stays = seen.isMoving ? 'scale.moving' : 'scale.search';
  const sign = !isLive && lostAt !== null ? 'silent' : signOf(stage);
  const says = sign === null ? promptOf(stage) : null;
  const asks = isSought ? stays : says;
  return html`<div class="scale-page" onClick=${() => {
    isUsed.current = true;
  }}>
    <p class="asks" role="status">${asks !== null && t(asks)}</p>
    <div class="on-scale" ref=${shown} tabindex="-1" aria-busy=${String(isBusy)}>
      ${
        isSought
          ? html`<${Search} disabled=${isBusy || seen.isMoving} onChoose=${choose} />`
          : html`
        ${stage.name === 'one' && html`<${One} ...${stage} />`}
        ${stage.name === 'many' && html`<${Tiles} items=${stage.candidates} label=${t('scale.many')} disabled=${isBusy} onChoose=${choose} />`}
        ${stage.name === 'several' && html`<${Several} things=${stage.things} onOpen=${(/** @type {number} */ thing) => setChoice({ ...choice, thing })} />`}
        ${isUnknown ? html`<p class="advice">${t('tray.unseen')}</p>` : sign !== null && html`<${Sign} name=${sign} />`}`
      }
    </div>
    <${Outcome} action=${action} />
    <div class="buttons">
      ${!isSought && stage.name === 'one' && html`<${Button} onClick=${notThis}>${t('scale.notThis')}</${Button}>`}
      ${!isSought && canChoose && html`<${Button} kind=${kind} onClick=${() => setSearching(true)}>${t('scale.other')}</${Button}>`}
      ${(isSought || canChoose) && isPage('teach') && html`<a class="button" href=${hrefOf('teach')}>${t('scale.teach')}</a>`}
      ${isSought && html`<${Button} onClick=${() => setSearching(false)}>${t('scale.back')}</${Button}>`}
      ${!isSought && choice.thing !== null && html`<${Button} onClick=${() => setChoice({ ...choice, thing: null })}>${t('scale.back')}</${Button}>`}
    </div>
  </div>`;
}
