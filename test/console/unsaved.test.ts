/** Forms of the pages: each asks before what was typed is lost. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isOfWords, PAGE_SCRIPTS, readPage } from './pages.ts';

const test = suite('what is typed and not saved');

const FIELD = /<(?:input|select|textarea)\b|<\$\{(?:FileField|AskedField|SentFile|TextField|Choice|Field)\}/;
const COMPONENT = /^(?:export )?function (?=\w+\()/m;

const FINDS = 'finds or compares: nothing of it is saved';
const OF_A_FORM = 'a field: the form around it asks';
const AT_ONCE = 'what is chosen is saved at once';
const YES = 'a name typed as a yes';
const SECRET = 'a PIN or a token: it is used once and kept nowhere';

/** Components with a field that need no question, and why. */
const UNASKED: Readonly<Record<string, string>> = {
  'recognition/pages/camera/camera.js Side': OF_A_FORM,
  'recognition/pages/camera/camera.js Speed': AT_ONCE,
  'console/pages/claim/claim-form.js ClaimForm': SECRET,
  'console/pages/device/log.js Finder': FINDS,
  'features/call-log/page/log.js Finder': FINDS,
  'recognition/pages/items/search.js SearchFields': FINDS,
  'recognition/pages/items/table.js Drop': OF_A_FORM,
  'recognition/pages/items/table.js Prices': OF_A_FORM,
  'core/pages/parts/dialog.js TypedQuestion': YES,
  'core/pages/parts/parts.js TextField': OF_A_FORM,
  'core/pages/parts/parts.js FileField': OF_A_FORM,
  'payments/pages/totals.js DayField': FINDS,
  'payments/pages/payments.js Finder': FINDS,
  'payments/pages/payment.js SupervisorPin': SECRET,
  'payments/pages/totals.js Figures': FINDS,
  'features/reconciliation/page/page.js Columns': FINDS,
  'features/reconciliation/page/page.js Dates': FINDS,
  'features/reconciliation/page/page.js Operations': FINDS,
  'features/reconciliation/page/page.js Reconcile': FINDS,
  'recognition/pages/tray/scale-tiles.js Search': FINDS,
  'core/pages/shell/sign-in.js Secret': SECRET,
  'recognition/pages/items/finding.js Finding': FINDS,
  'console/pages/welcome/asked-fields.js AskedField': OF_A_FORM,
  'console/pages/welcome/bank-step.js BankFields': OF_A_FORM,
  'console/pages/welcome/asked-fields.js SentFile': OF_A_FORM,
};

/** Of all pages: each function with a field, and its text. */
const withFields = PAGE_SCRIPTS.filter((file) => !isOfWords(file)).flatMap((file) => {
  const [, ...functions] = readPage(file).split(COMPONENT);
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
