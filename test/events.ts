/** Reads streams of server-sent events as a program does, without a browser. */

export interface ReadEvent<Data> {
  /** NaN where the event has none. */
  readonly id: number;
  readonly name: string;
  readonly data: Data;
}

/** @param block of a stream, without the empty line that ends it */
export function eventIn<Data>(block: string): ReadEvent<Data> {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return {
    id: Number(fields.get('id')),
    name: fields.get('event') ?? 'message',
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}

/** Yields whole events of a stream of bytes. An incomplete one at the end is dropped. */
export async function* eventsIn<Data>(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEvent<Data>> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield eventIn(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

/** Reads a stream event by event. */
export class EventReader<Data> implements AsyncDisposable {
  readonly #events: AsyncGenerator<ReadEvent<Data>>;
  readonly #abort: AbortController;
  readonly headers: Headers;

  private constructor({ body, headers }: Response, abort: AbortController) {
    if (body === null) throw new Error('the stream has no body');
    this.headers = headers;
    this.#events = eventsIn(body);
    this.#abort = abort;
  }

  static async open<Data>(url: string, headers: Record<string, string> = {}): Promise<EventReader<Data>> {
    const abort = new AbortController();
    return new EventReader<Data>(await fetch(url, { headers, signal: abort.signal }), abort);
  }

  /** The next event; null when the stream has ended without an error. */
  async next(): Promise<ReadEvent<Data> | null> {
    const { done, value } = await this.#events.next();
    return done ? null : value;
  }

  /** The data of the next state; skips greetings and beats. */
  async state(): Promise<Data> {
    for (;;) {
      const event = await this.next();
      if (event === null) throw new Error('the stream ended');
      if (event.name === 'message') return event.data;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#events.return(undefined).catch(() => undefined); // the abort may have ended it
  }
}
