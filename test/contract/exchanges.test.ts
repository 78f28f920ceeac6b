import { describe, expect, test } from '@jest/globals';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contractErrors, type RequestContext } from '../support/contract.js';
import { watchContract } from '../support/contract/watch.js';
import { multipart, rawRequest } from '../support/rest.js';

const ID = { 'x-request-id': '0f8fad5b-d9cb-469f-a165-70867728950e' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const text = (body: object) => Buffer.from(JSON.stringify(body));
const NOTHING = Buffer.alloc(0);

/** An empty list, which is valid. */
const RIGHT: RequestContext = {
  method: 'GET',
  target: '/api/v1/organizations',
  sent: {},
  body: NOTHING,
  status: 200,
  headers: { ...ID, ...JSON_TYPE },
  answer: text({ error: 0, messages: [], data: [], total: 0 }),
};

const changed = (change: Partial<RequestContext>) => contractErrors({ ...RIGHT, ...change });

/** A caller is refused as documented. */
const refused = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: { ...RIGHT.headers, ...headers },
  answer: text({ error: 1, messages: [] }),
});

const LOGO = '/api/v1/organizations/1/logo';
const UPLOAD = '/api/v1/v-ciso/organizations/1/workflows/w/documents/d/versions';
const FILE = '/api/v1/downloads/documents/1?expires=1&signature=s';
const FILE_HEADERS = { ...ID, etag: '"a"', 'accept-ranges': 'bytes', 'content-disposition': 'attachment' };

describe('an exchange that the interface description has', () => {
  test.each<[string, Partial<RequestContext>]>([
    ['is that of a list', {}],
    ['may have the token in its address', { target: '/api/v1/organizations?X-Service-Token=t&limit=100' }],
    ['may be HEAD', { method: 'HEAD', answer: NOTHING }],
    ['may be refused', refused(400)],
    ['may name what is not there', { target: '/api/v1/nothing', ...refused(404) }],
    ['may use a method that is not there', { method: 'PUT', ...refused(405, { allow: 'GET, HEAD, POST, OPTIONS' }) }],
    [
      'may ask for the methods',
      { method: 'OPTIONS', status: 204, headers: { ...ID, allow: 'GET, HEAD, POST, OPTIONS' }, answer: NOTHING },
    ],
    [
      'may have any key where no token is needed',
      {
        method: 'POST',
        target: '/api/v1/recovery',
        sent: { ...JSON_TYPE, 'idempotency-key': '"' },
        body: text({ email: 'a@example.com' }),
        answer: text({ error: 0, messages: [], data: { accepted: true, link_minutes: 30 } }),
      },
    ],
    ['may be a file', { target: FILE, headers: { ...FILE_HEADERS, 'content-type': 'application/pdf' } }],
    ['may be none of REST', { target: '/graphql', status: 418 }],
  ])('%s', (_what, change) => expect(changed(change)).toEqual([]));
});

describe('an answer is a breach', () => {
  test.each<[string, Partial<RequestContext>, string]>([
    ['with a status that is not listed', { status: 202 }, 'status 202 is not listed for /api/v1/organizations'],
    [
      'with a media type that is not described',
      { headers: { ...ID, 'content-type': 'text/html' } },
      'an answer of text/html is not described',
    ],
    ['with none', { headers: ID }, 'an answer of no media type is not described'],
    [
      'that is a file of a kind that is not stored',
      { target: FILE, headers: { ...FILE_HEADERS, 'content-type': 'text/html' } },
      'an answer of text/html is not described',
    ],
    [
      'with a header that is not described',
      { headers: { ...RIGHT.headers, 'x-powered-by': 'us' } },
      'the header x-powered-by is not described',
    ],
    ['without its request id', { headers: JSON_TYPE }, 'the header X-Request-Id is missing'],
    ['that says when to come again, and does not', refused(503), 'the header Retry-After is missing'],
    ['whose header does not fit', refused(503, { 'retry-after': 'soon' }), 'Retry-After:  must be integer'],
    [
      'with a tag that is none',
      { target: '/api/v1/options', status: 304, headers: { ...ID, etag: 'bare' }, answer: NOTHING },
      'ETag:  must match pattern "^"[^"]+"$"',
    ],
    [
      'whose body does not fit',
      { answer: text({ error: 0, messages: [], data: [] }) },
      "200:  must have required property 'total'",
    ],
    ['whose body is no JSON', { answer: Buffer.from('<html>') }, '200:  must be object'],
    [
      'on a path that is not there',
      { target: '/api/v1/nothing' },
      'it is not in the document, and yet the status is 200',
    ],
    ['to a method that is not there', { method: 'PUT' }, 'it is not in the document, and yet the status is 200'],
    [
      'that lists other methods',
      { method: 'PUT', ...refused(405, { allow: 'GET' }) },
      'Allow is GET, and the document says GET, HEAD, POST, OPTIONS',
    ],
    [
      'to OPTIONS that lists none',
      { method: 'OPTIONS', status: 204, headers: ID, answer: NOTHING },
      'Allow is undefined, and the document says GET, HEAD, POST, OPTIONS',
    ],
  ])('%s', (_what, change, error) => expect(changed(change)).toContain(error));
});

describe('a request that was accepted is a breach', () => {
  const json = (body: object) => ({ sent: { 'content-type': 'application/json' }, body: text(body) });
  const form = (...parts: Parameters<typeof multipart>[0]) => {
    const { headers: sent, body } = multipart(parts);
    return { sent, body };
  };
  const POST = { method: 'POST', status: 201 };
  test.each<[string, Partial<RequestContext>, string]>([
    [
      'with a parameter that is not known',
      { target: '/api/v1/organizations?limt=1' },
      'the query parameter limt is not described',
    ],
    ['with one that does not fit', { target: '/api/v1/organizations?limit=101' }, 'limit:  must be <= 100'],
    ['with one given twice', { target: '/api/v1/organizations?limit=1&limit=2' }, 'limit is given twice'],
    ['without one that is required', { target: '/api/v1/search' }, 'q is required'],
    ['with a path that does not fit', { target: '/api/v1/organizations/0' }, 'id:  must be >= 1'],
    [
      'with a key that does not fit where a token is needed',
      { ...POST, sent: { ...JSON_TYPE, 'idempotency-key': 'x'.repeat(513) }, body: text({ name: 'x' }) },
      'Idempotency-Key:  must NOT have more than 512 characters',
    ],
    ['with JSON that does not fit', { ...POST, ...json({}) }, " must have required property 'name'"],
    [
      'with a merge patch that does not fit',
      {
        method: 'PATCH',
        target: '/api/v1/notifications/1',
        sent: { 'content-type': 'application/merge-patch+json' },
        body: text({ read: 'yes' }),
      },
      '/read must be boolean',
    ],
    [
      'with a body that is not described',
      { method: 'POST', target: '/api/v1/organizations/1/restore', body: text({}) },
      'a body is not described',
    ],
    ['with no body', POST, 'the body is required'],
    [
      'with a media type that is not described',
      { ...POST, sent: { 'content-type': 'text/plain' }, body: Buffer.from('x') },
      'a body of text/plain is not described',
    ],
    [
      'with a form that does not fit',
      { method: 'PUT', target: LOGO, ...form({ name: 'image', filename: 'a.png', content: 'x' }) },
      " must have required property 'logo'",
    ],
    [
      'with a document in a form that does not fit',
      { ...POST, ...form({ name: 'data', content: '{"number_employees":1}' }) },
      "/data must have required property 'name'",
    ],
    [
      'with a part of a media type that is not described',
      { ...POST, ...form({ name: 'logo', filename: 'a', type: 'text/html', content: 'x' }) },
      'the part logo may not be text/html',
    ],
    [
      'with fields in an address that do not fit',
      {
        ...POST,
        target: UPLOAD,
        sent: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from('filename=a&content=eA%3D%3D&origin=attached'),
      },
      ' must NOT have additional properties',
    ],
  ])('%s', (_what, change, error) => expect(changed(change)).toContain(error));
});

describe('who watches a server', () => {
  async function breachesOf(listener: RequestListener, body = '{"name":"A"}'): Promise<string[]> {
    const watch = watchContract(listener);
    const server = createServer(watch.listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const headers = { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await rawRequest(url, 'POST', '/api/v1/organizations', { headers, body });
    await new Promise((done) => server.close(done));
    return watch.breaches;
  }

  test('sees what was answered, and leaves the request to who reads it', async () => {
    let received = '';
    const breaches = await breachesOf(async (request, response) => {
      for await (const piece of request) received += String(piece);
      response.setHeader('X-Request-Id', 'a-request');
      response.writeHead(400, { ...JSON_TYPE, 'X-Odd': '1' }).write('{"error":1,');
      response.end('"messages":[1]}');
    });
    expect(received).toBe('{"name":"A"}');
    expect(breaches).toEqual(['POST /api/v1/organizations (400): the header x-odd is not described']);
  });

  test('sees what was sent', async () => {
    const breaches = await breachesOf((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('X-Request-Id', 'a-request');
        response.writeHead(201, { ...JSON_TYPE, Location: '/api/v1/organizations/1' }).end('{}');
      });
    }, '{"name":"A","nam":1}');
    expect(breaches).toHaveLength(1);
    expect(breaches[0]).toContain('must NOT have additional properties');
  });
});
