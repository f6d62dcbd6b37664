/** The page that stays open at a lane: the customer's picture, the payment, the tray. */
import { html } from '/console/assets/preact.js';
import { Asking } from './asking.js';
import { Customer } from './customer.js';
import { Latest, Recent } from './latest.js';
import { Tray } from './tray.js';

export const Lane = () =>
  html`<div class="columns">
    <div class="column"><${Asking} /><${Recent} /></div>
    <div class="column"><${Customer} /><${Latest} /><${Tray} /></div>
  </div>`;
