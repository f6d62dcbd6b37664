/** Commands that are named as questions: an `is…` or `has…` that returns nothing. */

/** What declares or types a method or function; a call has a `.`, an operator or an opening bracket before its name. */
const DECLARED =
  /^[ \t]*(?:(?:export|default|async|function|const|let|readonly|static|override|private|protected|public) )*(#?(?:is|has|had|was|can)[A-Z]\w*)\??(?: ?[:=] ?(?:async )?)?(?:<[^()]*>)?\(/gm;
const RETURNS_NOTHING = /^(?:(?::| =>) (?:Promise<void>|(?:void|undefined)\b)| (?:=> )?\{)/;

/** @returns the position behind the bracket that closes the one before `start` */
function closed(text: string, start: number): number {
  let depth = 1;
  let at = start;
  for (; depth > 0 && at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
  }
  return at;
}

/** @returns the names, in order of the text; without a return type a body in braces counts as nothing, so questions state theirs */
export const commandsAsQuestions = (text: string): string[] =>
  [...text.matchAll(DECLARED)]
    .filter((found) => RETURNS_NOTHING.test(text.slice(closed(text, found.index + found[0].length))))
    .map(([, name = '']) => name);
