/**
 * Each line of a file carries a checksum over the one of the line before and itself, so that a line that was changed or is missing
 * shows. It is no seal: who can write the files can rewrite them. It shows what a card has changed.
 */
import { hash } from 'node:crypto';

const LETTERS = 22;
const LINK = new RegExp(`^(.*),"chain":"([\\w-]{${LETTERS}})"}$`, 's');

const linkOf = (before: string, line: string): string =>
  hash('sha256', `${before}\n${line}`, 'base64url').slice(0, LETTERS);

/** @param lines JSON objects with something in them @param before of the last line so far, or the name of their file */
export function linked(lines: readonly string[], before: string): { readonly lines: string[]; readonly chain: string } {
  let chain = before;
  const made = lines.map((line) => {
    chain = linkOf(chain, line);
    return `${line.slice(0, -1)},"chain":"${chain}"}`;
  });
  return { lines: made, chain };
}

const LINK_SHAPE = `,"chain":"${' '.repeat(LETTERS)}"}`;
/** Of the letters that each link has, those that damage to a byte or two spoils. */
const MOST_SPOILT = 2;

/** Whether a line without a link had one: what was cut short has none at its end. */
function hadLink(line: string): boolean {
  const end = line.slice(-LINK_SHAPE.length);
  const spoilt = [...LINK_SHAPE].filter((letter, at) => letter !== ' ' && letter !== end[at]).length;
  return spoilt <= MOST_SPOILT;
}

/** A line before it is linked. */
export const unlinked = (line: string): string => line.replace(LINK, '$1}');

/** What the next line goes on from: what is known of the last one where that is missing, so that it shows for ever. */
export function endOf(lines: readonly string[], name: string, last: string | null): string {
  const links = lines.flatMap((line) => LINK.exec(line)?.[2] ?? []);
  return last !== null && !links.includes(last) ? last : (links.at(-1) ?? name);
}

/**
 * Counts where lines were changed or are missing. A line without a link is what a cut of the power has left of one: where it was more,
 * the line after it does not fit.
 * @param name of their file
 * @param last link that there must be; null where none is known
 */
export function breaksIn(lines: readonly string[], name: string, last: string | null): number {
  let breaks = 0;
  let before: string | null = name;
  let hasLast = last === null;
  for (const line of lines) {
    const [whole, content, link = ''] = LINK.exec(line) ?? [];
    const isSpoilt = whole === undefined && hadLink(line);
    if (whole === undefined && !isSpoilt) continue;
    const fits: boolean = !isSpoilt && (before === null || link === linkOf(before, `${content}}`));
    if (!fits) breaks += 1;
    before = fits ? link : null; // what is damaged counts once
    hasLast ||= isSpoilt || link === last;
  }
  return breaks + (hasLast ? 0 : 1);
}
