/** Forms of the pages: each asks before what was typed is lost. */
import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('what is typed and not saved');

const FOLDER = new URL('../../firmware/console/pages/', import.meta.url);
const FIELD = /<(?:input|select|textarea)\b|<\$\{(?:FileField|AskedField|SentFile|TextField|Choice|Field)\}/;
const COMPONENT = /^(?:export )?function (?=\w+\()/m;

const FINDS = 'finds or compares: nothing of it is saved';
const OF_A_FORM = 'a field: the form around it asks';
const AT_ONCE = 'what is chosen is saved at once';
const YES = 'a name typed as a yes';
const SECRET = 'a PIN or a token: it is used once and kept nowhere';

/** Components with a field that need no question, and why. */
const UNASKED: Readonly<Record<string, string>> = {
  'tray/camera-placing.js Side': OF_A_FORM,
  'tray/camera-speed.js Speed': AT_ONCE,
  'claim.js Claim': SECRET,
  'device/log.js Finder': FINDS,
  'integrate/log.js Finder': FINDS,
  'items/finder.js Finder': FINDS,
  'items/table.js Drop': OF_A_FORM,
  'parts/dialog.js TypedQuestion': YES,
  'parts/parts.js Field': OF_A_FORM,
  'parts/parts.js FileField': OF_A_FORM,
  'payments/day.js DayField': FINDS,
  'payments/finder.js Finder': FINDS,
  'payments/payment.js Answering': SECRET,
  'payments/reconcile.js Columns': FINDS,
  'payments/reconcile.js Reconcile': FINDS,
  'tray/scale-tiles.js Search': FINDS,
  'app/sign-in.js Secret': SECRET,
  'tray/teach-finding.js Finding': FINDS,
  'welcome/asked-fields.js AskedField': OF_A_FORM,
  'welcome/asked-fields.js SentFile': OF_A_FORM,
};

/** Of all pages: each function with a field, and its text. */
const withFields = globSync('**/*.js', { cwd: FOLDER })
  .filter((file) => !file.startsWith('words/'))
  .flatMap((file) => {
    const [, ...functions] = readFileSync(new URL(file, FOLDER), 'utf8').split(COMPONENT);
    return functions
      .filter((text) => FIELD.test(text))
      .map((text) => ({ name: `${file} ${/^\w+/.exec(text)}`, asks: /^ {2}useUnsaved\(/m.test(text) }));
  });

test('each form asks before it is left, or is listed here with a reason', () => {
  const unasked = withFields.filter(({ asks }) => !asks).map(({ name }) => name);
  assert.equal(unasked.sort(), Object.keys(UNASKED).sort());
  assert.ok(withFields.filter(({ asks }) => asks).length > 10, 'forms are found at all');
});

test.run();
