/** The page that stays open at a lane: whether it sells, the last payment, the tray, the next payment, and the customer's picture. */
import { html } from '/console/assets/preact.js';
import { Asking } from './asking.js';
import { Customer } from './customer.js';
import { Latest, Recent } from './latest.js';
import { Sales } from './sales.js';
import { Tray } from './tray.js';

export const Lane = () =>
  html`<${Sales} />
    <div class="columns">
      <div class="column"><${Latest} /><${Tray} /><${Recent} /></div>
      <div class="column"><${Asking} /><${Customer} /></div>
    </div>`;
