/**
 * The form for the shop's details, which papers show, and for its time zone.
 * @import { ShopFacts } from '../../../core/host/shop.ts'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { zoneWords } from '../../../core/pages/app/writing.js';
import { Button, Choice, Form, Outcome, Problem, TextField, useAction } from '../../../core/pages/parts/parts.js';

/** Time zone of this browser: the person who sets the device up is in the shop. */
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Options of all time zones, the known ones included.
 * @param {string[]} known
 * @returns {readonly (readonly [string, string])[]}
 */
const optionsWith = (...known) =>
  [...new Set([...known, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort().map((each) => [each, zoneWords(each)]);

/** @param {{facts: ShopFacts, now: string, onSaved: () => void}} properties `now`: the zone of the device */
function Fields({ facts, now, onSaved }) {
  const [typed, setTyped] = useState(facts);
  const { action, isBusy, run, forget } = useAction();
  /** The saved zone; before that an offered one, which is saved with the form. */
  const zone = typed.zone ?? (now === 'UTC' ? zoneHere() : now);
  const [options] = useState(() => optionsWith(zone, now));
  const isTyped = typed.name !== facts.name || typed.address !== facts.address || typed.zone !== facts.zone;
  useUnsaved(isTyped && action.stage !== 'done');
  /** @param {Partial<ShopFacts>} changed */
  const type = (changed) => {
    setTyped({ ...typed, ...changed });
    forget();
  };
  const save = async () => {
    const json = { name: typed.name.trim(), address: typed.address.trim(), zone };
    if (await run(() => ask('/console/api/shop', { method: 'PUT', json }), 'device.done')) {
      setTyped(json);
      onSaved();
    }
  };
  return html`<${Form} onSubmit=${save}>
    <${TextField} id="shop-name" label=${t('shop.name')} help=${t('shop.nameHelp')} most=${LIMITS.shop} value=${typed.name}
      onText=${(/** @type {string} */ name) => type({ name })} />
    <${TextField} id="shop-address" label=${t('shop.address')} most=${LIMITS.shop} value=${typed.address}
      onText=${(/** @type {string} */ address) => type({ address })} />
    <${Choice} id="zone" label=${t('clock.zone')} help=${t('shop.zoneHelp')} value=${zone}
      onChoose=${(/** @type {string} */ zone) => type({ zone })} options=${options} />
    <${Button} type="submit" kind="primary" disabled=${isBusy}>${t('shop.save')}</${Button}>
    <${Outcome} action=${action} />
  </${Form}>`;
}

/** @param {{onSaved?: () => void}} properties */
export function ShopForm({ onSaved = () => undefined }) {
  const { state } = useDevice();
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<ShopFacts>} */
  const { data, error, again } = useFetched('/console/api/shop');
  if (data === null || state === null) return html`<${Problem} error=${error} />`;
  const saved = () => void again().then(onSaved);
  return html`<${Fields} facts=${data} now=${state.timeZone} onSaved=${saved} />`;
}
