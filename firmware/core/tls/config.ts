/** Configuration of the certificate. */
import Type, { type Static } from 'typebox';
import { type ConfigPart, closed, nullable } from '../config/index.ts';

const TlsConfig = Type.Object(
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
export type TlsConfig = Static<typeof TlsConfig>;

export const TLS_CONFIG: ConfigPart<typeof TlsConfig> = {
  key: 'tls',
  after: 'api',
  schema: TlsConfig,
  check: ({ certFile, keyFile }) => [
    certFile === null && keyFile !== null ? 'tls.certFile: is needed beside tls.keyFile' : null,
    certFile !== null && keyFile === null ? 'tls.keyFile: is needed beside tls.certFile' : null,
  ],
};
