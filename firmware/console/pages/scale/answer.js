/** A person says what lies on the tray: the feedback of its recognition. */
import { ask, CallError } from '../app/api.js';

/** The recognition is answered already, or too old: another look is answered in its place. */
const ANSWER_ANOTHER = ['Recognition.AnsweredOtherwise', 'Recognition.NotFound'];

/** @param {string} recognition its id @param {string} item its id @param {number} [thing] of several, which, from 1; 0: the only one @throws {CallError} */
export async function answer(recognition, item, thing = 0) {
  const json = { item, ...(thing > 0 && { thing }) };
  /** @param {string} id */
  const send = (id) => ask(`/v1/recognition/${encodeURIComponent(id)}/feedback`, { method: 'POST', json });
  try {
    await send(recognition);
  } catch (error) {
    if (!(error instanceof CallError && ANSWER_ANOTHER.includes(error.code))) throw error;
    /** @type {{id: string | null}} */
    const { id } = await ask('/v1/recognition');
    if (id === null) throw error;
    await send(id);
  }
}
