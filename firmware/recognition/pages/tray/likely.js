/**
 * Items that a thing may be, most likely first, as pages show them. What is unlike all that was learned has none: the nearest
 * of them would stand there with its picture, and a tap on it would sell it.
 * @template Item
 * @param {{reason: string | null, candidates: readonly Item[]}} thing
 * @returns {readonly Item[]}
 */
export const likelyOf = ({ reason, candidates }) => (reason === 'unlike-all' ? [] : candidates);
