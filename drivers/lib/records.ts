/**
 * The shape of the records of codes: one for each code of a refused call (`error-records.ts` of a module), one for each
 * reason of `/health` (`reason-records.ts`). A record has everything about its code: its status or level, whether to
 * repeat the call or what mends it, and the texts for people. It lies beside the part that raises it and loads nothing
 * but this file. The types of codes, `/errors`, the documents and the words of the pages come from it.
 */

import { CodedError } from './errors.ts';
import { inEachLanguage, type Texts } from './languages.ts';

/**
 * - `no`: a repeated call gets the same answer
 * - `mended`: repeat it once the fault of the call, or of the device, is mended
 * - `later`: repeat it later, with the same key
 * - `unless-used-up`: the same, except where the answer has `repeat: false`
 */
export type Again = 'no' | 'mended' | 'later' | 'unless-used-up';

/** The advice on a code for tills, on `/errors` and in `docs/errors.md`; text between backticks is for programs. */
export interface Advice {
  readonly meaning: string;
  readonly todo: string;
}

export interface ErrorRecord {
  /** HTTP status under `/v1`; the nine calls answer 500 for 500 or more, and 400 for the rest. */
  readonly status: number;
  readonly again: Again | null;
  /** The advice for tills; null where no till meets the code, or where its category says it all. */
  readonly advice: Texts<Advice> | null;
  /** The text for a person at the console; null where pages never meet the code. */
  readonly page: Texts | null;
}
export type ErrorRecords = Readonly<Record<string, ErrorRecord>>;

/** The advice, and the text for a person at the console: in each language, or in none where pages never meet the code. */
type RefusalTexts = Texts<Advice & { readonly page: string }> | Texts<Advice & { readonly page?: never }>;

/** A code that a till may meet: its status, whether to repeat the call, and its texts in each language. */
export type Refusal = Pick<ErrorRecord, 'status'> & { readonly again: Again } & RefusalTexts;

export const refused = ({ status, again, ...texts }: Refusal): ErrorRecord => ({
  status,
  again,
  advice: inEachLanguage((language) => ({ meaning: texts[language].meaning, todo: texts[language].todo })),
  page: isMetByPages(texts) ? inEachLanguage((language) => texts[language].page) : null,
});

const isMetByPages = (texts: RefusalTexts): texts is Texts<Advice & { readonly page: string }> =>
  Object.values(texts).every(({ page }) => page !== undefined);

/** The record of a call that only the console makes. */
export const refusedToPages = (status: number, page: Texts): ErrorRecord => ({
  status,
  again: null,
  advice: null,
  page,
});

/**
 * Records of what pages say of a code where its answer tells more, by `reason`, `fault` or `needs`:
 * `Items.IllegalFile.too-many`. A till has the sentence of the answer for it.
 */
export const subReasons = <const Code extends string, const Reason extends string>(
  code: Code,
  status: number,
  texts: Readonly<Record<Reason, Texts>>,
): Readonly<Record<`${Code}.${Reason}`, ErrorRecord>> =>
  Object.fromEntries(
    Object.entries<Texts>(texts).map(([reason, page]) => [`${code}.${reason}`, refusedToPages(status, page)]),
  ) as Record<`${Code}.${Reason}`, ErrorRecord>;

/** Records of codes without texts: their category says it all, or another document does. */
export const unsaid = <const Category extends string, const Member extends string>(
  category: Category,
  status: number,
  ...members: readonly Member[]
): Readonly<Record<`${Category}.${Member}`, ErrorRecord>> =>
  Object.fromEntries(
    members.map((member) => [`${category}.${member}`, { status, again: null, advice: null, page: null }]),
  ) as Record<`${Category}.${Member}`, ErrorRecord>;

/** An error with a code of a record. The part that answers the call need not know the part that raised it. */
export class RecordedError<Member extends string> extends CodedError<Member> {
  /** HTTP status under `/v1`. */
  readonly status: number;
  readonly category: string;
  /** Parameters of the sentence, and the field at fault. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    [category, records]: readonly [category: string, records: ErrorRecords],
    member: Member,
    message: string,
    { more = {}, ...options }: ErrorOptions & { readonly more?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(member, message, options);
    this.category = category;
    this.status = records[`${category}.${member}`]?.status ?? 500;
    this.more = more;
  }
}

/**
 * A class of errors with the codes of one category:
 * `class WebhookError extends recorded('Webhooks', WEBHOOK_ERRORS) {}`.
 */
export const recorded = <const Category extends string, Records extends ErrorRecords>(
  category: Category,
  records: Records,
) =>
  class extends RecordedError<MembersOf<Records, Category>> {
    constructor(
      member: MembersOf<Records, Category>,
      message: string,
      options?: ConstructorParameters<typeof RecordedError>[3],
    ) {
      super([category, records], member, message, options);
    }
  };

/** The names of codes in one category: of `Bank.Refused` in `Bank`, `Refused`. */
export type MembersOf<Records, Category extends string> = MemberOf<keyof Records, Category>;
type MemberOf<Code, Category extends string> = Code extends `${Category}.${infer Member}` ? Member : never;
/** The categories of the codes of records. */
export type CategoriesOf<Records> = CategoryOf<keyof Records>;
type CategoryOf<Code> = Code extends `${infer Category}.${string}` ? Category : never;

/**
 * - `info`: nothing is to be done: a part left out on purpose, or a state that passes by itself
 * - `degraded`: the lane sells, and somebody should look at it later
 * - `blocking`: it stops payments
 */
export type Level = 'info' | 'degraded' | 'blocking';

/** What `/health` answers of a level, from well to ill: whether the lane sells, and whether to look at it later. */
export const SALES = ['sells', 'sells-look-later', 'does-not-sell'] as const;
export type Sales = (typeof SALES)[number];
const SALES_OF: Readonly<Record<Level, Sales>> = {
  info: 'sells',
  degraded: 'sells-look-later',
  blocking: 'does-not-sell',
};

/**
 * A text, or one for each form of its number `n`. In Russian `one` is also the form of 21, and `other` that of 2 where
 * there is no `few`; `single` is for 1 alone.
 */
export type Words =
  | string
  | (Readonly<Partial<Record<'single' | 'one' | 'few' | 'many', string>>> & { readonly other: string });

/** A reason that `/health` may give for a part. */
export interface ReasonRecord {
  readonly level: Level;
  /** What mends it: a key of `firmware/core/pages/parts/remedies.js`; null where nothing is to be done. */
  readonly remedy: string | null;
  /** The names of its parameters. `detail` is the unchanged text of the system, a bank or a library. */
  readonly about: readonly string[];
  /** The words for pages, with those names in braces. */
  readonly words: Texts<Words>;
}
export type ReasonRecords = Readonly<Record<string, ReasonRecord>>;

const reason =
  (level: Level) =>
  <const About extends readonly string[]>(remedy: string, about: About, words: Texts<Words>) => ({
    level,
    remedy,
    about,
    words,
  });

/** A reason of this level. */
export const blocking = reason('blocking');
/** A reason of this level. */
export const degraded = reason('degraded');
/** A reason of this level. */
export const info = <const About extends readonly string[]>(about: About, words: Texts<Words>) =>
  ({ level: 'info', remedy: null, about, words }) as const;

/** A timestamp of `toISOString`: a person reads it to the minute. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z$/;

type About = Readonly<Record<string, string | number>>;

function inEnglish({ words: { en } }: ReasonRecord, about: About): string {
  const text = typeof en === 'string' ? en : ((about.n === 1 ? en.one : undefined) ?? en.other);
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(about[name]).replace(MOMENT, '$1 $2 UTC'));
}

/** One reason of a part in `/health`. As text it is the English words of its record, with the details in brackets. */
export class Reason {
  readonly code: string;
  /** Its parameters. Times are ISO 8601; other numbers are formatted by the caller. */
  readonly about: About;
  readonly #record: ReasonRecord;
  readonly #more: string;

  /** @param more beside the parameters, for a technician: what is concerned, what to do */
  constructor(code: string, record: ReasonRecord, about: About, more = '') {
    this.code = code;
    this.about = about;
    this.#record = record;
    this.#more = more;
  }

  get sales(): Sales {
    return SALES_OF[this.#record.level];
  }

  toString(): string {
    const details = [this.about.detail ?? '', this.#more].filter((each) => each !== '');
    const sentence = inEnglish(this.#record, this.about);
    return details.length === 0 ? sentence : `${sentence} (${details.join('; ')})`;
  }
}

/** Makes reasons by their records, each with all its parameters. */
export const reasonsFrom =
  <Known extends string, Records extends Readonly<Record<Known, ReasonRecord>>>(
    records: Records & Readonly<Record<Known, ReasonRecord>>,
  ) =>
  <Code extends Known>(
    code: Code,
    about: Readonly<Record<Records[Code]['about'][number], string | number>>,
    more?: string,
  ): Reason =>
    new Reason(code, records[code], about, more);
