/** What cameras, pictures, models and stores fail with, in the codes of the recognition interface. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError, type CameraErrorCode, FrameRefused } from '../../drivers/camera/contract.ts';
import { HostError, type HostErrorCode } from '../../firmware/core/host/host.ts';
import { recognitionEnvelope } from '../../firmware/recognition/http/original/envelope.ts';
import { recognitionProblems } from '../../firmware/recognition/http/v1/problem.ts';
import { EmbedderError, type EmbedderErrorCode } from '../../firmware/recognition/model/embedder-error.ts';
import { recognitionFailure, withFailureCodes } from '../../firmware/recognition/model/failures.ts';
import {
  type CodeName,
  numberOf,
  RECOGNITION_PROBLEMS,
  RecognitionError,
} from '../../firmware/recognition/model/recognition-error.ts';

import { NUMBERS } from './numbers.ts';

const failures = suite('failures of the recognition device');

function worded(cause: unknown): readonly [CodeName, string] {
  const failure = recognitionFailure(cause);
  assert.instance(failure, RecognitionError);
  const { codeName, message, cause: kept } = failure as RecognitionError;
  assert.is(kept, cause, 'the log names the cause');
  return [codeName, message];
}

function answered(error: unknown) {
  const { code, status, detail } = Object(recognitionProblems.fromError(error)?.body);
  return { code, status, detail };
}

const camera = (code: CameraErrorCode) => worded(new CameraError('push', code, 'its words'));
const model = (code: EmbedderErrorCode) => worded(new EmbedderError(code, 'its words'))[0];

failures('a camera that is away says so itself; a frame that is not there yet is waited for', () => {
  for (const code of ['lost', 'closed'] as const) assert.equal(camera(code), ['Camera.Lost', 'its words']);
  for (const code of ['no-frame', 'stale'] as const)
    assert.equal(camera(code), ['Camera.NoPicture', 'its words: wait for the next picture']);
});

failures('a picture that is not taken is an unusable frame', () => {
  for (const code of ['too-large', 'not-jpeg', 'undecodable'] as const)
    assert.equal(worded(new FrameRefused(code, 'its words')), ['Camera.NoPicture', 'its words']);
});

failures('a model that gives no vector is late; one that gives none of this picture blames that', () => {
  for (const code of ['timeout', 'unavailable', 'busy', 'closed'] as const) assert.is(model(code), 'Model.NotReady');
  for (const code of ['bad-input', 'bad-output'] as const) assert.is(model(code), 'Camera.NoPicture');
});

failures('a store that cannot write says what to do', () => {
  const failed = (code: string) => worded(Object.assign(new Error('its words'), { code }));
  const [full, what] = failed('ENOSPC');
  assert.is(full, 'Internal.StorageFull');
  assert.match(what, /free some space.*nothing was changed/);
  assert.equal(failed('EROFS'), ['Internal.StorageRefused', 'the device cannot write: its words; nothing was changed']);
  const held = Object.assign(new Error('another program holds items.db: close it'), { errcode: 5 });
  assert.equal(worded(held), [
    'Internal.StorageRefused',
    'another program holds items.db: close it; nothing was changed',
  ]);
  const [damaged, todo] = worded(Object.assign(new Error('malformed'), { errcode: 11 }));
  assert.is(damaged, 'Internal.StorageRefused');
  assert.match(todo, /templates.db is damaged: restart/);
});

failures('a failure of the host has its own code under /v1, and one number at the older calls', () => {
  const codes: Readonly<Record<HostErrorCode, CodeName>> = {
    UPDATE_IN_PROGRESS: 'Device.UpdateRuns',
    NOT_PERMITTED: 'Device.NotPermitted',
    UNAVAILABLE: 'Device.NotManaged',
    TIMEOUT: 'Device.SystemFailed',
    FAILED: 'Device.SystemFailed',
  };
  for (const code of Object.keys(codes) as HostErrorCode[]) {
    const error = new HostError(code, 'its words');
    assert.equal(worded(error), [codes[code], 'its words']);
    assert.equal(answered(error).code, codes[code]);
    assert.is(numberOf(codes[code]), code === 'UPDATE_IN_PROGRESS' ? -6134 : -6314);
  }
});

failures('a number of the older calls never changes, and an error is answered by it', () => {
  for (const [name, number] of Object.entries(NUMBERS)) {
    const error = new RecognitionError(name as CodeName, 'its words');
    assert.equal(recognitionEnvelope.fromError(error), {
      status: 200,
      body: { code: number, msg: 'its words', data: null },
    });
  }
});

failures('/v1 answers a code by its record; only the older calls tell no item from no template', () => {
  for (const name of Object.keys(NUMBERS) as CodeName[]) {
    const code = name === 'Templates.NoItem' ? 'Templates.NotFound' : name;
    const answer = answered(new RecognitionError(name, 'its words'));
    assert.equal(answer, { code, status: RECOGNITION_PROBLEMS[code].status, detail: 'its words' });
  }
});

failures('a failure that has its words, and an unexpected one, stay unchanged', async () => {
  for (const error of [new RecognitionError('Templates.NoItem', 'there is no item'), new Error('another matter')]) {
    assert.is(recognitionFailure(error), error);
    assert.is(await withFailureCodes(() => Promise.reject(error)).catch((cause: unknown) => cause), error);
  }
  assert.is(await withFailureCodes(() => 7), 7);
});

failures.run();
