/** What is configured of the network: who may call, by which certificate, and the other devices of a store. */
import Type from 'typebox';
import { worded } from '../../store/schema.ts';
import { MASTER_PORT } from '../ports.ts';
import { closed, megabytes, milliseconds, nullable, port } from './kinds.ts';

const secretToken = Type.String({ minLength: 16 });
const token = (description: string) => nullable(secretToken, { default: null, description });
const places = (value: number, description: string) =>
  Type.Integer({ default: value, minimum: 1, maximum: 65_535, description });

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

const LEAF_ADDRESS = worded(
  '^(nats-leaf|tls|nats|ws|wss)://',
  'must begin with nats-leaf://, tls://, nats://, ws:// or wss://',
);
export const ApiConfig = Type.Object(
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
    claim: Type.Boolean({
      default: false,
      description:
        "whether a code on the customer's display makes a technician's token: by itself until there is one, and later where the learn button is [held](technician.md#from-power-on-to-a-token). Callers from the network are then asked for a token from the start",
    }),
    allow: Type.Array(Type.String(), {
      default: [],
      description:
        'networks that may connect, as 10.0.0.0/8 or single addresses: a filter before the tokens; where there are none it opens what a till does, and nothing of the technician',
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
    connections: places(256, 'connections to each port from the network in all; this machine has as many of its own'),
    connectionsPerAddress: places(64, 'the same from one address'),
    eventStreams: places(64, 'streams of events to pages from the network in all; this machine has as many of its own'),
    eventStreamsPerAddress: places(8, 'the same from one address'),
  },
  closed,
);

export const TlsConfig = Type.Object(
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
);

export const SyncConfig = Type.Object(
  {
    role: Type.Enum(['standalone', 'master'], {
      default: 'standalone',
      description: 'part of this device in its store, until a call says otherwise',
    }),
    host: Type.String({
      default: '0.0.0.0',
      description:
        "address that a master's server listens on; 0.0.0.0 is each of them, on an installed lane for the subnets that it is in alone",
    }),
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
);
