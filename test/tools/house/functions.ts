/** Lengths of functions, read from the layout that the formatter gives every file. */

export interface FunctionFound {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

const KEYWORDS = /^(?:if|for|while|switch|catch|return|do|else|try|with|await)\b/;
const MODIFIERS = /^(?:export |default |public |private |protected |static |override |async |get |set |\*)*/;
const NAME = /^(?:function\*? ?)?([#\w$[\].]+)\??\s*(?:<[^(]*>)?\(/;
const ARROW = /^(?:export )?(?:const|let|readonly)?\s*([#\w$'-]+)(?::[^=]*)?\s*[=:] (?:async )?(?:\(|[\w$]+ =>)/;

/** The name of the function that a line begins; null for any other line. */
function begins(line: string): string | null {
  const code = line.trim();
  if (KEYWORDS.test(code) || code.startsWith('*') || code.startsWith('/')) return null;
  const bare = code.replace(MODIFIERS, '');
  const named = NAME.exec(bare);
  if (named && (bare.startsWith('function') || /[{(,]$/.test(code))) return named[1] ?? '';
  return /=>/.test(code) || code.endsWith('(') ? (ARROW.exec(bare)?.[1] ?? null) : null;
}

const indent = (line: string): number => line.length - line.trimStart().length;
const leftOpen = (line: string): boolean => /[{([=]$|=>$/.test(line);

/** The last line of what begins on line `at`: deeper lines belong to it, and so does what closes it on its own indent. */
function endOf(lines: readonly string[], at: number): number {
  const own = indent(lines[at] ?? '');
  let head = at;
  let last = at;
  for (let next = at + 1; leftOpen(lines[head] ?? '') && next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line.trim() === '') continue;
    if (indent(line) <= own) {
      if (!/^\s*[)}\]]/.test(line)) break;
      head = next;
    }
    last = next;
  }
  return last;
}

/**
 * Best effort: named functions, methods, and arrows that have a name.
 * @returns functions in order of the text; `lines` counts from the head to the closing brace, or to the arrow's expression
 */
export function functionsOf(text: string): FunctionFound[] {
  const lines = text.split('\n');
  const found: FunctionFound[] = [];
  for (const [at, line] of lines.entries()) {
    const name = begins(line);
    if (name === null || /^\s*(?:readonly )?[\w$]+\??: .*;$/.test(line)) continue;
    const end = endOf(lines, at);
    const isArrow = ARROW.test(line.trim().replace(MODIFIERS, ''));
    const hasArrow = lines.slice(at, end + 1).some((part) => part.includes('=>'));
    // the arguments of a call close with `);` or `});`
    const closes = /^\s*\}[,;]?$/.test(lines[end] ?? '') || (end === at && /\{.*\}$/.test(line));
    if (closes || (isArrow && hasArrow)) found.push({ name, line: at + 1, lines: end - at + 1 });
  }
  return found;
}
