/** The page of items: the list, one item, and files: names and prices as a table, templates as a package. @import { Route } from '../../../core/pages/app/route.js' @import { Search } from './search.js' @import { Waiting } from './deletions.js' */
import { html, useEffect, useMemo, useState } from '/console/assets/preact.js';
import { number, t, useWords } from '../../../core/pages/app/language.js';
import { hrefOf, isPage } from '../../../core/pages/app/route.js';
import { Nothing, Problem } from '../../../core/pages/parts/parts.js';
import { Undoing, useDeletions } from './deletions.js';
import { useFindings } from './findings.js';
import { useHits } from './hits.js';
import { OneItem } from './item.js';
import { List } from './list.js';
import { PackageIn, PackageOut } from './packages.js';
import { isToReview, listHref, matching, ordered, SearchFields, searchOf, writeToAddress } from './search.js';
import { useShelf } from './shelf.js';
import { Table } from './table.js';

/** How far the list was scrolled when an item was opened. */
let scrolled = 0;

/** @param {{query: URLSearchParams, deletions: readonly Waiting[]}} properties */
function All({ query, deletions }) {
  const { locale } = useWords();
  const { goods, isWhole, error } = useShelf();
  const findings = useFindings();
  const hits = useHits();
  const [search, setSearch] = useState(searchOf(query));
  /** @param {Search} next */
  const change = (next) => {
    setSearch(next);
    writeToAddress(next);
  };
  useEffect(() => {
    scrollTo(0, scrolled);
    return () => {
      scrolled = scrollY;
    };
  }, []);
  const known = useMemo(() => ({ findings, hits }), [findings, hits]);
  // until all are fetched they are shown in the order in which they come, which is that of their codes
  const order = isWhole ? search.order : 'code';
  const inOrder = useMemo(() => ordered(goods, order, locale, hits), [goods, order, locale, hits]);
  const shown = useMemo(
    () => matching(inOrder, search.text, search.show, known),
    [inOrder, search.text, search.show, known],
  );
  const toReview = useMemo(() => goods.filter(({ id }) => isToReview(id, findings)).length, [goods, findings]);
  const going = new Set(deletions.filter(({ template }) => template === null).map(({ item }) => item));
  const count = { n: shown.length, shown: number(shown.length), all: number(goods.length) };
  return html`<div class="line spread">
      <p role="status">${isWhole ? t('items.count', count) : t('items.coming', count)}</p>
      <div class="buttons">
        ${isPage('teach') && html`<a class="button primary" href=${hrefOf('teach')}>${t('items.add')}</a>`}
        <a class="button" href=${hrefOf('items', [], { files: 'yes' })}>${t('items.files')}</a>
      </div>
    </div>
    <${SearchFields} search=${search} toReview=${number(toReview)} onSearch=${change} />
    <${Problem} error=${error} />
    ${isWhole && shown.length === 0 && html`<${Nothing}>${goods.length === 0 ? t('items.none') : t('items.noneSuch')}</${Nothing}>`}
    ${shown.length > 0 && html`<${List} goods=${shown} known=${known} going=${going} />`}`;
}

function Files() {
  return html`<p><a class="button" href=${listHref()}>${t('items.all')}</a></p>
    <${Table} />
    <div class="columns"><${PackageOut} /><${PackageIn} /></div>`;
}

/** @param {{route: Route}} properties */
export function Items({ route: { path, query } }) {
  const deletions = useDeletions();
  const [id] = path;
  const isOne = id !== undefined;
  return html`${isOne && html`<${OneItem} key=${id} id=${id} deletions=${deletions} />`}
    ${!isOne && query.get('files') === 'yes' && html`<${Files} />`}
    ${!isOne && query.get('files') !== 'yes' && html`<${All} query=${query} deletions=${deletions} />`}
    <${Undoing} deletions=${deletions} />`;
}
