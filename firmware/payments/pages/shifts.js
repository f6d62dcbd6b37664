/** Shifts: the open one with its close, the list of closed ones, and the view of one. @import { Shift, ShiftHead, ShiftsPage, ShiftPayment } from './types.js' */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { useOnce } from '../../core/pages/app/drafts.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { nameOf, roubles, t, time, useWords } from '../../core/pages/app/language.js';
import { fromHere, hrefOf } from '../../core/pages/app/route.js';
import { SureButton } from '../../core/pages/parts/dialog.js';
import { Card, Nothing, Outcome, useAction } from '../../core/pages/parts/parts.js';
import { Methods, Papers, Sum } from './totals.js';

const PAGE = 50;

/** @param {{totals: Shift['totals']}} properties */
function Turnover({ totals: { accepted, refunds, net, withoutReceipt } }) {
  return html`<dl class="sums">
    <${Sum} name=${t('totals.accepted')} of=${accepted} />
    <${Sum} name=${t('totals.refunds')} of=${refunds} counted="totals.refundCount" />
    <div class="sum-of"><dt>${t('totals.net')}</dt><dd><strong class="sum net">${roubles(net)}</strong></dd></div>
    ${withoutReceipt.count > 0 && html`<${Sum} name=${t('totals.withoutReceipt')} of=${withoutReceipt} />`}
  </dl>`;
}

/** @param {{shift: Shift, closing: ReturnType<typeof useAction>, onClosed: () => void}} properties `closing` outlives the shift: it says that the shift is closed */
function Close({ shift, closing: { action, run }, onClosed }) {
  const send = useOnce(`the close of shift ${shift.number}`);
  const { language } = useWords();
  const close = async () => {
    const isClosed = await run(
      () => send('/v1/shifts/close', { number: shift.number }), // another window may have closed it
      ({ t }) => t('shift.done', { number: shift.number }),
    );
    onClosed();
    return isClosed;
  };
  const closeAndPrint = async () => {
    const go = fromHere();
    if (await close()) go(`/v1/shifts/${shift.number}?format=html&lang=${language}#print`);
  };
  const question = {
    disabled: action.stage === 'busy',
    title: t('shift.sure', { number: shift.number, net: roubles(shift.totals.net) }),
    words: t('shift.sureWords'),
  };
  return html`<div class="buttons">
      <${SureButton} ...${question} kind="primary" go=${t('shift.closeAndPrint')} onYes=${closeAndPrint} />
      <${SureButton} ...${question} go=${t('shift.close')} onYes=${close} />
    </div>`;
}

/** @param {{shift: ShiftHead}} properties */
function Row({ shift: { number, closedAt, totals } }) {
  return html`<li>
    <a href=${hrefOf('payments', ['shifts', String(number)])}>
      <time datetime=${closedAt ?? ''}>${closedAt === null ? '' : time(closedAt)}</time>
      <span class="what">${t('shift.of', { number })}</span>
      <span class="sum">${roubles(totals.net)}</span>
    </a>
  </li>`;
}

/** @param {{query: URLSearchParams, revision: unknown, back: unknown}} properties */
export function Shifts({ query, revision, back }) {
  /** @type {import('../../core/pages/app/fetched.js').Fetched<Shift>} */
  const { data: open, error, again } = useFetched('/v1/shifts/current', revision);
  const closing = useAction();
  const cursor = query.get('cursor');
  /** @type {import('../../core/pages/app/fetched.js').Fetched<ShiftsPage>} */
  const { data: closed } = useFetched(
    `/v1/shifts?limit=${PAGE}${cursor === null ? '' : `&cursor=${cursor}`}`,
    open?.number,
  );
  return html`<${Card} id="shift" title=${open === null ? t('shift.title') : t('shift.of', { number: open.number })} aside=${back} error=${error}>
      ${
        open !== null &&
        html`<p class="soft">${t('shift.since', { time: time(open.openedAt) })} · <a href=${hrefOf('payments', ['shifts', 'current'])}>${t('shift.more')}</a></p>
        <${Turnover} totals=${open.totals} />
        <${Close} key=${open.number} shift=${open} closing=${closing} onClosed=${again} />`
      }
      <${Outcome} action=${closing.action} />
    </${Card}>
    <${Card} id="shifts" title=${t('shift.closed')}>
      ${closed !== null && closed.shifts.length === 0 && html`<${Nothing}>${t('shift.none')}</${Nothing}>`}
      ${closed !== null && closed.shifts.length > 0 && html`<ol class="ledger" aria-labelledby="shifts-title">${closed.shifts.map((shift) => html`<${Row} key=${shift.number} shift=${shift} />`)}</ol>`}
      ${closed !== null && closed.cursor !== null && html`<a class="button" href=${hrefOf('payments', ['shifts'], { cursor: closed.cursor })}>${t('shift.earlierOnes')}</a>`}
    </${Card}>`;
}

/** @param {{title: string, name: string, rows: readonly {name: string, totals: Shift['totals']}[]}} properties */
function TotalsBy({ title, name: of, rows }) {
  const isLacking = rows.some(({ totals }) => totals.withoutReceipt.count > 0);
  return html`<h3>${title}</h3>
    <div class="scrolled" tabindex="0" role="group" aria-label=${title}>
      <table>
        <thead><tr><th scope="col">${of}</th><th scope="col" class="sum">${t('totals.accepted')}</th><th scope="col" class="sum">${t('totals.refunds')}</th><th scope="col" class="sum">${t('shift.net')}</th>${isLacking && html`<th scope="col" class="sum">${t('shift.withoutReceipt')}</th>`}</tr></thead>
        <tbody>${rows.map(
          ({ name, totals: { accepted, refunds, net, withoutReceipt } }) => html`<tr key=${name}>
            <td>${name}</td><td class="sum">${roubles(accepted.sum)}</td><td class="sum">${roubles(refunds.sum)}</td><td class="sum">${roubles(net)}</td>
            ${isLacking && html`<td class="sum">${roubles(withoutReceipt.sum)}</td>`}
          </tr>`,
        )}</tbody>
      </table>
    </div>`;
}

/** @param {{id: string, title: string, payments: readonly ShiftPayment[], isEarlier?: boolean}} properties */
function PaymentList({ id, title, payments, isEarlier = false }) {
  if (payments.length === 0) return null;
  return html`<h3 id=${id}>${title}</h3>
    <ol class="ledger" aria-labelledby=${id}>${payments.map(
      (payment) => html`<li key=${payment.id}><a href=${hrefOf('payments', [payment.id])}>
        <span class="what">${t('shift.payment', { number: payment.number })}${isEarlier ? ` · ${t('shift.of', { number: payment.askedShift ?? '' })}` : ''}</span>
        <span class="sum">${roubles(payment.amount)}</span>
      </a></li>`,
    )}</ol>`;
}

/** @param {{shift: Shift}} properties */
function Figures({ shift }) {
  const { number, openedAt, closedAt, totals, profiles, cashiers, methods, earlier, returned, recounted } = shift;
  const file = (/** @type {string} */ format) =>
    `/v1/shifts/${closedAt === null ? 'current' : number}?format=${format}`;
  const isDifferent =
    recounted !== null &&
    (recounted.accepted.sum !== totals.accepted.sum || recounted.refunds.sum !== totals.refunds.sum);
  const byProfile = profiles.map(({ profile, bank, ...figures }) => ({
    name: profile === bank ? nameOf('bank', bank) : `${profile} · ${nameOf('bank', bank)}`,
    totals: figures,
  }));
  const byCashier = cashiers.map(({ till, cashier, ...figures }) => ({
    name: [till, cashier].filter((name) => name !== null).join(' · ') || t('shift.nobody'),
    totals: figures,
  }));
  return html`<p class="soft">${t(closedAt === null ? 'shift.since' : 'shift.opened', { time: time(openedAt) })}${closedAt !== null && html` · ${t('shift.closedAt', { time: time(closedAt) })}`}</p>
    ${isDifferent && html`<p class="problem" role="alert">${t('shift.otherRows')}</p>`}
    <${Turnover} totals=${totals} />
    ${byProfile.length > 1 && html`<${TotalsBy} title=${t('shift.byProfile')} name=${t('fact.profile')} rows=${byProfile} />`}
    ${byCashier.length > 0 && html`<${TotalsBy} title=${t('shift.byCashier')} name=${t('fact.cashier')} rows=${byCashier} />`}
    <${Methods} methods=${methods} />
    <${PaymentList} id="earlier" title=${t('shift.earlier')} payments=${earlier} isEarlier />
    <${PaymentList} id="returned" title=${t('shift.returned')} payments=${returned} />
    <${Papers} file=${file} />`;
}

/** @param {{id: string, revision: unknown}} properties */
export function ShiftView({ id, revision }) {
  /** The revision at which the shift was first read as closed: after that it never changes, and no sale has it read again. */
  const [closed, setClosed] = useState(/** @type {unknown} */ (null));
  /** @type {import('../../core/pages/app/fetched.js').Fetched<Shift>} */
  const { data: shift, error } = useFetched(`/v1/shifts/${encodeURIComponent(id)}?recount=true`, closed ?? revision);
  useEffect(() => {
    if (shift !== null && shift.closedAt !== null) setClosed((/** @type {unknown} */ before) => before ?? revision);
  }, [shift]);
  const back = html`<a href=${hrefOf('payments', ['shifts'])}>${t('shift.all')}</a>`;
  return html`<${Card} id="shift" title=${shift === null ? t('shift.title') : t('shift.of', { number: shift.number })} aside=${back} error=${error}>
    ${shift !== null && html`<${Figures} shift=${shift} />`}
  </${Card}>`;
}
