/** The files of the project that a release holds, by the pathspecs of `scripts/release/bundle.sh`. */
import { execFileSync } from 'node:child_process';
import { ROOT } from './root.ts';

/** @returns paths, a file of the working tree that git does not know yet among them */
export function releaseContents(): ReadonlySet<string> {
  const contents = `eval "$(sed -n '/^readonly CONTENTS=(/,/^)/p' scripts/release/bundle.sh)"`;
  const listed = `${contents}; git ls-files --cached --others --exclude-standard -- "\${CONTENTS[@]}"`;
  return new Set(execFileSync('bash', ['-c', listed], { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean));
}
