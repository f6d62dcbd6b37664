/**
 * The dashboards for Grafana: of a chain, whose figures the exporter has, and of one store without a hub, whose lanes Prometheus reads
 * itself. Each panel stands here once. `npm run generate` writes `chain.json` and `store.json` beside.
 */

export const SCOPES = Object.freeze(['chain', 'store'] as const);
export type Scope = (typeof SCOPES)[number];

interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries' | 'table' | 'bargauge';
  /** `$who` chooses among stores or lanes, `$each` are the labels that name a lane, `$name` their values, `$info` is the figure of its release. */
  readonly asks: readonly { readonly expr: string; readonly legend?: string }[];
  /** Of both when left out. */
  readonly only?: Scope;
  readonly unit?: 's' | 'bytes' | 'celsius' | 'percentunit';
  readonly description?: string;
  /** Whether more than 0 is red. */
  readonly isBad?: boolean;
}

const stat = (title: string, expr: string, more: Partial<Panel> = {}): Panel => ({
  ...{ title, type: 'stat', asks: [{ expr: `${expr} or vector(0)` }] },
  ...more,
});
const BAD = { isBad: true } as const;
const series = (title: string, asks: Panel['asks'], more: Partial<Panel> = {}): Panel => ({
  ...{ title, type: 'timeseries', asks },
  ...more,
});
const lanes = (title: string, expr: string, more: Partial<Panel> = {}): Panel =>
  series(title, [{ expr, legend: '$name' }], more);
/** A share of the times, by some labels, of a histogram of the last half an hour. */
const quantile = (share: number, figure: string, by = ''): string =>
  `histogram_quantile(${share}, sum by (${by}le) (rate(${figure}_bucket{$who}[30m])))`;
const HEARD = 'max by (store) (laneware_chain_device_heard{$who})';

/** How long half of them take, and 19 of 20, in seconds. */
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
  stat('Stores heard', `count(${HEARD} == 1)`, { only: 'chain' }),
  stat('Stores silent', `count(${HEARD} == 0)`, { only: 'chain', ...BAD }),
  stat('Devices heard', 'sum(laneware_chain_device_heard{$who})', { only: 'chain' }),
  stat('Devices silent', 'count(laneware_chain_device_heard{$who} == 0)', { only: 'chain', ...BAD }),
  stat('Lanes read', 'count(up{job="laneware-lanes",$who} == 1)', { only: 'store' }),
  stat('Lanes silent', 'count(up{job="laneware-lanes",$who} == 0)', { only: 'store', ...BAD }),
  stat('Lanes that do not sell', 'count(laneware_sales{$who} == 2)', BAD),
  stat('Late payments', 'sum(laneware_payments_late{$who})', BAD),
  stat('Releases undone', 'sum(laneware_releases_undone{$who})', BAD),
  { title: 'Releases', type: 'bargauge', asks: [{ expr: 'count by (version) ($info{$who})', legend: '{{version}}' }] },
  {
    ...{ title: 'Who is ill', type: 'table', asks: [{ expr: 'laneware_part_state{$who} > 0' }] },
    description: '1 degraded, 2 failed; lanectl doctor says what to do',
  },
  series('Payments a minute', [
    { expr: 'sum(rate(laneware_payments_asked_total{$who}[15m])) * 60', legend: 'asked' },
    { expr: 'sum(rate(laneware_payments_shown_total{$who}[15m])) * 60', legend: 'shown' },
    { expr: 'sum by (state) (rate(laneware_payments_total{$who}[15m])) * 60', legend: '{{state}}' },
  ]),
  lanes(
    'Accepted in an hour (the least ten)',
    'bottomk(10, sum by ($each) (increase(laneware_payments_total{state="ACCEPTED",$who}[1h])))',
  ),
  lanes(
    'Asked and not accepted in an hour (the most ten)',
    'topk(10, 1 - sum by ($each) (increase(laneware_payments_total{state="ACCEPTED",$who}[1h])) / sum by ($each) (increase(laneware_payments_asked_total{$who}[1h])))',
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
    { expr: 'topk(10, increase(laneware_display_losses_total{$who}[1d]))', legend: '$name display' },
    { expr: 'topk(10, increase(laneware_camera_losses_total{$who}[1d]))', legend: '$name camera' },
  ]),
  lanes('Synchronised last (the latest ten)', 'topk(10, laneware_sync_lag_seconds{$who})', { unit: 's' }),
  lanes('Payments that the chain has not taken (the longest ten)', 'topk(10, laneware_payments_untold_seconds{$who})', {
    unit: 's',
    only: 'chain',
  }),
  lanes('Heat (the hottest ten)', 'topk(10, laneware_temperature_celsius{$who})', { unit: 'celsius' }),
  lanes('Memory (the largest ten)', 'topk(10, process_resident_memory_bytes{$who})', { unit: 'bytes' }),
  lanes('Room on the storage (the least ten)', 'bottomk(10, laneware_disk_free_bytes{$who})', { unit: 'bytes' }),
];

interface Kind {
  readonly title: string;
  readonly chosen: { readonly name: string; readonly label: string; readonly query: string };
  /** What stands for the words of {@link Panel.asks}. */
  readonly words: Readonly<Record<string, string>>;
}

const OF: Readonly<Record<Scope, Kind>> = {
  chain: {
    title: 'Laneware: a chain',
    chosen: { name: 'store', label: 'Store', query: 'label_values(laneware_chain_device_heard, store)' },
    words: {
      $who: 'store=~"$store"',
      $each: 'store, serial',
      $name: '{{store}} {{serial}}',
      $info: 'laneware_chain_device_info',
    },
  },
  store: {
    title: 'Laneware: a store',
    chosen: { name: 'lane', label: 'Lane', query: 'label_values(up{job="laneware-lanes"}, serial)' },
    words: { $who: 'serial=~"$lane"', $each: 'serial', $name: '{{serial}}', $info: 'laneware_info' },
  },
};

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

/** A dashboard as Grafana imports it; the person who does names the Prometheus. */
export function dashboard(scope: Scope) {
  const { title, chosen, words } = OF[scope];
  const worded = (text: string): string =>
    text.replaceAll(/\$(?:who|each|name|info)\b/g, (word) => words[word] ?? word);
  const own = PANELS.filter(({ only = scope }) => only === scope);
  return {
    title,
    uid: `laneware-${scope}`,
    ...{ schemaVersion: 39, version: 2, tags: ['laneware'], editable: true, refresh: '1m' },
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        {
          ...{ name: chosen.name, label: chosen.label, type: 'query', datasource: SOURCE },
          query: { query: chosen.query, refId: chosen.name },
          ...{ multi: true, includeAll: true, allValue: '.*', refresh: 2, sort: 1 },
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: placed(own).map(({ panel, gridPos }, index) => ({
      ...{ id: index + 1, type: panel.type, title: panel.title, description: panel.description ?? '' },
      ...{ datasource: SOURCE, gridPos },
      targets: panel.asks.map(({ expr, legend = '' }, place) => ({
        ...{ datasource: SOURCE, expr: worded(expr), legendFormat: worded(legend), refId: 'ABC'[place] },
      })),
      fieldConfig: {
        defaults: { ...(panel.unit && { unit: panel.unit }), ...(panel.isBad && RED_ABOVE_0) },
        overrides: [],
      },
      options: {},
    })),
  };
}
