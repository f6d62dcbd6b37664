/** Configuration of the recognition device: its templates, model, camera and pins. */
import Type, { type Static } from 'typebox';
import { CAMERA_DRIVERS } from '../../drivers/camera/registry.ts';
import { GPIO_DRIVERS } from '../../drivers/gpio/registry.ts';
import { type ConfigPart, closed, megabytes, nullable } from '../core/config/index.ts';

/** The header of the board has BCM numbers 0 to 27. */
const pin = (what: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: 27 }), {
    default: null,
    description: `BCM number of the pin of the ${what}; null: none`,
  });

const RecognitionConfig = Type.Object(
  {
    contradictions: Type.Boolean({
      default: true,
      description: 'whether it is reported where the answer was certain and a person took another item',
    }),
    storageMb: megabytes(4096, 'room of the templates'),
    packageMb: megabytes(512, 'largest package that may be imported, and all that it unpacks to'),
    downloadsMb: megabytes(1024, 'room of the exported packages; the oldest are removed for a new one'),
  },
  closed,
);

const ModelConfig = Type.Object(
  {
    manifest: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: 'manifest of the embedding model; null: the one that is shipped',
    }),
  },
  closed,
);

const CameraConfig = Type.Object(
  {
    driver: Type.Enum([...CAMERA_DRIVERS], {
      default: 'replay',
      description: 'where frames come from',
    }),
    directory: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: 'pictures that `replay` shows one after another; null: a drawn tray',
    }),
  },
  closed,
);

const GpioConfig = Type.Object(
  {
    driver: Type.Enum([...GPIO_DRIVERS], {
      default: 'none',
      description: 'how the pins around the tray are reached; `onoff` finds the way',
    }),
    lamp: pin('lamp over the tray'),
    statusLed: pin('LED that says that the device can recognise'),
    learnButton: pin('button, to ground, that learns the empty tray'),
  },
  closed,
);

export type RecognitionConfig = Static<typeof RecognitionConfig>;
export type ModelConfig = Static<typeof ModelConfig>;
export type CameraConfig = Static<typeof CameraConfig>;
export type GpioConfig = Static<typeof GpioConfig>;

export const GPIO_CONFIG: ConfigPart<typeof GpioConfig> = { key: 'gpio', after: 'camera', schema: GpioConfig };
export const RECOGNITION_CONFIGS: readonly ConfigPart[] = [
  { key: 'recognition', schema: RecognitionConfig },
  { key: 'model', after: 'recognition', schema: ModelConfig },
  { key: 'camera', after: 'model', schema: CameraConfig },
  GPIO_CONFIG,
];
