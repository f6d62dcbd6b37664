/** The real `onoff` over a made-up sysfs, in a mount namespace. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../../needing.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const NAMESPACE = ['-m', 'sh', here('fake-sysfs.sh')];

/** Why the real package cannot be tried on this machine; null when it can. */
function obstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux';
  const mounted = spawnSync('unshare', [...NAMESPACE, 'true'], { encoding: 'utf8' });
  if (mounted.status !== 0) return `a mount namespace cannot be made here: ${mounted.stderr || mounted.error}`;
  try {
    createRequire(import.meta.url)('onoff');
    return null;
  } catch (error) {
    return `onoff is not built (install g++, then: npm rebuild epoll): ${error}`;
  }
}

const gpio = suiteNeeding(obstacle(), 'gpio: the real onoff');

gpio('real onoff pins are switched by their BCM numbers and are off after closing', () => {
  const ran = spawnSync('unshare', [...NAMESPACE, process.execPath, here('gpio-holder.ts')], { encoding: 'utf8' });
  assert.is(ran.status, 0, ran.stderr);
  const { state, kind, on, directions, activeLow, off, odd } = JSON.parse(ran.stdout);
  assert.equal(on, { lamp: '1', statusLed: '0' });
  assert.is(off, '0');
  assert.equal(directions, ['low', 'in']);
  assert.is(activeLow, '1');
  // plain files cannot be waited on, so the button is missing here, and must be named
  assert.is(state.name, 'degraded');
  assert.match(state.reason, /^learn button: /);
  assert.is(kind, 'onoff', 'where the kernel has its files');
  assert.match(odd.reason, /lamp: pinctrl-bcm2711 has no GPIO 99/);
});

gpio.run();
