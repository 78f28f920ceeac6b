import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { incomingDocument, incomingPart } from '../../../src/rest/request/incoming-files.js';
import {
  FORM_TYPE,
  JSON_TYPE,
  MIB,
  MULTIPART_TYPE,
  document,
  documentOf,
  field,
  file,
  multipart,
  outcome,
  pieces,
  places,
  read,
  refused,
  request,
} from './support.js';

const CHUNK = 64 * 1024;
const CONTENT = Buffer.alloc(10 * MIB, 'compliance');
const SLACK = 8 * CHUNK;

const base64 = (content: Buffer) => content.toString('base64');
const forms: [string, string, (content: Buffer) => string | Buffer][] = [
  ['JSON', JSON_TYPE, (content) => `{"filename":"a","content":"${base64(content)}"}`],
  [
    'JSON with escapes',
    JSON_TYPE,
    (content) => `{"filename":"a","content":"${base64(content).replaceAll('b', '\\u0062')}"}`,
  ],
  ['a form', FORM_TYPE, (content) => new URLSearchParams({ filename: 'a', content: base64(content) }).toString()],
  [
    'a multipart field',
    MULTIPART_TYPE,
    (content) => multipart(field('filename', 'a'), field('content', base64(content))),
  ],
  ['a multipart file', MULTIPART_TYPE, (content) => multipart(file('file', 'a', content))],
];

/**
 * Waits until nothing more arrives: in each turn of the event loop the sender, which runs in it too, could send more.
 */
async function quiet(socket: Socket): Promise<void> {
  for (let turns = 0, seen = -1; turns < 100; turns += 1) {
    if (socket.bytesRead !== seen) turns = 0;
    seen = socket.bytesRead;
    await turn();
  }
}

describe('the content type of a document', () => {
  const TYPES = 'Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data';

  it.each(['', 'text/plain', 'application/json-seq', 'application', 'application/json/x'])(
    'refuses %j',
    async (type) => {
      expect(await outcome(document(type, '{"content":"Zm9v"}'))).toEqual(refused(TYPES));
    },
  );

  it('refuses a request without one', async () => {
    expect(await outcome(documentOf(request(undefined, pieces('{}'))))).toEqual(refused(TYPES));
  });

  it.each(['application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"', 'application/json;'])(
    'accepts %s',
    async (type) => {
      expect(await outcome(document(type, '{"content":"Zm9v"}'))).toEqual({ content: 'foo', facts: {} });
    },
  );

  it.each([JSON_TYPE, FORM_TYPE])('refuses %s in another charset', async (type) => {
    expect(await outcome(document(`${type}; charset=utf-16`, 'x'))).toEqual(
      refused('The charset of Content-Type must be utf-8'),
    );
  });

  it('refuses a compressed body and accepts one that says it is not', async () => {
    const encoded = (encoding: string) =>
      outcome(documentOf(request(JSON_TYPE, pieces('{"content":"Zm9v"}'), { 'content-encoding': encoding })));
    expect(await encoded('gzip')).toEqual(refused('The body must not have a Content-Encoding'));
    expect(await encoded('Identity')).toEqual({ content: 'foo', facts: {} });
  });
});

describe('an incoming file', () => {
  it('reads nothing before its bytes are iterated, and throws nothing', async () => {
    let pulled = 0;
    const stream = (async function* () {
      for await (const piece of pieces('{"content":"Zm9v"}', 1)) {
        pulled++;
        yield piece;
      }
    })();
    const document = documentOf(request(JSON_TYPE, stream));
    documentOf(request('text/plain', stream));
    incomingPart('file', request('text/plain', stream));
    await turn();
    expect(pulled).toBe(0);
    expect(await outcome(document)).toMatchObject({ content: 'foo' });
  });

  it('fails the facts with what the bytes threw', async () => {
    const file = document(JSON_TYPE, '{"content":"Z"}');
    await expect(read(file)).rejects.toMatchObject({ code: 'INVALID_BASE64' });
    await expect(file.facts()).rejects.toMatchObject({ code: 'INVALID_BASE64' });
  });

  it('reads no further than a file is taken, and releases what it read from', async () => {
    const body = multipart(file('file', 'a', CONTENT));
    let pulled = 0;
    async function* counted() {
      for await (const piece of pieces(body, CHUNK)) {
        pulled += piece.length;
        yield piece;
      }
    }
    const sent = request(MULTIPART_TYPE, counted());
    const incoming = documentOf(sent);
    let received = 0;
    for await (const piece of incoming.bytes) {
      expect(pulled).toBeLessThanOrEqual(received + 6 * CHUNK);
      received += piece.length;
      if (received > 2 * MIB) break;
    }
    expect(sent.listenerCount('data')).toBe(0);
    expect(sent.destroyed).toBe(false);
    await expect(incoming.facts()).rejects.toThrow('not read to its end');
  });

  it.each(forms)('gives its place back, whatever becomes of it: %s', async (_, type, make) => {
    const body = make(CONTENT.subarray(0, MIB / 4));
    const slots = places();
    for (const sent of [body, body.slice(0, MIB / 8), body.toString().replace('AB', '*')]) {
      for (let count = 0; count < 3; count += 1) {
        await outcome(incomingDocument(request(type, pieces(sent)), 10 * MIB, slots));
      }
    }
    expect(await outcome(incomingDocument(request(type, pieces(body)), 10 * MIB, slots))).toHaveProperty('content');
  });
});

describe('over a socket', () => {
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function serve(answer: (request: IncomingMessage) => Promise<string>) {
    server = createServer((incoming, response) => {
      answer(incoming).then(
        (text) => response.end(text),
        (error: unknown) => response.end(String(error)),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }

  function post(port: number, type: string, body: string | Buffer) {
    const outgoing = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-type': type } });
    outgoing.on('error', () => undefined);
    outgoing.end(body);
    return outgoing;
  }

  async function answerTo(port: number, type: string, body: string | Buffer): Promise<string> {
    const [response] = (await once(post(port, type, body), 'response')) as [IncomingMessage];
    return (await response.setEncoding('utf8').toArray()).join('');
  }

  it.each(forms)('gives back ten megabytes: %s', async (_, type, body) => {
    const port = await serve(async (incoming) => {
      const file = documentOf(incoming);
      const same = (await read(file)).equals(CONTENT);
      return JSON.stringify({ same, facts: await file.facts() });
    });
    expect(JSON.parse(await answerTo(port, type, body(CONTENT)))).toEqual({ same: true, facts: { filename: 'a' } });
  });

  it('pauses the sender while the reader of a file pauses', async () => {
    const body = multipart(file('file', 'a', CONTENT));
    const port = await serve(async (incoming) => {
      const ahead: number[] = [];
      let received = 0;
      for await (const piece of documentOf(incoming).bytes) {
        received += piece.length;
        if (ahead.length === 3 || received < (ahead.length + 1) * 2 * MIB) continue;
        await quiet(incoming.socket);
        ahead.push(incoming.socket.bytesRead - received);
      }
      return JSON.stringify({ received, ahead: Math.max(...ahead) });
    });
    const { received, ahead } = JSON.parse(await answerTo(port, MULTIPART_TYPE, body)) as Record<string, number>;
    expect(received).toBe(CONTENT.length);
    expect(ahead).toBeLessThan(SLACK);
  });

  it('leaves the socket to the caller when it stops reading', async () => {
    const port = await serve(async (incoming) => {
      let received = 0;
      for await (const piece of documentOf(incoming).bytes) {
        received += piece.length;
        if (received > MIB) break;
      }
      await quiet(incoming.socket);
      const state = { destroyed: incoming.destroyed, read: incoming.socket.bytesRead < MIB + 2 * SLACK };
      incoming.resume();
      return JSON.stringify(state);
    });
    const body = multipart(file('file', 'a', CONTENT));
    expect(JSON.parse(await answerTo(port, MULTIPART_TYPE, body))).toEqual({ destroyed: false, read: true });
  });

  it.each(forms)('fails when the client goes away in the middle: %s', async (_, type, body) => {
    let report: (error: unknown) => void;
    const failed = new Promise((resolve) => (report = resolve));
    const { promise: begun, resolve: begin } = Promise.withResolvers<Socket>();
    const port = await serve(async (incoming) => {
      begin(incoming.socket);
      const file = documentOf(incoming);
      report(
        await read(file).then(
          () => 'no error',
          (error: unknown) => error,
        ),
      );
      return String(await file.facts().catch(() => ''));
    });
    const outgoing = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-type': type } });
    outgoing.on('error', () => undefined);
    outgoing.write(body(CONTENT.subarray(0, 2 * MIB)).slice(0, MIB));
    // A client that disconnects before its request is handled leaves no upload.
    await quiet(await begun);
    outgoing.destroy();
    expect(await failed).toMatchObject({ message: expect.stringMatching(/aborted|^$/) });
  });
});
