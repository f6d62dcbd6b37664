/** The device's answer on the things on the tray, in words. @import { Sayer } from '../../../core/pages/app/language.js' @import { Now } from '../../http/tray-schemas.ts' */

import { likelyOf } from '../tray/likely.js';

/** @typedef {Pick<Now['things'][number], 'certain' | 'reason' | 'candidates'>} Thing */

/** @param {Thing['candidates'][number]} candidate */
const nameOf = ({ name, id }) => (name === null ? id : `${name} (${id})`);

/** @param {Sayer} sayer @param {Thing} thing */
function thingWords({ t, locale }, thing) {
  const { certain, reason } = thing;
  const candidates = likelyOf(thing);
  const [first] = candidates;
  if (first === undefined) return t('tray.notKnown');
  if (certain) return nameOf(first);
  if (reason !== 'look-alikes') return t('tray.perhaps', { name: nameOf(first) });
  const names = candidates.slice(0, 2).map(nameOf); // no third is known to be as near
  return t('tray.alike', { names: new Intl.ListFormat(locale, { type: 'disjunction' }).format(names) });
}

/** @param {Sayer} sayer @param {Now | null} tray @returns {string} empty where nothing can be said */
export function trayWords(sayer, tray) {
  const { t } = sayer;
  if (tray === null || tray.state === 'lost') return '';
  if (tray.state === 'empty') return t('tray.empty');
  if (tray.reason === 'several-items') {
    const list = tray.things.map((thing, at) => `${at + 1}: ${thingWords(sayer, thing)}`);
    return t('tray.several', { list: list.join('; ') });
  }
  const what = thingWords(sayer, tray);
  const count = tray.things.length;
  const said = count > 1 ? t('tray.some', { count, what }) : t('tray.one', { what });
  if (tray.reason === 'few-templates') return `${said} ${t('tray.fewTemplates')}`;
  return tray.reason === 'look-alikes' ? `${said} ${t('tray.lookAlikes')}` : said;
}
