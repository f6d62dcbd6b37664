/** Puts one question about an order to its bank at a time. */

interface Question<Answer> {
  readonly gone: AbortController;
  /** For all who wait for an answer about the order. */
  readonly answer: PromiseWithResolvers<Answer>;
}

/** @param gone aborts when a newer question takes its place: its answer then counts for nobody */
type Put<Answer> = (gone: AbortSignal) => Promise<Answer>;

export class Questions<Answer> {
  readonly #underWay = new Map<string, Question<Answer>>();

  /** The answer to the question under way, or to this one where there is none. */
  join(orderId: string, put: Put<Answer>): Promise<Answer> {
    return this.#underWay.get(orderId)?.answer.promise ?? this.anew(orderId, put);
  }

  /**
   * The answer to a question that begins now. One under way is given up, and who waits for it gets this answer: it is
   * the newer one.
   */
  anew(orderId: string, put: Put<Answer>): Promise<Answer> {
    const before = this.#underWay.get(orderId);
    const question = { gone: new AbortController(), answer: before?.answer ?? Promise.withResolvers<Answer>() };
    this.#underWay.set(orderId, question);
    before?.gone.abort();
    const end = (settle: () => void): void => {
      if (this.#underWay.get(orderId) !== question) return;
      this.#underWay.delete(orderId);
      settle();
    };
    put(question.gone.signal).then(
      (answer) => end(() => question.answer.resolve(answer)),
      (error: unknown) => end(() => question.answer.reject(error)),
    );
    return question.answer.promise;
  }
}
