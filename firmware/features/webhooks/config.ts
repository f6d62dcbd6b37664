/** Configuration of webhooks: the addresses that are called with events. */
import Type, { type Static } from 'typebox';
import { type ConfigPart, closed, isLoopbackHost } from '../../core/config/index.ts';
import { EVENT_TYPES } from '../../payments/index.ts';

const WebhooksConfig = Type.Array(
  Type.Object(
    {
      url: Type.String({ minLength: 1, maxLength: 2048 }),
      secret: Type.String({ minLength: 16, maxLength: 256 }),
      formerSecret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
      types: Type.Optional(Type.Array(Type.Enum([...EVENT_TYPES]), { minItems: 1 })),
      caPath: Type.Optional(Type.String({ minLength: 1 })),
    },
    closed,
  ),
  {
    default: [],
    maxItems: 8,
    description:
      '[addresses that are called](events.md#webhooks) with events: `url`, `secret`, `types`, `formerSecret`, `caPath`',
  },
);
export type WebhooksConfig = Static<typeof WebhooksConfig>;

/** What is wrong with an address for events; null for nothing. */
function addressProblem(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) return 'must be an address as https://till.shop.example/lane-7';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname.replaceAll(/[[\]]/g, '')))
    return 'must begin with https:// (http:// leads to this machine only)';
  const isPlain = url.username === '' && url.password === '' && url.hash === '' && !/[\s\\#]/.test(address);
  return isPlain ? null : 'must have no user, fragment, space or backslash';
}

export const WEBHOOKS_CONFIG: ConfigPart<typeof WebhooksConfig> = {
  key: 'terminal.webhooks',
  schema: WebhooksConfig,
  check: (webhooks) =>
    webhooks.map(({ url }, index) => {
      const isNamedBefore = webhooks.slice(0, index).some((other) => other.url === url);
      const problem = addressProblem(url) ?? (isNamedBefore ? 'must be named once' : null);
      return problem === null ? null : `terminal.webhooks.${index}.url ${problem}`;
    }),
};
