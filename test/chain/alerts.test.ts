/** The alerts and the dashboard of a chain: what raises them, judged by Prometheus's own tool. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingPrograms, needing } from '../needing.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder } from '../support.ts';

const alerts = suite('alerts of a chain');
const test = needing(missingPrograms('promtool'), 'alerts of a chain', alerts);

const RULES = join(ROOT, 'scripts/chain/prometheus/alerts.yml');
const DASHBOARD = join(ROOT, 'scripts/chain/grafana/chain.json');

function promtool(...words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
  assert.is(status, 0, `${stdout}${stderr}`);
}

test('the rules are in order', () => promtool('check', 'rules', RULES));

test('each alert is raised by what it is for, and by nothing else', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'alerts.yml');
  const text = readFileSync(join(ROOT, 'test/chain/alerts.yml'), 'utf8');
  writeFileSync(file, text.replace('[ALERTS]', JSON.stringify([RULES])));
  promtool('test', 'rules', file);
  for (const [, name = ''] of readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g))
    assert.match(text, name, `no case raises ${name}`);
});

/** Finds figures in alerts and dashboard that no program of ours exports. */
alerts('every figure that an alert or the dashboard asks for is one that a device or the exporter exports', () => {
  const exported = new Set<string>();
  for (const path of TELLERS)
    for (const [name] of readFileSync(join(ROOT, path), 'utf8').matchAll(/laneware_[a-z_]+|OWN\}[a-z_]+/g))
      exported.add(name.replace('OWN}', 'laneware_chain_'));
  for (const text of [readFileSync(RULES, 'utf8'), readFileSync(DASHBOARD, 'utf8')])
    for (const [name] of text.matchAll(/laneware_[a-z_]+/g)) {
      assert.ok(exported.has(name), name);
    }
});

const TELLERS = [
  'firmware/board/watch-board.ts',
  'firmware/chain/upward.ts',
  'firmware/host/count-health.ts',
  'firmware/recognition/recognition.ts',
  'firmware/sync/health.ts',
  'firmware/terminal/terminal.ts',
  'scripts/chain/exporter.ts',
  'scripts/chain/exposition.ts',
];

test('the dashboard is a document that Grafana takes: each panel asks a question, in a place of its own', () => {
  const { panels, uid } = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  assert.is(uid, 'laneware-chain');
  const places = new Set(
    panels.map(({ gridPos }: { gridPos: { x: number; y: number } }) => `${gridPos.x} ${gridPos.y}`),
  );
  assert.is(places.size, panels.length);
  for (const { title, targets } of panels) assert.ok(targets[0].expr.length > 0, title);
});

alerts.run();
