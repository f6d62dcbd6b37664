/** The schema of the configuration: defaults, limits, documentation. Each part has a file of its own. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { closed, host, nullable, port } from './kinds.ts';
import { RECOGNITION_PORT, TERMINAL_PORT } from './limits.ts';
import { ApiConfig, TlsConfig } from './network.ts';
import type { ConfigPart } from './part.ts';

/** A port of the device; what it is for brings its other keys. */
const server = (number: number) => Type.Object({ host: host('127.0.0.1'), port: port(number) }, closed);

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
    terminal: server(TERMINAL_PORT),
    recognition: server(RECOGNITION_PORT),
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

/** What every device has; `configOf` gives the values of the parts. */
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
  const there = members[section] as TObject | undefined;
  if (there === undefined) return withMember(members, section, part);
  const grown =
    key === undefined
      ? Type.Object({ ...there.properties, ...(part.schema as TObject).properties }, closed)
      : withMember(there.properties, key, part);
  return Type.Object({ ...members, [section]: grown }, closed);
}

/** The schema of a device that has these parts. */
export const schemaWith = (parts: readonly ConfigPart[]): TObject => parts.reduce<TObject>(withPart, CoreConfig);
