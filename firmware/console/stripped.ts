/** A module's text without comments and gaps that say nothing, and where it imports and exports. */

/** Stands before each `import` and `export` of the language: what a text, a template or a property calls so has none. */
export const MARK = '\0';

/** A gap, a text, a word or a number, and else one sign. */
const TOKEN =
  /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|[\w$\u0080-\uffff]+|[\s\S]/y;
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
/** From the start of a template, or from the end of what is filled in, to its end or to what is filled in next. */
const TEMPLATE = /[`}](?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y;
/** What no division can follow: signs that end no value, and these words. */
const BEFORE_PATTERN =
  /^(?:|[^\w$)\]}'"`\u0080-\uffff]|return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/;
/** Signs beside which a space says nothing; after some, and before others, no line's end ends a statement. */
const TIGHT = '{}()[],;:?=<>&|%\'"`';
const GOES_ON_AFTER = '{([,;:?=<&|';
const GOES_ON_BEFORE = ')]},;:?.=&|';
/** What follows a name that is a property's. */
const AFTER_NAME = /\s*[:,=)]/y;

/** @throws {SyntaxError} where something that was opened has no end */
export function stripped(source: string): string {
  const parts: string[] = [];
  const open: string[] = [];
  let last = '';
  let gap = '';
  let at = 0;
  const take = (kind: RegExp): string => {
    kind.lastIndex = at;
    const found = kind.exec(source)?.[0];
    if (found === undefined) throw new SyntaxError(`unreadable from here: ${source.slice(at, at + 40)}`);
    at += found.length;
    return found;
  };
  const isName = (): boolean => {
    AFTER_NAME.lastIndex = at;
    return last === '.' || AFTER_NAME.test(source);
  };
  while (at < source.length) {
    let token = take(TOKEN);
    if (/^(?:\s|\/[/*])/.test(token)) {
      gap = token.includes('\n') ? '\n' : ' ';
      continue;
    }
    const before = last.slice(-1);
    const first = token.charAt(0);
    const isIdle =
      gap === '\n'
        ? GOES_ON_AFTER.includes(before) || GOES_ON_BEFORE.includes(first)
        : TIGHT.includes(before) || TIGHT.includes(first);
    if (!isIdle) parts.push(gap);
    gap = '';
    const isFilled = token === '}' && open.at(-1) === '`';
    const isTemplate = token === '`' || isFilled;
    if (isTemplate || (token === '/' && BEFORE_PATTERN.test(last))) {
      at -= 1;
      token = take(isTemplate ? TEMPLATE : PATTERN);
    }
    if (isFilled || token === ')' || token === ']' || token === '}') open.pop();
    if (isTemplate && token.endsWith('${')) open.push('`');
    else if (token === '(' || token === '[' || token === '{') open.push(token);
    if ((token === 'import' || token === 'export') && !isName()) parts.push(MARK);
    parts.push(token);
    last = isTemplate ? token.slice(-1) : token;
  }
  if (open.length > 0) throw new SyntaxError(`unreadable: it ends within ${open.at(-1)}`);
  return parts.join('');
}
