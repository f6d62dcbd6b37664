/** The alerts: what raises them, judged by Prometheus's own tool. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingPrograms, needing } from '../needing.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder } from '../support.ts';

const alerts = suite('alerts');
const test = needing(missingPrograms('promtool'), 'alerts', alerts);

const RULES = join(ROOT, 'scripts/monitoring/alerts.yml');
const STORE = join(ROOT, 'scripts/monitoring/store.yml');

function promtool(...words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
  assert.is(status, 0, `${stdout}${stderr}`);
}

test('the rules are in order', () => promtool('check', 'rules', RULES));

test('each alert is raised by what it is for, and by nothing else', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'alerts.yml');
  const text = readFileSync(join(ROOT, 'test/monitoring/alerts.yml'), 'utf8');
  writeFileSync(file, text.replace('[ALERTS]', JSON.stringify([RULES])));
  promtool('test', 'rules', file);
  for (const [, name = ''] of readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g))
    assert.match(text, name, `no case raises ${name}`);
});

alerts('each alert says what is wrong and what to do, and is critical or a warning', () => {
  const rules = readFileSync(RULES, 'utf8')
    .split(/^ {6}- /m)
    .filter((rule) => rule.startsWith('alert: '));
  assert.ok(rules.length > 15, String(rules.length));
  for (const rule of rules) {
    assert.match(rule, /^ {8}labels: \{ severity: (critical|warning) \}$/m);
    assert.match(rule, /^ {10}summary: .{20,}$/m, rule);
    assert.match(rule, /^ {10}description: .{20,}$/m, rule);
  }
});

test('the example of a store is a configuration that Prometheus takes', () => {
  using folder = temporaryFolder();
  for (const file of [RULES, STORE]) copyFileSync(file, join(folder.path, basename(file)));
  for (const file of ['laneware.token', 'lanes.pem']) writeFileSync(join(folder.path, file), 'made-up');
  promtool('check', 'config', join(folder.path, basename(STORE)));
});

alerts.run();
