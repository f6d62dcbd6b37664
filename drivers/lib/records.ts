/**
 * The shape of the records of codes: one for each code that a call is refused with (`error-records.ts` of a room). A record holds
 * all that is the code's own: its status, whether to send the same again, and what people read of it. It lies beside the part that
 * raises it, loads nothing but this file, and is all that there is of a code: the types of codes, `/errors`, the documents and the
 * words of the pages come from it.
 */

/** A text in each language of the pages. */
export type Texts<Text = string> = Readonly<Record<'en' | 'ru', Text>>;

/**
 * - `no`: the same again gets the same answer
 * - `mended`: once what is wrong with the call, or with the device, is mended
 * - `later`: the same again, with the same key
 * - `unless-used-up`: the same, but where the answer has `repeat: false`
 */
export type Again = 'no' | 'mended' | 'later' | 'unless-used-up';

/** What a till is told of a code, on `/errors` and in `docs/errors.md`; between backticks stands what a program reads. */
export interface Advice {
  readonly meaning: string;
  readonly todo: string;
}

export interface ErrorRecord {
  /** Of the answer under `/v1`; the nine calls answer 500 for what is 500 or more, and 400 for the rest. */
  readonly status: number;
  readonly again: Again | null;
  /** Null where no till meets the code, or where its category says it all. */
  readonly advice: Texts<Advice> | null;
  /** What a person at the console reads; null where pages never meet the code. */
  readonly page: Texts | null;
}
export type ErrorRecords = Readonly<Record<string, ErrorRecord>>;

/** What has happened, what to do about it, and what the console says. */
type ThreeTexts = readonly [meaning: string, todo: string, page: string];

const SEPARATOR = ' | ';
function threeOf(line: string): ThreeTexts {
  const [meaning = '', todo = '', page = ''] = line.split(SEPARATOR);
  return [meaning, todo, page];
}
const adviceOf = ([meaning, todo]: ThreeTexts): Advice => ({ meaning, todo });

/** @param lines what has happened | what to do | what the console says; without the last where no page meets it */
export function refused(status: number, again: Again, lines: Texts): ErrorRecord {
  const [en, ru] = [threeOf(lines.en), threeOf(lines.ru)];
  const page = en[2] === '' ? null : { en: en[2], ru: ru[2] };
  return { status, again, advice: { en: adviceOf(en), ru: adviceOf(ru) }, page };
}

/** Of a call that only the console sends. */
export const refusedToPages = (status: number, page: Texts): ErrorRecord => ({
  status,
  again: null,
  advice: null,
  page,
});

/** Codes of a category that says it all: of the documented interface, or of what is said elsewhere. */
export const unsaid = <const Category extends string, const Member extends string>(
  category: Category,
  status: number,
  ...members: readonly Member[]
): Readonly<Record<`${Category}.${Member}`, ErrorRecord>> =>
  Object.fromEntries(
    members.map((member) => [`${category}.${member}`, { status, again: null, advice: null, page: null }]),
  ) as Record<`${Category}.${Member}`, ErrorRecord>;

/** Of the codes of records, `Bank.Refused`, the names in one category: `Refused`. */
export type MembersOf<Records, Category extends string> = MemberOf<keyof Records, Category>;
type MemberOf<Code, Category extends string> = Code extends `${Category}.${infer Member}` ? Member : never;
/** The categories of the codes of records. */
export type CategoriesOf<Records> = CategoryOf<keyof Records>;
type CategoryOf<Code> = Code extends `${infer Category}.${string}` ? Category : never;
