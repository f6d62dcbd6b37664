/** Finds the encoding of one byte a letter in which a text has Russian words. */

/** Pairs of letters: half of those within Russian words, a tenth of those of words that are read in a wrong encoding. */
const COMMON = new Set(
  (
    'ст ро то те ов ни ен на ер ра нн еи тк ап оа тр ан оз ат ьп йв ко от рв ее тв ол ал ит ау со дт вм еп лв ык да ос аз ре ле йс де го ин ме ' +
    'ис ти ас ом ар се ру ри ба сл ся ло ио об тс ам ны ль ил сн ай ел ма ав ие нк че ог ки мо аг оз ди ей ры ча ик ор эт из сп ек кл пе ия до ' +
    'же пи лю уд кр гр он ап еж зв тк сл зи ск ег ля юч ем вр ви ез ну ус лу ры бм яс ош хл лк ус ыя ра ха ях ач гу рк аш ка ли мы йц ев цв аф ик'
  ).split(' '),
);
const WORD = /\p{L}+/gu;
/** A capital behind a small letter: words that are read in a wrong encoding are of both. */
const INVERTED = /\p{Ll}\p{Lu}/gu;
const INVERTED_WEIGHT = 2;
/** Most bytes of letters that are scored. */
const SAMPLE_BYTES = 64 * 1024;

/** The bytes that are no ASCII, with a space for what stands between. */
function lettersOf(bytes: Uint8Array): Uint8Array {
  const letters = new Uint8Array(SAMPLE_BYTES);
  let count = 0;
  for (let at = 0; at < bytes.length && count < SAMPLE_BYTES; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) letters[count++] = byte;
    else if (count > 0 && letters[count - 1] !== 0x20) letters[count++] = 0x20;
  }
  return letters.subarray(0, count);
}

/** How much a text looks like Russian. Each word counts once: one that looks like another language may stand in every line. */
function likeness(text: string): number {
  const words = new Set(text.match(WORD));
  let score = 0;
  for (const word of words) {
    const small = word.toLowerCase();
    for (let at = 0; at + 1 < small.length; at += 1) if (COMMON.has(small.slice(at, at + 2))) score += 1;
    score -= INVERTED_WEIGHT * (word.match(INVERTED)?.length ?? 0);
  }
  return score;
}

/** By how much another encoding must beat the usual one: single words look like Russian in several. */
const SURELY_BETTER = 3;

/** The likeliest encoding of a text, for `TextDecoder`. @param usual what it is where the letters do not tell */
export function likeliestEncoding(bytes: Uint8Array, usual: string, others: readonly string[]): string {
  const letters = lettersOf(bytes);
  const likenessIn = (encoding: string): number => likeness(new TextDecoder(encoding).decode(letters));
  const scored = others.map((encoding) => ({ encoding, score: likenessIn(encoding) - SURELY_BETTER }));
  const first = { encoding: usual, score: likenessIn(usual) };
  return scored.reduce((best, each) => (each.score > best.score ? each : best), first).encoding;
}
