/** Follows a stream of server-sent events as a program would, without a browser. */

export interface ServerEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into states of every shape
  readonly data: any;
}

/** Follows a stream as a program would, without a browser. */
export class EventReader implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #abort: AbortController;
  readonly headers: Headers;
  #text = '';

  private constructor(response: Response, abort: AbortController) {
    if (response.body === null) throw new Error('the stream has no body');
    this.headers = response.headers;
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    this.#abort = abort;
  }

  static async open(url: string): Promise<EventReader> {
    const abort = new AbortController();
    return new EventReader(await fetch(url, { signal: abort.signal }), abort);
  }

  /** The next event; null when the stream has ended in good order. */
  async next(): Promise<ServerEvent | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const event = parse(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 2);
        return event;
      }
      const { done, value } = await this.#reader.read();
      if (done) return null;
      this.#text += value;
    }
  }

  /** The next state: greetings and beats left out. */
  async state(): Promise<ServerEvent['data']> {
    for (;;) {
      const event = await this.next();
      if (event === null) throw new Error('the stream ended');
      if (event.name === 'message') return event.data;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#reader.cancel().catch(() => undefined); // already ended by the abort
  }
}

function parse(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return { name: fields.get('event') ?? 'message', data: JSON.parse(fields.get('data') ?? 'null') };
}
