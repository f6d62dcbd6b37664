/** The streams of a made-up message server: what JetStream is asked for by a master and its devices, and no more. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const API = '$JS.API.';
/** As a master's own devices ask how a bucket stands. */
const INFO = 'laneware.info.';
const PER_MESSAGE_BYTES = 64;
const PAGE = 100_000;

export interface Answer {
  readonly headers?: string;
  readonly body: string | Uint8Array;
}

/**
 * What a cut of the power leaves of a stream: messages that are listed and not given (`holed`), such as are put there, too
 * (`ungiven`); one that is counted and not listed; or nothing is kept of what is acknowledged.
 */
export type StreamDamage = 'holed' | 'ungiven' | 'unlisted' | 'unkept';

interface Message {
  readonly seq: number;
  readonly subject: string;
  readonly data: Buffer;
}

interface StreamConfig {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly storage: string;
  readonly max_bytes: number;
  readonly max_msgs: number;
  readonly max_msg_size: number;
}

/** Whether a subject is one of those that a pattern with `*` and `>` names. */
export function fitsSubject(pattern: string, subject: string): boolean {
  const [wanted, words] = [pattern.split('.'), subject.split('.')];
  const rest = wanted.indexOf('>');
  if (rest >= 0 ? words.length <= rest : words.length !== wanted.length) return false;
  return wanted.every((each, at) => each === '>' || (rest >= 0 && at > rest) || each === '*' || each === words[at]);
}

const json = (value: object): Answer => ({ body: JSON.stringify(value) });
const refusal = (code: number, err_code: number, description: string): Answer =>
  json({ error: { code, err_code, description } });
const NO_STREAM = refusal(404, 10059, 'stream not found');

class Stream {
  config: StreamConfig;
  created: string;
  last = 0;
  #damage: StreamDamage | null = null;
  /** Messages up to this number are not given. */
  #lostTo = 0;
  readonly #messages = new Map<number, Message>();
  readonly #numbers = new Map<string, number>();

  constructor(config: StreamConfig, created: string) {
    this.config = config;
    this.created = created;
  }

  get messages(): Message[] {
    return [...this.#messages.values()];
  }

  get #bytes(): number {
    return this.messages.reduce((sum, { subject, data }) => sum + PER_MESSAGE_BYTES + subject.length + data.length, 0);
  }

  put(subject: string, data: Buffer): Answer {
    const before = this.#found(subject);
    const { max_bytes: room, max_msgs, max_msg_size } = this.config;
    if (data.length > max_msg_size) return refusal(400, 10054, 'message size exceeds maximum allowed');
    if (before === undefined && this.#messages.size >= max_msgs)
      return refusal(503, 10077, 'maximum messages exceeded');
    const bytes = this.#bytes - (before?.data.length ?? 0) + PER_MESSAGE_BYTES + subject.length + data.length;
    if (room >= 0 && bytes > room) return refusal(503, 10077, 'maximum bytes exceeded');
    if (this.#damage === 'unkept') {
      this.last += 1;
      return json({ stream: this.config.name, seq: this.last });
    }
    this.lay({ seq: this.last + 1, subject, data });
    return json({ stream: this.config.name, seq: this.last });
  }

  lay(message: Message): void {
    this.#messages.delete(this.#numbers.get(message.subject) ?? 0);
    this.#messages.set(message.seq, message);
    this.#numbers.set(message.subject, message.seq);
    this.last = message.seq;
  }

  #found(subject: string): Message | undefined {
    return this.#messages.get(this.#numbers.get(subject) ?? 0);
  }

  #given(message: Message | undefined): Message | undefined {
    return message === undefined || message.seq <= this.#lostTo ? undefined : message;
  }

  harm(damage: StreamDamage): void {
    this.#damage = damage;
    this.#lostTo = damage === 'ungiven' ? Number.POSITIVE_INFINITY : damage === 'holed' ? this.last : 0;
  }

  find(subject: string): Message | undefined {
    return this.#given(this.#found(subject));
  }

  at(seq: number): Message | undefined {
    return this.#given(this.#messages.get(seq));
  }

  /** @param keep so many of the latest */
  purge(filter: string, keep: number): Answer {
    const fitting = this.messages.filter(({ subject }) => fitsSubject(filter, subject));
    const gone = fitting.slice(0, Math.max(0, fitting.length - keep));
    for (const { seq, subject } of gone) {
      this.#messages.delete(seq);
      this.#numbers.delete(subject);
    }
    return json({ success: true, purged: gone.length });
  }

  info({ subjects_filter, offset = 0 }: { subjects_filter?: string; offset?: number } = {}): Answer {
    const { config, created, last } = this;
    const first = offset + (this.#damage === 'unlisted' ? 1 : 0);
    const subjects = this.messages.slice(first, offset + PAGE).map(({ subject }) => [subject, 1]);
    // as the real one, which leaves it out where there are none
    const listed =
      subjects_filter === undefined || subjects.length === 0 ? {} : { subjects: Object.fromEntries(subjects) };
    return json({
      ...{ type: 'io.nats.jetstream.api.v1.stream_info_response', config, created },
      state: { messages: this.#messages.size, bytes: this.#bytes, first_seq: 1, last_seq: last, ...listed },
    });
  }
}

export class Streams {
  readonly #all = new Map<string, Stream>();
  readonly #room: number;
  /** Called with each stream that is made. */
  onMade: (stream: Stream) => void = () => undefined;

  /** @param room of all of them, bytes */
  constructor(room: number) {
    this.#room = room;
  }

  /** Of a stream that takes what is said under a subject; null where none does. */
  put(subject: string, data: Buffer): Answer | null {
    const taking = [...this.#all.values()].find(({ config }) =>
      config.subjects.some((pattern) => fitsSubject(pattern, subject)),
    );
    return taking?.put(subject, data) ?? null;
  }

  /** What is asked of JetStream; null for what is nothing of it. */
  answer(subject: string, data: Buffer): Answer | null {
    if (subject.startsWith(INFO)) return this.#ask('STREAM.INFO', `KV_laneware_${subject.slice(INFO.length)}`, data);
    if (!subject.startsWith(API)) return null;
    if (subject === `${API}INFO`) return json({ type: 'io.nats.jetstream.api.v1.account_info_response' });
    const [, action = '', name = '', more = ''] =
      /^(STREAM\.\w+|DIRECT\.GET)\.([^.]+)\.?(.*)$/.exec(subject.slice(API.length)) ?? [];
    return this.#ask(action, name, data, more);
  }

  harm(name: string, damage: StreamDamage): void {
    this.#all.get(name)?.harm(damage);
  }

  delete(name: string): void {
    this.#all.delete(name);
  }

  #ask(action: string, name: string, data: Buffer, more = ''): Answer | null {
    const asked = data.length === 0 ? {} : JSON.parse(data.toString());
    if (action === 'STREAM.CREATE' && asked.max_bytes > this.#room)
      return refusal(500, 10047, 'insufficient storage resources available');
    if (action === 'STREAM.CREATE') {
      const made = new Stream(asked, `${new Date().toISOString()} ${randomUUID()}`);
      this.onMade(made);
      this.#all.set(name, made);
    }
    const stream = this.#all.get(name);
    // as the real one: who asks for what lies in none hears nothing
    if (stream === undefined) return action === 'DIRECT.GET' ? null : NO_STREAM;
    if (action === 'STREAM.PURGE') return stream.purge(asked.filter ?? '>', asked.keep ?? 0);
    if (action === 'DIRECT.GET')
      return readAnswer(name, asked.seq === undefined ? stream.find(more) : stream.at(asked.seq));
    if (action === 'STREAM.DELETE') {
      this.delete(name);
      return json({ success: true });
    }
    if (action === 'STREAM.UPDATE') stream.config = { ...stream.config, ...asked };
    return stream.info(asked);
  }

  /** Writes down what is not in memory alone. */
  save(path: string): void {
    const kept = [...this.#all.values()].filter(({ config }) => config.storage === 'file');
    const written = kept.map(({ config, created, last, messages }) => ({
      ...{ config, created, last },
      messages: messages.map(({ seq, subject, data }) => ({ seq, subject, data: data.toString('base64') })),
    }));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(written));
  }

  /** As they were saved. */
  static open(path: string, room: number): Streams {
    const streams = new Streams(room);
    if (!existsSync(path)) return streams;
    for (const { config, created, last, messages } of JSON.parse(readFileSync(path, 'utf8'))) {
      const stream = new Stream(config, created);
      for (const { seq, subject, data } of messages) stream.lay({ seq, subject, data: Buffer.from(data, 'base64') });
      stream.last = last;
      streams.#all.set(config.name, stream);
    }
    return streams;
  }
}

const readAnswer = (name: string, message: Message | undefined): Answer =>
  message === undefined
    ? { headers: 'NATS/1.0 404 Message Not Found\r\n\r\n', body: '' }
    : {
        headers: `NATS/1.0\r\nNats-Stream: ${name}\r\nNats-Subject: ${message.subject}\r\nNats-Sequence: ${message.seq}\r\n\r\n`,
        body: message.data,
      };
