/** What comes and goes as a file: names and prices as a table, what was learned as a package. */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { listHref } from './finder.js';
import { PackageIn, PackageOut } from './packages.js';
import { Table } from './table.js';

export function Files() {
  const { t } = useWords();
  return html`<p><a class="button" href=${listHref()}>${t('items.all')}</a></p>
    <${Table} />
    <div class="columns"><${PackageOut} /><${PackageIn} /></div>`;
}
