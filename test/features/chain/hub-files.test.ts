/** What docs/chain.md has a person make for a hub: its authority, a certificate for each server, and its unit. */
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from '../../needing.ts';
import { ROOT } from '../../root.ts';
import { temporaryFolder } from '../../support.ts';

const test = suiteNeeding(missingPrograms('openssl', 'systemd-analyze'), 'chain: files of a hub');

const BLOCKS = [...readFileSync(join(ROOT, 'docs/chain.md'), 'utf8').matchAll(/```text\n([\s\S]*?)```/g)].map(
  ([, text = '']) => text,
);
const blocksWith = (words: string): string[] => BLOCKS.filter((text) => text.includes(words));

test('the commands make an authority, and a certificate of it for a server and its routes', () => {
  using folder = temporaryFolder();
  const commands = blocksWith('openssl');
  assert.is(commands.length, 2);
  for (const each of commands) execFileSync('bash', ['-ec', each], { cwd: folder.path, stdio: 'pipe' });
  const [authority, server] = ['ca.pem', 'hub.pem'].map(
    (name) => new X509Certificate(readFileSync(join(folder.path, name))),
  );
  assert.ok(authority?.ca && server?.verify(authority.publicKey));
  assert.is(server?.checkHost('hub-1.example'), 'hub-1.example');
  // a server is also the client of the two others
  assert.equal(server?.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
});

test('its unit is one that systemd takes', () => {
  using folder = temporaryFolder();
  const [unit = ''] = blocksWith('[Service]');
  const file = join(folder.path, 'nats-hub.service');
  writeFileSync(file, unit.replace('/usr/local/bin/nats-server', '/bin/true').replace('User=nats', 'User=root'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  const own = stderr.split('\n').filter((line) => line.includes('nats-hub'));
  assert.equal([status, own], [0, []], stderr);
});

test.run();
