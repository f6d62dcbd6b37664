/** The public MobileNet v1 extractor, which comes without a manifest. */
import { createHash } from 'node:crypto';
import type { Manifest } from '../../firmware/recognition/embedding/manifest.ts';

/** A manifest for the extractor's file, or one that takes its place. It says nothing of confidence: nothing is certain, nothing unknown. */
export function extractorManifest(bytes: Uint8Array): Manifest {
  return {
    name: 'mobilenet-v1',
    version: '1.0',
    file: 'model.tflite',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    input: { width: 224, height: 224, channels: 3, dtype: 'uint8', resize: 'cover' },
    // the scale drops out when vectors are normalised
    output: { dtype: 'uint8', dimension: 1024, scale: 1, zeroPoint: 0 },
    normalise: true,
    temperature: 0.05,
    licence: 'Apache-2.0',
    trainedOn: 'ImageNet',
    createdAt: '2018-08-02',
  };
}
