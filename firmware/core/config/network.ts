/** Configuration of the network: who may call, and the certificate. */
import Type from 'typebox';
import { patternWithMessage } from '../schema/index.ts';
import { closed, nullable } from './kinds.ts';

const secretToken = Type.String({ minLength: 16 });
const token = (description: string) => nullable(secretToken, { default: null, description });

const ORIGIN = patternWithMessage('^https?://[^/]+$', 'must be an origin without a path, as https://till.shop.example');

const TILL_NAME = patternWithMessage(
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

export const ApiConfig = Type.Object(
  {
    token: token('bearer token or password of callers from the network; it opens everything'),
    tokens: Type.Object(
      {
        till: token('the same for tills and scales: it opens the daily work'),
        technician: token('the same for technicians, beside api.token: it opens everything'),
      },
      closed,
    ),
    tills: Type.Array(Till, {
      default: [],
      maxItems: 64,
      description:
        '[tills with tokens of their own](till.md#several-tills-on-one-device): `name`, `token`, `everyPayment`',
    }),
    claim: Type.Boolean({
      default: false,
      description:
        "whether a [code on the display](technician.md#first-token) makes a technician's token; callers from the network then always need a token",
    }),
    allow: Type.Array(Type.String(), {
      default: [],
      description:
        'networks that may connect, as 10.0.0.0/8: a filter before the tokens; without any token it opens what a till does',
    }),
    hosts: Type.Array(Type.String(), {
      default: [],
      description: 'further names and addresses of the device, as lane-7.shop.example; it answers to no others',
    }),
    cors: Type.Array(Type.String({ pattern: ORIGIN }), {
      default: [],
      description: 'origins of web pages that may call',
    }),
  },
  closed,
);

export const TlsConfig = Type.Object(
  {
    mode: Type.Enum(['auto', 'off'], {
      default: 'auto',
      description: 'auto: TLS from the network, plain HTTP on this machine; off: plain HTTP for all',
    }),
    certFile: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: "PEM file of the shop's certificate; null: the device makes its own",
    }),
    keyFile: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: 'PEM file of its key, which the device must be able to read',
    }),
  },
  closed,
);
