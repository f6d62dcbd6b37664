/** The calls that return the camera's picture, and set it where the driver is `push`. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  type FrameRefusalCode,
  FrameRefused,
  isPushCamera,
  MAX_JPEG_BYTES,
} from '../../../../drivers/camera/contract.ts';
import { acceptFiles, type FailureKind, HttpFailure } from '../../../core/http/index.ts';
import { recognitionFailure } from '../../model/failures.ts';
import { RecognitionError } from '../../model/recognition-error.ts';
import type { Recognition } from '../../service/recognition.ts';
import { binary } from '../file-answers.ts';
import { FAILS_AS_JSON } from './calls.ts';
import { answerOf, Failure, success } from './envelope.ts';

const FrameAnswer = answerOf(
  Type.Object({ width: Type.Integer(), height: Type.Integer(), sequence: Type.Integer() }),
  'Frame',
  { width: 1280, height: 720, sequence: 17 },
);

export function addImageRoute(app: FastifyInstance, recognition: Recognition): void {
  app.get(
    '/api/get_image',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getImage',
        tags: ['original device: camera'],
        summary: 'The current frame, a JPEG of 1280×720',
        description: `The newest picture of the camera. ${FAILS_AS_JSON}`,
        response: binary('image/jpeg', 'the frame'),
      },
    },
    async (_, reply) => reply.type('image/jpeg').send(Buffer.from(await recognition.viewer.image())),
  );
}

const KIND_OF: Readonly<Record<FrameRefusalCode, FailureKind>> = {
  'too-large': 'too-large',
  'not-jpeg': 'media-type',
  undecodable: 'undecodable',
};

async function putFrame(recognition: Recognition, jpeg: Buffer) {
  const { camera } = recognition;
  if (!isPushCamera(camera)) {
    throw new RecognitionError(
      'RequestParams.UnknownPath',
      `frames come from the camera driver "${camera.kind}" here: set camera.driver to "push" to send them`,
    );
  }
  try {
    const { width, height, sequence } = await camera.put(jpeg);
    return success({ width, height, sequence });
  } catch (error) {
    if (error instanceof FrameRefused) throw new HttpFailure(KIND_OF[error.code], error.message, { cause: error });
    throw recognitionFailure(error);
  }
}

/** Adds the call that sets the frame, in a scope of its own, whose bodies are pictures. */
export async function addFrameRoute(app: FastifyInstance, recognition: Recognition): Promise<void> {
  await app.register(async (scope) => {
    acceptFiles(scope, { 'image/jpeg': (jpeg) => jpeg }, 'the picture must be sent as Content-Type: image/jpeg');
    scope.put(
      '/camera/frame',
      {
        config: { role: 'till', audit: null },
        bodyLimit: MAX_JPEG_BYTES,
        // the decoder judges the picture; the schema only describes it
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'putFrame',
          tags: ['device'],
          summary: 'Set the current frame, where the camera driver is push',
          description: 'A JPEG, best of 1280×720. The next recognition looks at it.',
          body: { content: { 'image/jpeg': { schema: { type: 'string', format: 'binary' } } } },
          response: { 200: FrameAnswer, 422: Failure },
        },
      },
      async (request) => {
        if (!Buffer.isBuffer(request.body)) throw new HttpFailure('media-type', 'the body must be a JPEG');
        return await putFrame(recognition, request.body);
      },
    );
  });
}
