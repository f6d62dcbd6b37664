/** What cannot be said of an answer that was not certain. */
export class ReviewError extends Error {
  /** `NotFound`: it is not kept any more; `AnsweredOtherwise`: something else was said of it. */
  readonly code: 'NotFound' | 'AnsweredOtherwise';

  constructor(code: ReviewError['code'], message: string) {
    super(message);
    this.name = 'ReviewError';
    this.code = code;
  }
}
