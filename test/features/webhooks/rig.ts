/** A receiver of events that misbehaves as the test says, and webhooks whose waiting takes no time. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from '../../../drivers/lib/async.ts';
import type { WebhooksConfig } from '../../../firmware/features/webhooks/config.ts';
import { Webhooks } from '../../../firmware/features/webhooks/webhooks.ts';
import { type Listening, listening } from '../../ports.ts';
import { atEnd, type TemporaryFolder, temporaryFolder, until } from '../../support.ts';
import { openFeed } from '../../terminal/event-rig.ts';

export const SECRET = 'made-up-secret-of-a-receiver';

interface Received {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** Seconds since 1970, as they were signed. */
  readonly at: number;
  readonly isSigned: boolean;
  readonly signature: string;
}

type Answer = (response: ServerResponse, n: number) => void;
export const OK: Answer = (response) => response.writeHead(204).end();

/** As a receiver checks a signature. */
export function isSigned(secret: string, header: string, body: string): boolean {
  const [, at = '', signed = ''] = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(header) ?? [];
  const right = createHmac('sha256', secret).update(`${at}.${body}`).digest();
  const given = signed.split(',v1=').slice(1);
  return given.some((each) => timingSafeEqual(Buffer.from(each, 'hex'), right));
}

export class TestReceiver implements AsyncDisposable {
  readonly received: Received[] = [];
  answer: Answer = OK;
  readonly #server: Listening;

  private constructor(server: Listening) {
    this.#server = server;
  }

  static async open(tls: { readonly key: string; readonly cert: string } | null = null): Promise<TestReceiver> {
    let receiver: TestReceiver | null = null;
    const listener: RequestListener = (request, response) => void receiver?.take(request, response);
    receiver = new TestReceiver(
      await listening(tls === null ? createServer(listener) : createSecureServer(tls, listener)),
    );
    return receiver;
  }

  get url(): string {
    return `${this.#server.url}/events`;
  }

  get ids(): number[] {
    return this.received.map(({ id }) => Number(id));
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const header = String(request.headers['laneware-signature']);
    this.received.push({
      id: String(request.headers['laneware-event-id']),
      type: String(request.headers['laneware-event-type']),
      text,
      at: Number(/^t=(\d+)/.exec(header)?.[1]),
      isSigned: isSigned(SECRET, header, text),
      signature: header,
    });
    this.answer(response, this.received.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

type Address = WebhooksConfig[number];

interface WebhookParts {
  readonly answerLimitMs?: number;
  /** Milliseconds that each pause has taken, in order. */
  readonly pauses?: number[];
  readonly log?: (message: string, details?: object) => void;
  /** Called when it begins to wait for the next attempt. */
  readonly onWait?: () => void;
  /** So many pauses pass, and the one after lasts until it is closed. */
  readonly heldAfter?: number;
}

/** Webhooks over a feed; the clock goes on by itself where they wait. */
function openWebhooks(
  { clock, outbox, feed }: Pick<ReturnType<typeof openFeed>, 'clock' | 'outbox' | 'feed'>,
  folder: string,
  addresses: readonly Address[],
  {
    answerLimitMs = 2000,
    pauses = [],
    log = () => undefined,
    onWait = () => undefined,
    heldAfter = Number.POSITIVE_INFINITY,
  }: WebhookParts = {},
): Webhooks {
  const webhooks = new Webhooks([...addresses], join(folder, 'webhooks.db'), outbox, {
    feed,
    clock,
    random: () => 0.5,
    log,
    answerLimitMs,
    wait: async (ms, signal) => {
      pauses.push(ms);
      onWait();
      if (pauses.length > heldAfter) return pause(ms, signal);
      clock.now += ms;
      await nextTurn();
    },
  });
  webhooks.start();
  return webhooks;
}

type Opening = (parts?: WebhookParts, addresses?: readonly Address[]) => Webhooks;

/** A feed, webhooks whose one address is a receiver unless others are named, and the folder where they note; what is open is closed. */
export const delivering =
  (
    run: (
      f: ReturnType<typeof openFeed>,
      open: Opening,
      receiver: TestReceiver,
      folder: TemporaryFolder,
    ) => Promise<void>,
  ) =>
  async (): Promise<void> => {
    using folder = temporaryFolder();
    await using receiver = await TestReceiver.open();
    const f = openFeed();
    const opened: Webhooks[] = [];
    const open: Opening = (parts, addresses = [{ url: receiver.url, secret: SECRET }]) => {
      const webhooks = openWebhooks(f, folder.path, addresses, parts);
      opened.push(webhooks);
      return webhooks;
    };
    await using _opened = atEnd(() => Promise.all(opened.map((webhooks) => webhooks.close())));
    await run(f, open, receiver, folder);
  };

/** Waits until all that there is has been delivered, or given up. */
export const delivered = ({ outbox }: ReturnType<typeof openFeed>, webhooks: Webhooks): Promise<boolean> =>
  until('all is delivered', () => webhooks.deliveredTo === outbox.last);
