/** The schema of the configuration: defaults, limits, documentation. Each part has a file of its own. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { closed, host, nullable, port } from './kinds.ts';
import { RECOGNITION_PORT, TERMINAL_PORT } from './limits.ts';

/** A port of the device; the part that uses the port brings its other keys. */
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

/** The keys of the core, which every device has; `configOf` gives the values of the parts. */
export type Config = Static<typeof CoreConfig>;

/** A part of the configuration, declared by the module that uses it. The core does not know which modules bring parts. */
export interface ConfigPart<S extends TSchema = TSchema> {
  /** A section, which may be there already and then gets more keys, or a key of one: `chain`, `terminal.webhooks`. */
  readonly key: string;
  /** The section or key that it stands behind in documents; at the end when left out, or where there is none. */
  readonly after?: string;
  readonly schema: S;
  /** Whether a server listens on its `host` and `port` from the start; without it there is none. */
  listens?(own: Static<S>): boolean;
  /** What the schema cannot express: sentences that name the key; null where there is no problem. */
  check?(own: Static<S>, config: Config): readonly (string | null)[];
}

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
  const present = members[section] as TObject | undefined;
  if (present === undefined) return withMember(members, section, part);
  const grown =
    key === undefined
      ? Type.Object({ ...present.properties, ...(part.schema as TObject).properties }, closed)
      : withMember(present.properties, key, part);
  return Type.Object({ ...members, [section]: grown }, closed);
}

/** The schema of a device that has these parts. */
export const schemaWith = (parts: readonly ConfigPart[]): TObject => parts.reduce<TObject>(withPart, CoreConfig);
