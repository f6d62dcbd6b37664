/** Pieces of an answer that are made while it is sent. */

/**
 * The same pieces, the first ones made at once. An answer that has not begun can still say by its status that it cannot
 * be made; one that has begun can only break off, and most of what makes it impossible shows in its first rows.
 * @param ahead so many: a head of columns fails with nothing
 * @throws what making them throws
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
