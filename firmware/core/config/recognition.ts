/** Configuration of the recognition device: its templates, model, camera and pins. */
import Type from 'typebox';
import { CAMERA_DRIVERS } from '../../../drivers/camera/registry.ts';
import { GPIO_DRIVERS } from '../../../drivers/gpio/registry.ts';
import { closed, host, megabytes, nullable, port } from './kinds.ts';
import { RECOGNITION_PORT } from './limits.ts';

/** The header of the board has BCM numbers 0 to 27. */
const pin = (what: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: 27 }), {
    default: null,
    description: `BCM number of the pin of the ${what}; null: none`,
  });

export const RecognitionConfig = Type.Object(
  {
    host: host('127.0.0.1'),
    port: port(RECOGNITION_PORT),
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

export const ModelConfig = Type.Object(
  {
    manifest: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: 'manifest of the embedding model; null: the one that is shipped',
    }),
  },
  closed,
);

export const CameraConfig = Type.Object(
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

export const GpioConfig = Type.Object(
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
