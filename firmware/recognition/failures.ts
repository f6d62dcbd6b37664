/** What goes wrong in cameras, pictures and models, in the device's codes. */
import { CameraError } from '../../drivers/camera/contract.ts';
import { RecognitionError } from './codes.ts';
import { EmbedderError } from './embedding/embedder.ts';
import { FrameError } from './vision/frame.ts';

function cameraFailure(error: CameraError): RecognitionError {
  const gone = error.code === 'lost' || error.code === 'closed';
  // why a camera is lost says what to do
  if (gone) return new RecognitionError('cameraLost', error.message, { cause: error });
  return new RecognitionError('frameUnusable', `${error.message}: wait for the next picture`, { cause: error });
}

function embedderFailure(error: EmbedderError): RecognitionError {
  const code = error.code === 'bad-output' || error.code === 'bad-input' ? 'frameUnusable' : 'algorithmTimeout';
  return new RecognitionError(code, error.message, { cause: error });
}

/** Words a failure on the way from the camera to a vector; any other error comes back as it is. */
export function recognitionFailure(error: unknown): unknown {
  if (error instanceof CameraError) return cameraFailure(error);
  if (error instanceof FrameError) return new RecognitionError('frameUnusable', error.message, { cause: error });
  if (error instanceof EmbedderError) return embedderFailure(error);
  return error;
}

/** Runs a step of that way; its failures carry codes. */
export async function withFailureCodes<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw recognitionFailure(error);
  }
}
