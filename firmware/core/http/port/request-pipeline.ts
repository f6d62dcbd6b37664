/**
 * Answers the requests of a connection one after the other (RFC 9112, 9.3.2): else memory would hold the answers to all
 * that a client sends ahead.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConnectionSlot } from '../connection-pool.ts';

/** Requests that may wait behind the one being answered: some tills send two or three at once, none sends many. */
const MAX_AHEAD = 16;

export type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => void;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * The requests of one connection. While only the client can act, the connection may have to make room for another.
 */
export class RequestPipeline {
  readonly #slot: ConnectionSlot;
  readonly #answer: AnswerRequest;
  readonly #ahead: [IncomingMessage, ServerResponse][] = [];
  #current: IncomingMessage | null = null;
  #isBroken = false;

  constructor(slot: ConnectionSlot, answer: AnswerRequest) {
    this.#slot = slot;
    this.#answer = answer;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    if (this.#current === null) this.#begin(request, response);
    else if (this.#ahead.push([request, response]) > MAX_AHEAD) this.#slot.end();
  }

  /**
   * Handles input that is not HTTP. Complete requests before it are done, so their answers must go out first; then the
   * connection ends.
   * @returns false without such requests, so that the connection can be answered at once
   */
  breakOff(): boolean {
    if (this.#current?.complete !== true) return false;
    if (this.#ahead.at(-1)?.[0].complete === false) this.#ahead.pop();
    this.#isBroken = true;
    return true;
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const slot = this.#slot;
    this.#current = request;
    slot.move(hasBody(request) && !request.complete ? 'transfer' : 'busy');
    request.once('end', () => {
      if (!response.writableEnded) slot.move('busy');
    });
    response.once('prefinish', () => slot.move('transfer')).once('close', () => this.#next());
    this.#answer(request, response);
  }

  #next(): void {
    this.#current = null;
    const [request, response] = this.#ahead.shift() ?? [];
    if (request !== undefined && response !== undefined && request.socket.writable) this.#begin(request, response);
    else if (this.#isBroken) this.#slot.end();
    else this.#slot.move('idle');
  }
}
