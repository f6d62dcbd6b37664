/** What the device may ask of its system, in an engine that has no more than polkit's own: ECMAScript 5. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';

const polkit = suite('the rule of polkit');
const RULE = readFileSync(join(ROOT, 'systemd/polkit/50-laneware.rules'), 'utf8');

/** What ECMAScript 5 has; anything else that the prototypes offer is taken from them. */
const ES5 = {
  Array:
    'constructor length concat every filter forEach indexOf join lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toLocaleString toString unshift',
  String:
    'constructor length charAt charCodeAt concat indexOf lastIndexOf localeCompare match replace search slice split substring toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase trim valueOf',
};

type Rule = (action: object, subject: object) => string | null | undefined;

function ruleOf(text: string): Rule {
  const rules: Rule[] = [];
  const Result = { YES: 'yes', NO: 'no', NOT_HANDLED: null };
  const context = createContext({ polkit: { Result, addRule: (rule: Rule) => rules.push(rule) } });
  for (const [type, names] of Object.entries(ES5))
    runInContext(
      `Object.getOwnPropertyNames(${type}.prototype).forEach(function (name) {
        if (${JSON.stringify(names.split(' '))}.indexOf(name) === -1) delete ${type}.prototype[name];
      });`,
      context,
    );
  runInContext(text, context);
  assert.is(rules.length, 1);
  return rules[0] as Rule;
}

const LANE = { user: 'laneware' };
const asks = (id: string, details: Record<string, string> = {}, subject = LANE) =>
  ruleOf(RULE)({ id: `org.freedesktop.${id}`, lookup: (key: string) => details[key] }, subject);
const starts = (unit: string, verb = 'start') => asks('systemd1.manage-units', { unit, verb });

polkit('the clock, a restart and its own three units are the device’s', () => {
  for (const id of ['set-time', 'set-ntp', 'set-timezone']) assert.is(asks(`timedate1.${id}`), 'yes', id);
  for (const id of ['reboot', 'reboot-multiple-sessions']) assert.is(asks(`login1.${id}`), 'yes', id);
  for (const unit of ['factory-reset', 'update-now', 'rollback']) assert.is(starts(`laneware-${unit}.service`), 'yes');
});

polkit('nothing else is, and no other user is judged here', () => {
  assert.is(starts('laneware-update.service'), 'no');
  assert.is(starts('laneware-factory-reset.service', 'stop'), 'no');
  assert.is(asks('login1.power-off'), 'no');
  assert.is(asks('login1.reboot', {}, { user: 'nobody' }), null);
});

polkit('a rule in a later language than that of polkit is found out', () => {
  const later = ruleOf(RULE.replace(/STARTED\.indexOf\((.*?)\)\) !== -1/, 'STARTED.includes($1))'));
  const unit = { unit: 'laneware-rollback.service', verb: 'start' };
  const action = { id: 'org.freedesktop.systemd1.manage-units', lookup: (key: 'unit' | 'verb') => unit[key] };
  assert.throws(() => later(action, LANE), /includes is not a function/);
});

polkit.run();
