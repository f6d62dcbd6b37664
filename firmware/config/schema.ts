/** The one schema of the configuration: defaults, limits, documentation. */

import Type, { type Static, type TSchema, type TSchemaOptions } from 'typebox';
import { CAMERA_DRIVERS } from '../../drivers/camera/registry.ts';
import { GPIO_DRIVERS } from '../../drivers/gpio/registry.ts';
import { worded } from '../store/schema.ts';
import { EVENT_TYPES, LEARNING_MODES, MAX_RESULTS } from './choices.ts';
import { MASTER_PORT, RECOGNITION_PORT, SANDBOX_PORT, TERMINAL_PORT } from './ports.ts';
import { RegistryColumns } from './registry-columns.ts';

const closed = { additionalProperties: false };
const nullable = <T extends TSchema>(schema: T, options: TSchemaOptions) => Type.Union([schema, Type.Null()], options);
const host = (value: string) => Type.String({ default: value, description: 'address to listen on' });
/** 0 lets the system choose a free port. */
const port = (value: number) =>
  Type.Integer({ default: value, minimum: 0, maximum: 65535, description: 'port to listen on' });
const milliseconds = (value: number, description: string) =>
  Type.Integer({ default: value, minimum: 1, maximum: 3_600_000, description: `${description} (milliseconds)` });
/** The header of the board has BCM numbers 0 to 27. */
const pin = (what: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: 27 }), {
    default: null,
    description: `BCM number of the pin of the ${what}; null: none`,
  });
const places = (value: number, description: string) =>
  Type.Integer({ default: value, minimum: 1, maximum: 65_535, description });
const secretToken = Type.String({ minLength: 16 });
const token = (description: string) => nullable(secretToken, { default: null, description });
const megabytes = (value: number, description: string) =>
  Type.Integer({ default: value, minimum: 1, maximum: 1_048_576, description: `${description} (MiB)` });

const LEAF_ADDRESS = worded(
  '^(nats-leaf|tls|nats|ws|wss)://',
  'must begin with nats-leaf://, tls://, nats://, ws:// or wss://',
);
const ORIGIN = worded('^https?://[^/]+$', 'must be an origin without a path, as https://till.shop.example');

const TILL_NAME = worded(
  '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  'must be letters, digits, dots, hyphens and underscores of ASCII, a letter or a digit first, as checkout-3',
);
const Till = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 32, pattern: TILL_NAME }),
    token: secretToken,
    everyPayment: Type.Optional(Type.Boolean()),
  },
  closed,
);

const Webhook = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2048 }),
    secret: Type.String({ minLength: 16, maxLength: 256 }),
    formerSecret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
    types: Type.Optional(Type.Array(Type.Enum([...EVENT_TYPES]), { minItems: 1 })),
    caPath: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

export const ConfigSchema = Type.Object(
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
    terminal: Type.Object(
      {
        host: host('127.0.0.1'),
        port: port(TERMINAL_PORT),
        exportRoots: nullable(Type.Array(Type.String({ minLength: 1 })), {
          default: null,
          description: 'folders that `exportToCSV` may write to; null: any',
        }),
        ledgerCopyDir: nullable(Type.String({ minLength: 1 }), {
          default: null,
          description: 'folder on another medium that keeps a second copy of the ledger; null: none',
        }),
        idleQR: nullable(Type.String({ minLength: 1 }), {
          default: null,
          description: 'what the idle display shows as a QR code; null: nothing',
        }),
        symbolMs: milliseconds(5000, 'how long the outcome of a payment stays on the display'),
        displayDeadlineMs: milliseconds(
          3000,
          'how long the display may take for one picture; over Bluetooth 6000 at least',
        ),
        bankDeadlineMs: milliseconds(10_000, 'how long the bank may take for one answer'),
        pollFirstMs: milliseconds(1000, 'when the bank is first asked about a payment'),
        pollMaxMs: milliseconds(5000, 'the longest pause between two questions to the bank'),
        graceMs: milliseconds(60_000, 'how long an expired payment is still followed before it is CANCELED'),
        registries: Type.Record(Type.String(), RegistryColumns, {
          default: {},
          description:
            'names of the columns of banks’ registries, each under the name of its profile or another: `{"main": {"order": "Order id", "amount": "Sum"}}`',
        }),
        webhooks: Type.Array(Webhook, {
          default: [],
          maxItems: 8,
          description:
            'addresses that are told of [events](events.md), each with the secret that the calls are signed with: `[{"url": "https://till.shop.example/lane-7", "secret": "…", "types": ["payment.accepted"]}]`; `types` may be left out for all, `formerSecret` signs as well while a secret is [renewed](events.md#renew-the-secret), `caPath` names authorities beside the usual ones, PEM',
        }),
      },
      closed,
    ),
    recognition: Type.Object(
      {
        host: host('127.0.0.1'),
        port: port(RECOGNITION_PORT),
        maxTemplatesPerItem: Type.Integer({
          default: 30,
          minimum: 1,
          maximum: 1000,
          description: 'templates an item may have',
        }),
        learningMode: Type.Enum(LEARNING_MODES, {
          default: 'manual',
          description: 'who may add and delete templates',
        }),
        resultCount: Type.Integer({
          default: 5,
          minimum: 1,
          maximum: MAX_RESULTS,
          description: 'items that an answer lists',
        }),
        storageMb: megabytes(4096, 'room of the templates, so that they never crowd out the payments'),
        packageMb: megabytes(512, 'largest package that may be imported, and all that it unpacks to'),
        downloadsMb: megabytes(1024, 'room of the exported packages; the oldest are removed for a new one'),
      },
      closed,
    ),
    model: Type.Object(
      {
        manifest: nullable(Type.String({ minLength: 1 }), {
          default: null,
          description: 'manifest of the embedding model; null: the one that is shipped',
        }),
      },
      closed,
    ),
    camera: Type.Object(
      {
        driver: Type.Enum([...CAMERA_DRIVERS], {
          default: 'replay',
          description: 'where frames come from',
        }),
        directory: nullable(Type.String({ minLength: 1 }), {
          default: null,
          description: 'pictures that `replay` shows; null: drawn scenes',
        }),
      },
      closed,
    ),
    gpio: Type.Object(
      {
        driver: Type.Enum([...GPIO_DRIVERS], {
          default: 'none',
          description: 'how the pins around the tray are reached',
        }),
        lamp: pin('lamp over the tray'),
        statusLed: pin('LED that says that the device can recognise'),
        learnButton: pin('button, to ground, that learns the empty tray'),
      },
      closed,
    ),
    sandboxBank: Type.Object(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'whether the sandbox bank runs; never on a lane that sells',
        }),
        host: host('127.0.0.1'),
        port: port(SANDBOX_PORT),
      },
      closed,
    ),
    banks: Type.Object(
      {
        cft: Type.Object(
          {
            baseUrl: nullable(Type.String(), {
              default: null,
              description: "the CFT bank's address, https; http on this machine only; a profile may carry its own",
            }),
          },
          closed,
        ),
        caPath: nullable(Type.String({ minLength: 1 }), {
          default: null,
          description:
            "authorities that every bank's certificate is checked against beside the usual ones, PEM, as the Russian Trusted Root CA; a profile's own stand in the place of all",
        }),
      },
      closed,
    ),
    sync: Type.Object(
      {
        role: Type.Enum(['standalone', 'master'], {
          default: 'standalone',
          description: 'part of this device in its store, until a call says otherwise',
        }),
        host: Type.String({ default: '0.0.0.0', description: "address that a master's server listens on" }),
        port: port(MASTER_PORT),
        program: Type.String({ default: 'nats-server', minLength: 1, description: "a master's server program" }),
        storageMb: megabytes(4096, "room of the templates at a master's centre"),
        intervalMs: milliseconds(30_000, 'how often a device synchronises when nothing tells it to'),
        leaf: Type.Object(
          {
            url: nullable(Type.String({ pattern: LEAF_ADDRESS }), {
              default: null,
              description: "leaf-node address of a chain's NATS cluster, with user and password; null: none",
            }),
            caFile: nullable(Type.String({ minLength: 1 }), {
              default: null,
              description: "PEM file of the authority of the cluster's certificate; null: the system's",
            }),
          },
          closed,
        ),
      },
      closed,
    ),
    api: Type.Object(
      {
        token: token(
          'secret that callers from the network must send, as a bearer token or as the password; it opens everything',
        ),
        tokens: Type.Object(
          {
            till: token('the same for tills and scales: it opens what is done at the lane all day, and no settings'),
            technician: token('the same for technicians, beside api.token: it opens everything'),
          },
          closed,
        ),
        tills: Type.Array(Till, {
          default: [],
          maxItems: 64,
          description:
            'tills with a token of their own each, which opens what that of `api.tokens.till` does; under `/v1` each reaches only the [payments](till.md#several-tills-on-one-device) that it has asked for, or all of them with `everyPayment`: `[{"name": "checkout-1", "token": "…"}, {"name": "returns", "token": "…", "everyPayment": true}]`',
        }),
        allow: Type.Array(Type.String(), {
          default: [],
          description: 'networks that may connect, as 10.0.0.0/8 or single addresses',
        }),
        hosts: Type.Array(Type.String(), {
          default: [],
          description:
            'further names and addresses that the device is called by, as lane-7.shop.example; it answers to those of its own anyway, and to no others',
        }),
        cors: Type.Array(Type.String({ pattern: ORIGIN }), {
          default: [],
          description: 'origins of web pages that may call',
        }),
        connections: places(
          256,
          'connections to each port from the network in all; this machine has as many of its own',
        ),
        connectionsPerAddress: places(64, 'the same from one address'),
        eventStreams: places(
          64,
          'streams of events to pages from the network in all; this machine has as many of its own',
        ),
        eventStreamsPerAddress: places(8, 'the same from one address'),
      },
      closed,
    ),
    tls: Type.Object(
      {
        mode: Type.Enum(['auto', 'off'], {
          default: 'auto',
          description:
            'auto: callers from the network speak TLS, those of this machine plain HTTP; off: plain HTTP for all, where the network is encrypted otherwise',
        }),
        certFile: nullable(Type.String({ minLength: 1 }), {
          default: null,
          description: "PEM file of the shop's certificate; null: the device makes its own",
        }),
        keyFile: nullable(Type.String({ minLength: 1 }), {
          default: null,
          description: 'PEM file of its key, which the device must be able to read',
        }),
        lookMs: milliseconds(60_000, 'how often these files are read, for a renewed certificate'),
      },
      closed,
    ),
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

export type Config = Static<typeof ConfigSchema>;
