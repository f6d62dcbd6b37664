/** The dashboard for Grafana, of one store or of many. Each panel stands here once. `npm run generate` writes `store.json` beside. */

interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries' | 'table' | 'bargauge';
  /** `$who` chooses among stores and lanes. */
  readonly asks: readonly { readonly expr: string; readonly legend?: string }[];
  readonly unit?: 's' | 'bytes' | 'celsius' | 'percentunit';
  readonly description?: string;
  /** Whether more than 0 is red. */
  readonly isBad?: boolean;
}

const stat = (title: string, expr: string, more: Partial<Panel> = {}): Panel => ({
  title,
  type: 'stat',
  asks: [{ expr: `${expr} or vector(0)` }],
  ...more,
});
const BAD = { isBad: true } as const;
const series = (title: string, asks: Panel['asks'], more: Partial<Panel> = {}): Panel => ({
  title,
  type: 'timeseries',
  asks,
  ...more,
});
const lanes = (title: string, expr: string, more: Partial<Panel> = {}): Panel =>
  series(title, [{ expr, legend: '{{store}} {{serial}}' }], more);
/** A quantile of a histogram over the last half an hour. @param by labels, each with a comma behind it */
const quantile = (share: number, figure: string, by = ''): string =>
  `histogram_quantile(${share}, sum by (${by}le) (rate(${figure}_bucket{$who}[30m])))`;

/** The time within which half of the cases end, and 19 of 20, in seconds. */
const spread = (title: string, histogram: string): Panel =>
  series(
    title,
    [
      { expr: quantile(0.5, histogram), legend: 'half' },
      { expr: quantile(0.95, histogram), legend: '19 of 20' },
    ],
    { unit: 's' },
  );

const PANELS: readonly Panel[] = [
  stat('Lanes read', 'count(up{job="laneware-lanes",$who} == 1)'),
  stat('Lanes silent', 'count(up{job="laneware-lanes",$who} == 0)', BAD),
  stat('Lanes that do not sell', 'count(laneware_sales{$who} == 2)', BAD),
  stat('Late payments', 'sum(laneware_payments_late{$who})', BAD),
  stat('Releases undone', 'sum(laneware_releases_undone{$who})', BAD),
  {
    title: 'Releases',
    type: 'bargauge',
    asks: [{ expr: 'count by (version) (laneware_info{$who})', legend: '{{version}}' }],
  },
  {
    title: 'Who is ill',
    type: 'table',
    asks: [{ expr: 'laneware_part_state{$who} > 0' }],
    description: '1 degraded, 2 failed; lanectl doctor says what to do',
  },
  series('Payments a minute', [
    { expr: 'sum(rate(laneware_payments_asked_total{$who}[15m])) * 60', legend: 'asked' },
    { expr: 'sum(rate(laneware_payments_shown_total{$who}[15m])) * 60', legend: 'shown' },
    { expr: 'sum by (state) (rate(laneware_payments_total{$who}[15m])) * 60', legend: '{{state}}' },
  ]),
  lanes(
    'Accepted in an hour (the least ten)',
    'bottomk(10, sum by (store, serial) (increase(laneware_payments_total{state="ACCEPTED",$who}[1h])))',
  ),
  lanes(
    'Asked and not accepted in an hour (the most ten)',
    'topk(10, 1 - sum by (store, serial) (increase(laneware_payments_total{state="ACCEPTED",$who}[1h])) / sum by (store, serial) (increase(laneware_payments_asked_total{$who}[1h])))',
    { unit: 'percentunit' },
  ),
  series(
    'A bank answers: 19 of 20 within',
    [{ expr: quantile(0.95, 'laneware_bank_answer_seconds', 'bank, step, '), legend: '{{bank}} {{step}}' }],
    { unit: 's' },
  ),
  series('Answers of a bank that failed, a minute', [
    {
      expr: 'sum by (bank, step, failure) (rate(laneware_bank_failures_total{$who}[15m])) * 60',
      legend: '{{bank}} {{step}} {{failure}}',
    },
  ]),
  spread('From the code to the acceptance', 'laneware_payment_accepted_seconds'),
  series('Refunds in a day', [
    { expr: 'sum by (state) (increase(laneware_refunds_total{$who}[1d]))', legend: '{{state}}' },
  ]),
  series('Recognitions a minute', [
    { expr: 'sum by (verdict) (rate(laneware_recognitions_total{$who}[15m])) * 60', legend: '{{verdict}}' },
  ]),
  series('Taps a minute', [{ expr: 'sum by (tap) (rate(laneware_taps_total{$who}[15m])) * 60', legend: '{{tap}}' }]),
  spread('From rest to sold', 'laneware_item_chosen_seconds'),
  series('Display and camera lost in a day (the most ten)', [
    { expr: 'topk(10, increase(laneware_display_losses_total{$who}[1d]))', legend: '{{store}} {{serial}} display' },
    { expr: 'topk(10, increase(laneware_camera_losses_total{$who}[1d]))', legend: '{{store}} {{serial}} camera' },
  ]),
  lanes('Synchronised last (the latest ten)', 'topk(10, laneware_sync_lag_seconds{$who})', { unit: 's' }),
  lanes('Heat (the hottest ten)', 'topk(10, laneware_temperature_celsius{$who})', { unit: 'celsius' }),
  lanes('Memory (the largest ten)', 'topk(10, process_resident_memory_bytes{$who})', { unit: 'bytes' }),
  lanes('Room on the storage (the least ten)', 'bottomk(10, laneware_disk_free_bytes{$who})', { unit: 'bytes' }),
];

const WHO = 'store=~"$store",serial=~"$lane"';

const SOURCE = { type: 'prometheus', uid: '$source' } as const;
const WIDTH = 24;
const SIZES = {
  stat: { w: 4, h: 4 },
  bargauge: { w: 8, h: 8 },
  table: { w: 16, h: 8 },
  timeseries: { w: 12, h: 8 },
} as const;
const RED_ABOVE_0 = {
  thresholds: {
    mode: 'absolute',
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: 1 },
    ],
  },
  color: { mode: 'thresholds' },
} as const;

/** Panels of one kind fill a line before those of the next begin another. */
function placed(panels: readonly Panel[]) {
  let [x, y, line] = [0, 0, 0];
  return panels.map((panel) => {
    const { w, h } = SIZES[panel.type];
    if (x + w > WIDTH || (x > 0 && h !== line)) [x, y] = [0, y + line];
    const place = { panel, gridPos: { x, y, w, h } };
    [x, line] = [x + w, h];
    return place;
  });
}

const chosen = (name: string, label: string, query: string) => ({
  name,
  label,
  type: 'query',
  datasource: SOURCE,
  query: { query, refId: name },
  multi: true,
  includeAll: true,
  allValue: '.*',
  refresh: 2,
  sort: 1,
  current: { text: 'All', value: '$__all' },
});

/** The dashboard as Grafana imports it; the person who imports it chooses the Prometheus. */
export const dashboard = () => ({
  title: 'Laneware',
  uid: 'laneware-store',
  schemaVersion: 39,
  version: 2,
  tags: ['laneware'],
  editable: true,
  refresh: '1m',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
      chosen('store', 'Store', 'label_values(up{job="laneware-lanes"}, store)'),
      chosen('lane', 'Lane', 'label_values(up{job="laneware-lanes",store=~"$store"}, serial)'),
    ],
  },
  panels: placed(PANELS).map(({ panel, gridPos }, index) => ({
    id: index + 1,
    type: panel.type,
    title: panel.title,
    description: panel.description ?? '',
    datasource: SOURCE,
    gridPos,
    targets: panel.asks.map(({ expr, legend = '' }, place) => ({
      datasource: SOURCE,
      expr: expr.replaceAll('$who', WHO),
      legendFormat: legend,
      refId: 'ABC'[place],
    })),
    fieldConfig: {
      defaults: { ...(panel.unit && { unit: panel.unit }), ...(panel.isBad && RED_ABOVE_0) },
      overrides: [],
    },
    options: {},
  })),
});
