/** Pieces of an answer that are made while it is sent. */

/**
 * Returns the same pieces, the first ones already made. An answer that has not begun can still have the status of an
 * error; one that has begun can only break off. Most errors show in the first rows.
 * @param ahead how many pieces are made at once: more than the names of the columns, which never fail
 * @throws what the making of these pieces throws
 */
export async function begun<T>(pieces: AsyncGenerator<T> | Generator<T>, ahead: number): Promise<AsyncGenerator<T>> {
  const first: T[] = [];
  while (first.length < ahead) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    first.push(value);
  }
  return (async function* () {
    yield* first;
    yield* pieces;
  })();
}
