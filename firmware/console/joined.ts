/**
 * One script of a module and all that it imports, in the order in which a browser would run them. Each of them becomes a function
 * that gives what it exports. What is imported late is another script.
 */
import { posix } from 'node:path';
import { MARK, stripped } from './stripped.ts';

/** Where the pages name what lies in the folder of the pages, and the packages beside it. */
export const ASSETS = '/console/assets/';

interface Script {
  readonly text: string;
  /** Names of all modules in it. */
  readonly modules: ReadonlySet<string>;
  /** Names of those that it imports late. */
  readonly late: ReadonlySet<string>;
}

const IMPORT = new RegExp(`${MARK}import ?(?:(?:([\\w$]+) |\\{([^}]*)\\})from)?'([^']+)';`, 'g');
const LATE = new RegExp(`${MARK}import\\('([^']+)'\\)`, 'g');
const EXPORT = new RegExp(`${MARK}export (?:(default) ?)?(?=((?:async )?function\\*?|class|const)? ?([\\w$]+)?)`, 'g');
const EXPORTS = new RegExp(`${MARK}export\\{([^}]*)\\};?`, 'g');

const nameOf = (from: string, path: string): string =>
  path.startsWith(ASSETS) ? path.slice(ASSETS.length) : posix.join(posix.dirname(from), path);

/** `a as b` of a list, as the members of an object. */
const members = (list: string, turned: boolean): string =>
  list.replaceAll(/([\w$]+) as ([\w$]+)/g, turned ? '$2:$1' : '$1:$2');

/** @param textOf of a module, by its name. @throws where a module imports itself by way of others, or has a form that is not known here */
export function joined(entry: string, textOf: (name: string) => string): Script {
  /** Constants of the modules, in order; null while one is being read. */
  const constants = new Map<string, string | null>();
  const late = new Set<string>();
  const parts: string[] = [];

  function constantOf(name: string): string {
    const known = constants.get(name);
    if (known === null) throw new Error(`${name} imports itself by way of others`);
    if (known !== undefined) return known;
    constants.set(name, null);
    const text = linked(name);
    const constant = `$m${parts.length}`;
    parts.push(`const ${constant}=(()=>{${returning(name, text)}})();\n`);
    constants.set(name, constant);
    return constant;
  }

  /** The text of a module that takes what it imports from the constants of others. */
  function linked(name: string): string {
    return stripped(textOf(name))
      .replaceAll(IMPORT, (_all, whole: string | undefined, list: string | undefined, path: string) => {
        const taken = whole === undefined ? members(list ?? '', false) : `default: ${whole}`;
        return `const {${taken}}=${constantOf(nameOf(name, path))};`;
      })
      .replaceAll(LATE, (_all, path: string) => {
        const own = nameOf(name, path);
        late.add(own);
        return `import(${JSON.stringify(ASSETS + own)})`;
      });
  }

  const text = linked(entry).replaceAll(`${MARK}export`, 'export');
  const script = parts.join('') + text;
  if (script.includes(MARK)) throw new Error(`${entry}: an import or export that is written otherwise`);
  const modules = new Set([entry, ...constants.keys()]);
  return { text: script, modules, late };
}

/** The text of a module as a function's, which returns what the module exports. */
function returning(name: string, text: string): string {
  const given: string[] = [];
  const body = text
    .replaceAll(EXPORTS, (_all, list: string) => {
      if (list !== '') given.push(members(list, true));
      return '';
    })
    .replaceAll(EXPORT, (_all, isDefault: string | undefined, kind: string | undefined, own: string | undefined) => {
      if (isDefault !== undefined) {
        given.push('default: $default');
        return 'const $default=';
      }
      if (kind === undefined || own === undefined) throw new Error(`${name}: an export that is written otherwise`);
      given.push(own);
      return '';
    });
  return `${body}\nreturn {${given.join(',')}};`;
}
