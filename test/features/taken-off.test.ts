/** A feature is one folder and one line: a device works without each of those that have no page. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FEATURES } from '../../firmware/features.ts';
import { ROOT } from '../root.ts';
import { featuresWith, takeOff } from './taken-off.ts';

const test = suite('a feature without a page that is taken off');

for (const name of featuresWith(false)) test(name, () => takeOff(name));

test('each folder has its line', () => {
  for (const { name } of FEATURES) assert.ok(existsSync(join(ROOT, 'firmware/features', name, 'feature.ts')), name);
  assert.ok(featuresWith(true).length > 3 && featuresWith(false).length > 3);
});

test.run();
