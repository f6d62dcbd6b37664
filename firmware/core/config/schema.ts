/** The schema of the configuration: defaults, limits, documentation. Each part has a file of its own. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { closed, nullable } from './kinds.ts';
import { ApiConfig, SyncConfig, TlsConfig } from './network.ts';
import type { ConfigPart } from './part.ts';
import { CameraConfig, GpioConfig, ModelConfig, RecognitionConfig } from './recognition.ts';
import { BanksConfig, TerminalConfig } from './terminal.ts';

const CoreConfig = Type.Object(
  {
    dataDir: Type.String({
      default: '.laneware',
      minLength: 1,
      description: 'folder of everything that the device keeps',
    }),
    serial: nullable(Type.String({ minLength: 1, maxLength: 64 }), {
      default: null,
      description: "the device's serial number; null reads it from the board",
    }),
    terminal: TerminalConfig,
    recognition: RecognitionConfig,
    model: ModelConfig,
    camera: CameraConfig,
    gpio: GpioConfig,
    banks: BanksConfig,
    sync: SyncConfig,
    api: ApiConfig,
    tls: TlsConfig,
    log: Type.Object(
      {
        level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
          default: 'info',
          description: 'least severity that is logged',
        }),
      },
      closed,
    ),
  },
  closed,
);

/** What every device has; `configOf` gives the values of the other parts. */
export type Config = Static<typeof CoreConfig>;

/** The values of a part, in a configuration that was loaded with it. */
export const configOf = <S extends TSchema>({ key }: ConfigPart<S>, config: Config): Static<S> =>
  key.split('.').reduce<unknown>((within, name) => Object(within)[name], config) as Static<S>;

type Members = Readonly<Record<string, TSchema>>;

function withMember(members: Members, name: string, { schema, after }: ConfigPart): TObject {
  const entries = Object.entries(members);
  const before = entries.findIndex(([each]) => each === after) + 1;
  return Type.Object(Object.fromEntries(entries.toSpliced(before || entries.length, 0, [name, schema])), closed);
}

function withPart(whole: TObject, part: ConfigPart): TObject {
  const [section = '', key] = part.key.split('.');
  const members: Members = whole.properties;
  if (key === undefined) return withMember(members, section, part);
  const { properties } = members[section] as TObject;
  return Type.Object({ ...members, [section]: withMember(properties, key, part) }, closed);
}

/** The schema of a device that has these parts. */
export const schemaWith = (parts: readonly ConfigPart[]): TObject => parts.reduce<TObject>(withPart, CoreConfig);
