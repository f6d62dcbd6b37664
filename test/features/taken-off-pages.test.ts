/** A feature is one folder and one line: a device works without each of those that have a page. */
import { suite } from 'uvu';
import { featuresWith, takeOff } from './taken-off.ts';

const test = suite('a feature with a page that is taken off');

for (const name of featuresWith(true)) test(name, () => takeOff(name));

test.run();
