/** The commands of the pages for those who work on the firmware; what measures for minutes does little here. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingPrograms, needing } from '../needing.ts';
import { runCommand } from '../runner/command.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { DEVELOPERS, followAll } from './following.ts';

const test = suite('commands of the documents for developers');

followAll(test, DEVELOPERS);

for (const { command, cheap, needs = [] } of ELSEWHERE) {
  if (cheap === undefined) continue;
  needing(
    missingPrograms(...needs),
    command,
    test,
  )(`${command}, with less to do: ${cheap}`, async () => {
    const { code, output } = await runCommand('bash', ['-c', cheap]);
    assert.is(code, 0, output);
  });
}

test.run();
