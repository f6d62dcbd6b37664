/** What cameras, pictures, models and stores fail with, in the codes of the recognition interface. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError, type CameraErrorCode, FrameRefused } from '../../drivers/camera/contract.ts';
import { HostError } from '../../firmware/core/host/host.ts';
import { type CodeName, RecognitionError } from '../../firmware/recognition/model/codes.ts';
import { EmbedderError, type EmbedderErrorCode } from '../../firmware/recognition/model/embedder-error.ts';
import { recognitionFailure, withFailureCodes } from '../../firmware/recognition/model/failures.ts';

const failures = suite('failures of the recognition device');

function worded(cause: unknown): readonly [CodeName, string] {
  const failure = recognitionFailure(cause);
  assert.instance(failure, RecognitionError);
  const { codeName, message, cause: kept } = failure as RecognitionError;
  assert.is(kept, cause, 'the log names the cause');
  return [codeName, message];
}

const camera = (code: CameraErrorCode) => worded(new CameraError('push', code, 'its words'));
const model = (code: EmbedderErrorCode) => worded(new EmbedderError(code, 'its words'))[0];

failures('a camera that is away says so itself; a frame that is not there yet is waited for', () => {
  for (const code of ['lost', 'closed'] as const) assert.equal(camera(code), ['cameraLost', 'its words']);
  for (const code of ['no-frame', 'stale'] as const)
    assert.equal(camera(code), ['frameUnusable', 'its words: wait for the next picture']);
});

failures('a picture that is not taken is an unusable frame', () => {
  for (const code of ['too-large', 'not-jpeg', 'undecodable'] as const)
    assert.equal(worded(new FrameRefused(code, 'its words')), ['frameUnusable', 'its words']);
});

failures('a model that gives no vector is late; one that gives none of this picture blames that', () => {
  for (const code of ['timeout', 'unavailable', 'busy', 'closed'] as const) assert.is(model(code), 'algorithmTimeout');
  for (const code of ['bad-input', 'bad-output'] as const) assert.is(model(code), 'frameUnusable');
});

failures('a store that cannot write says what to do', () => {
  const failed = (code: string) => worded(Object.assign(new Error('its words'), { code }));
  const [full, what] = failed('ENOSPC');
  assert.is(full, 'storageFull');
  assert.match(what, /free some space.*nothing was changed/);
  assert.equal(failed('EROFS'), ['fileWrite', 'the device cannot write: its words; nothing was changed']);
  const held = Object.assign(new Error('another program holds items.db: close it'), { errcode: 5 });
  assert.equal(worded(held), ['fileWrite', 'another program holds items.db: close it; nothing was changed']);
  const [damaged, todo] = worded(Object.assign(new Error('malformed'), { errcode: 11 }));
  assert.is(damaged, 'fileWrite');
  assert.match(todo, /templates.db is damaged: restart/);
});

failures('a host’s refusal or failure is hostRefused; a reset during an update has its own code', () => {
  assert.is(worded(new HostError('UPDATE_IN_PROGRESS', 'its words'))[0], 'resetDuringUpdate');
  for (const code of ['NOT_PERMITTED', 'UNAVAILABLE', 'TIMEOUT', 'FAILED'] as const)
    assert.equal(worded(new HostError(code, 'its words')), ['hostRefused', 'its words']);
});

failures('a failure that has its words, and an unexpected one, stay unchanged', async () => {
  for (const error of [new RecognitionError('noItem', 'there is no item'), new Error('another matter')]) {
    assert.is(recognitionFailure(error), error);
    assert.is(await withFailureCodes(() => Promise.reject(error)).catch((cause: unknown) => cause), error);
  }
  assert.is(await withFailureCodes(() => 7), 7);
});

failures.run();
