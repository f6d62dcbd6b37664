/** The page that stays open at a lane: whether it sells, the last payment, the tray, the next payment, and the customer's picture. */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { t } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { useSees } from '../../../core/pages/app/session.js';
import { LEVELS } from '../../../core/pages/parts/parts.js';
import { isOfCashiers, Said } from '../../../core/pages/parts/reasons.js';
import { Asking } from './asking.js';
import { Customer } from './customer.js';
import { Latest, Recent } from './latest.js';
import { Tray } from './tray.js';

function Sales() {
  const { state, isLive } = useDevice();
  const seesDevice = useSees('device');
  if (state === null || !isLive)
    return html`<section id="sales" class="rest"><h2>${t(state === null ? 'connecting' : 'noAnswer')}</h2></section>`;
  const { sales, parts } = state.health;
  const reasons = parts.flatMap((part) => part.reasons).filter((reason) => reason.sales !== 'sells');
  // what stops the sale comes before what may wait
  const reason = reasons.find((each) => each.sales === sales);
  return html`<section id="sales" class=${LEVELS[sales]} aria-labelledby="sales-title">
    <h2 id="sales-title"><span role="status">${t(sales === 'does-not-sell' ? 'sales.no' : 'sales.yes')}</span></h2>
    ${
      reason !== undefined &&
      html`<${Said} key=${reason.code} reason=${reason} isMendable=${seesDevice || isOfCashiers(reason.code)} />`
    }
    ${reasons.length > 1 && seesDevice && html`<p class="links"><a href=${hrefOf('device')}>${t('sales.more', { n: reasons.length - 1 })}</a></p>`}
  </section>`;
}

export const Lane = () =>
  html`<${Sales} />
    <div class="columns">
      <div class="column"><${Latest} /><${Tray} /><${Recent} /></div>
      <div class="column"><${Asking} /><${Customer} /></div>
    </div>`;
