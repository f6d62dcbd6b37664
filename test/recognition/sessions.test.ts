/** Recognitions that may still be answered, and how long. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Sessions } from '../../firmware/recognition/feedback/sessions.ts';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import { HandClock } from '../audit/support.ts';

const test = suite('sessions of recognitions');

const MIB = 1024 * 1024;

const ITEMS = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, score: 1 / 6, similarity: 0.5 }));
const VERDICT = { certain: false, unknown: false, reason: null };
const OFFER = { items: ITEMS, verdict: VERDICT, isCertain: false, seenAt: 0, things: [], weight: null, shown: null };

const isOver = (error: unknown): boolean =>
  error instanceof RecognitionError && error.codeName === 'Recognition.NotFound';

test('a recognition is open for 15 minutes, with four looks a second, and then no more', () => {
  const clock = new HandClock();
  const sessions = new Sessions(clock);
  const first = sessions.open(OFFER);
  for (let look = 1; look < 15 * 60 * 4; look++) {
    clock.up += 250;
    sessions.open(OFFER);
  }
  assert.is(sessions.find(first).number, 1);
  clock.up += 250;
  assert.throws(() => sessions.find(first), isOver);
  const next = sessions.open(OFFER);
  assert.throws(() => sessions.find(first), isOver);
  assert.is(sessions.find(next).number, sessions.last);
});

test('pictures are bounded: the older ones go, and their recognitions can be answered', () => {
  const sessions = new Sessions(new HandClock());
  const look = () => sessions.open({ ...OFFER, shown: { jpeg: Buffer.alloc(MIB), vector: null } });
  const ids = Array.from({ length: 30 }, look);
  const areShown = ids.map((id) => sessions.find(id).shown !== null);
  assert.equal(
    areShown,
    ids.map((_, at) => at >= 6),
  );
});

test.run();
