/**
 * Items that a thing may be, most likely first, as pages show them. A thing unlike all items has none: otherwise the
 * nearest item would be shown, and a tap would sell it.
 * @template Item
 * @param {{reason: string | null, candidates: readonly Item[]}} thing
 * @returns {readonly Item[]}
 */
export const likelyOf = ({ reason, candidates }) => (reason === 'unlike-all' ? [] : candidates);
