/** Patterns of texts in schemas, and the messages of their errors. Imports nothing, as `lanectl` loads it, too. */
export const MESSAGES_OF_PATTERNS = new Map<string, string>();

/**
 * A pattern of a schema, with the message of its errors.
 * @param must the condition on the text: "must end in .csv"
 * @throws {Error} where the same pattern has another message
 */
export function patternWithMessage(pattern: string, must: string): string {
  const other = MESSAGES_OF_PATTERNS.get(pattern) ?? must;
  if (other !== must)
    throw new Error(`the pattern ${pattern} already has the message "${other}": write it differently`);
  MESSAGES_OF_PATTERNS.set(pattern, must);
  return pattern;
}

/** Halves of characters (lone surrogates), which a script can send and UTF-8 cannot hold: for use in brackets. */
export const HALVES = '\\ud800-\\udfff';

/** A pattern for programs in other languages, most of which refuse halves of characters in patterns. */
export const portablePattern = (pattern: string): string => pattern.replaceAll(HALVES, '');

/** Longest name or id that others give. */
export const MAX_ID = 128;

/** Text of whole characters, without control characters. */
export const NO_CONTROLS = patternWithMessage(
  `^[^\\u0000-\\u001f\\u007f-\\u009f${HALVES}]*$`,
  'must hold whole characters, none of them a control character',
);

/** Text as by `NO_CONTROLS`, with at least one visible character. */
export const WRITTEN = patternWithMessage(
  `^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f${HALVES}]*$`,
  'must hold more than blanks: whole characters, none of them a control character',
);

/** Text without the control characters of ASCII. */
export const NO_ASCII_CONTROLS = patternWithMessage('^[^\\u0000-\\u001f\\u007f]*$', 'must hold no control characters');

/** A path of a file whose name ends in .csv. */
export const CSV_NAME = patternWithMessage('[^/\\\\]\\.[cC][sS][vV]$', 'must end in .csv');

/** Text that a header carries unchanged: ASCII without blanks at the edges. */
export const HEADER_TEXT = patternWithMessage(
  '^[!-~]([ -~]*[!-~])?$',
  'must hold Latin letters, digits, spaces and signs such as - and _ alone, and neither begin nor end with a space',
);

const LEAP_YEAR = '(?:19(?:7[26]|8[048]|9[26])|2(?:[048]00|\\d(?:0[48]|[2468][048]|[13579][26])))';
/** A day of the calendar, 1970 to 2999: `2026-11-21`. */
export const CALENDAR_DAY = patternWithMessage(
  '^(?:(?:19[7-9]\\d|2\\d{3})-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)' +
    `|${LEAP_YEAR}-02-29)$`,
  'must be a day of the calendar, as 2026-11-21',
);

/** A text in the form for searches: lower case, and without ё, which few people type. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е');
