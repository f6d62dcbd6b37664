/**
 * For Fastify in place of the compilers that it loads by itself: one of answers, and an Ajv. No answer is checked or cut: its
 * schema describes it, and `test/answers.ts` holds each answer of a test to it. Who has schemas of requests sets a validator.
 */
export const WITHOUT_COMPILERS = Object.freeze({
  buildSerializer: () => () => JSON.stringify,
  buildValidator: (): never => {
    throw new Error('no validator is set');
  },
});
