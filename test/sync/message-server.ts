/**
 * A message server in this process, in the place of `nats-server`: it speaks the protocol of NATS over TLS to the users
 * of its master's configuration, each under its own subjects. It has one space of subjects where the real one has
 * accounts: what keeps devices apart is tested with that one.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { nkeys } from '@nats-io/transport-node';
import type { MessageServer } from '../../firmware/sync/centre/server.ts';
import { type Answer, fitsSubject, type StreamDamage, Streams } from './streams.ts';

const MAX_PAYLOAD = 1024 * 1024;
const NO_RESPONDERS = 'NATS/1.0 503\r\n\r\n';

interface User {
  readonly key: string | null;
  readonly password: string | null;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

interface Settings {
  readonly host: string;
  readonly port: number;
  readonly certificate: string;
  readonly privateKey: string;
  /** Bytes. */
  readonly room: number;
  readonly users: readonly User[];
}

/** Of what `serverConfig` writes. */
function readSettings(text: string): Settings {
  const one = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  const listIn = (line: string, name: string): readonly string[] => {
    const list = new RegExp(`${name}: \\{ allow: (\\[[^\\]]*\\])`).exec(line)?.[1];
    return list === undefined ? ['>'] : JSON.parse(list);
  };
  const lines = text.split('\n').filter((line) => /^ *\{ (?:nkey|user): /.test(line));
  return {
    host: one(/^host: "(.*)"$/m),
    port: Number(one(/^port: (\d+)$/m)),
    certificate: one(/cert_file: "([^"]*)"/),
    privateKey: one(/key_file: "([^"]*)"/),
    room: Number(one(/max_file: (\d+)/)),
    users: lines.map((line) => ({
      key: /nkey: "(\w+)"/.exec(line)?.[1] ?? null,
      password: /password: "([^"]*)"/.exec(line)?.[1] ?? null,
      publish: listIn(line, 'publish'),
      subscribe: listIn(line, 'subscribe'),
    })),
  };
}

const isAllowed = (patterns: readonly string[], subject: string): boolean =>
  patterns.some((pattern) => fitsSubject(pattern, subject) || pattern === subject);

interface Said {
  readonly subject: string;
  readonly reply: string;
  readonly headers: Buffer;
  readonly data: Buffer;
}

/** One client: its subscriptions, and the bytes that have come of it. */
class Client {
  readonly socket: Socket;
  readonly subscriptions = new Map<string, string>();
  user: User | null = null;
  #buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** @returns the whole commands that have come, each with its body */
  read(chunk: Buffer): { line: string; body: Buffer }[] {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    const commands: { line: string; body: Buffer }[] = [];
    for (;;) {
      const end = this.#buffer.indexOf('\r\n');
      if (end < 0) return commands;
      const line = this.#buffer.subarray(0, end).toString();
      const length = /^H?PUB /i.test(line) ? Number(line.split(' ').at(-1)) + 2 : 0;
      if (this.#buffer.length < end + 2 + length) return commands;
      commands.push({ line, body: this.#buffer.subarray(end + 2, end + 2 + Math.max(0, length - 2)) });
      this.#buffer = this.#buffer.subarray(end + 2 + length);
    }
  }

  /** @returns whether it listens */
  hear({ subject, reply, headers, data }: Said): boolean {
    const listening = [...this.subscriptions].filter(([, pattern]) => fitsSubject(pattern, subject));
    for (const [sid] of listening) {
      const to = [subject, sid, ...(reply === '' ? [] : [reply])].join(' ');
      const length = headers.length + data.length;
      const command = headers.length === 0 ? `MSG ${to} ${length}` : `HMSG ${to} ${headers.length} ${length}`;
      this.socket.write(Buffer.concat([Buffer.from(`${command}\r\n`), headers, data, Buffer.from('\r\n')]));
    }
    return listening.length > 0;
  }
}

export class MadeUpServer implements MessageServer {
  readonly #folder: string;
  #settings: Settings | null = null;
  #listening: Server | null = null;
  #id = '';
  #clients = new Set<Client>();
  #streams = new Streams(0);
  /** Answers no client any more, as one whose process is stopped. */
  isStuck = false;
  /** Called with the subject of each message, before it is delivered. */
  onSaid: (subject: string) => void = () => undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get problem(): string | null {
    return this.#listening === null ? 'the made-up server does not run' : null;
  }

  get pid(): number | null {
    return null;
  }

  /** Another one with each start. */
  get id(): string {
    return this.#id;
  }

  async requireProgram(): Promise<void> {}

  async configure(text: string): Promise<void> {
    this.#settings = readSettings(text);
    for (const client of this.#clients) {
      if (client.user === null) continue;
      client.user = this.#find(client.user) ?? null;
      if (client.user === null) client.socket.destroy();
    }
  }

  start(): void {
    const settings = this.#settings;
    if (settings === null) throw new Error('it was not configured');
    this.#id = randomUUID();
    this.#streams = Streams.open(this.#path, settings.room);
    const [cert, key] = [readFileSync(settings.certificate), readFileSync(settings.privateKey)];
    this.#listening = createServer((socket) => this.#greet(socket, { cert, key }));
    this.#listening.listen(settings.port, settings.host);
  }

  async restart(): Promise<void> {
    await this.stop();
    this.start();
  }

  /** Cuts all connections; what was kept is there after the next start. */
  async stop(): Promise<void> {
    const server = this.#listening;
    if (server === null) return;
    this.#streams.save(this.#path);
    this.#listening = null;
    this.isStuck = false;
    const over = new Promise((resolve) => server.close(resolve));
    for (const { socket } of this.#clients) socket.destroy();
    await over;
  }

  /** Starts it anew after a cut of the power. @param isLasting whether a stream that is made anew is damaged, too */
  async restartDamaged(name: string, damage: StreamDamage, isLasting = false): Promise<void> {
    await this.restart();
    this.damage(name, damage, isLasting);
  }

  damage(name: string, damage: StreamDamage, isLasting = false): void {
    this.#streams.harm(name, damage);
    this.#streams.onMade = (stream) => {
      if (isLasting && stream.config.name === name) stream.harm(damage);
    };
  }

  /** Somebody has deleted a stream. */
  deleteStream(name: string): void {
    this.#streams.delete(name);
  }

  get #path(): string {
    return join(this.#folder, 'store', 'streams.json');
  }

  #greet(plain: Socket, pair: { readonly cert: Buffer; readonly key: Buffer }): void {
    const nonce = randomBytes(11).toString('base64url');
    const info = {
      ...{ server_id: this.#id, version: '2.9.10', proto: 1, headers: true, max_payload: MAX_PAYLOAD, nonce },
      ...{ jetstream: true, tls_required: true, auth_required: true },
    };
    plain.on('error', () => undefined);
    plain.write(`INFO ${JSON.stringify(info)}\r\n`);
    const socket = new TLSSocket(plain, { isServer: true, ...pair });
    const client = new Client(socket);
    this.#clients.add(client);
    socket.on('error', () => plain.destroy());
    socket.once('close', () => this.#clients.delete(client));
    plain.once('close', () => this.#clients.delete(client));
    socket.on('data', (chunk: Buffer) => {
      if (this.isStuck) return;
      for (const { line, body } of client.read(chunk)) this.#take(client, line, body, nonce);
    });
  }

  #find({ key, password }: Pick<User, 'key' | 'password'>): User | undefined {
    return this.#settings?.users.find((user) => user.key === key && user.password === password);
  }

  #take(client: Client, line: string, body: Buffer, nonce: string): void {
    const [command = '', ...words] = line.split(' ');
    const isLetIn = client.user !== null;
    if (command === 'CONNECT') this.#letIn(client, JSON.parse(line.slice('CONNECT '.length)), nonce);
    else if (command === 'PING') client.socket.write('PONG\r\n');
    else if (command === 'PONG') return;
    else if (!isLetIn) client.socket.destroy();
    else if (command === 'SUB') this.#subscribe(client, words);
    else if (command === 'UNSUB') client.subscriptions.delete(words[0] ?? '');
    else this.#publish(client, saidBy(command, words, body));
  }

  #letIn(client: Client, given: { nkey?: string; sig?: string; user?: string; pass?: string }, nonce: string): void {
    const { nkey: key = null, sig = '', pass: password = null } = given;
    const user = this.#find({ key, password });
    const isHis = key === null || nkeys.fromPublic(key).verify(Buffer.from(nonce), Buffer.from(sig, 'base64url'));
    if (user !== undefined && isHis) client.user = user;
    else client.socket.end("-ERR 'Authorization Violation'\r\n");
  }

  #subscribe({ user, socket, subscriptions }: Client, words: readonly string[]): void {
    const [subject = ''] = words;
    if (isAllowed(user?.subscribe ?? [], subject)) subscriptions.set(words.at(-1) ?? '', subject);
    else socket.write(`-ERR 'Permissions Violation for Subscription to "${subject}"'\r\n`);
  }

  #publish({ user, socket }: Client, said: Said): void {
    const { subject, reply, data } = said;
    if (!isAllowed(user?.publish ?? [], subject)) {
      socket.write(`-ERR 'Permissions Violation for Publish to "${subject}"'\r\n`);
      return;
    }
    this.onSaid(subject);
    const answer = this.#streams.answer(subject, data) ?? this.#streams.put(subject, data);
    const isHeard = this.#deliver(said);
    if (reply === '') return;
    if (answer !== null) this.#deliver(answerTo(reply, answer));
    else if (!isHeard && !subject.startsWith('$JS.'))
      this.#deliver(answerTo(reply, { headers: NO_RESPONDERS, body: '' }));
  }

  #deliver(said: Said): boolean {
    return [...this.#clients].map((client) => client.hear(said)).includes(true);
  }
}

function saidBy(command: string, words: readonly string[], body: Buffer): Said {
  const [subject = ''] = words;
  const hasHeaders = command === 'HPUB';
  const reply = words.length > (hasHeaders ? 3 : 2) ? (words[1] ?? '') : '';
  const split = hasHeaders ? Number(words.at(-2)) : 0;
  return { subject, reply, headers: body.subarray(0, split), data: body.subarray(split) };
}

const answerTo = (reply: string, { headers = '', body }: Answer): Said => ({
  ...{ subject: reply, reply: '' },
  headers: Buffer.from(headers),
  data: Buffer.from(body),
});
