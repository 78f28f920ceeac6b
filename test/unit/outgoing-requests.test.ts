import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  isUnreached,
  OutgoingRequests,
  RefusedAddress,
  type ResolvedAddress,
} from '../../src/common/outgoing-requests.js';

let server: Server;
let base: string;
let calls: string[] = [];
/** A server at every address of the loopback network, with the connections to it. */
let everywhere: Server;
const connections: Socket[] = [];
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

beforeAll(async () => {
  everywhere = createServer((_request, response) => void response.writeHead(204).end());
  everywhere.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => everywhere.listen(0, '0.0.0.0', resolve));
  server = createServer((request, response) => {
    calls.push(request.url ?? '');
    if (request.url === '/hang') return;
    if (request.url === '/reset') return void request.socket.destroy();
    if (request.url === '/nonsense') return void request.socket.end('nonsense\r\n\r\n');
    if (request.url === '/upgrade') return void request.socket.write(UPGRADE);
    if (request.url === '/redirect') return void response.writeHead(302, { Location: '/target' }).end();
    if (request.url === '/huge') return void response.end(Buffer.alloc(1024 * 1024));
    if (request.url === '/packed')
      return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(16 * 1024 * 1024)));
    response.writeHead(500).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  for (const each of [server, everywhere]) {
    each.closeAllConnections();
    each.close();
  }
});

const get = (requests: OutgoingRequests, url: string) => requests.send({ method: 'GET', url });
const resolver = (...addresses: string[]) => {
  const answers: ResolvedAddress[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return () => Promise.resolve(answers);
};

/** Private addresses in the spellings of URLs. */
const LITERALS = [
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.2.1',
]
  .concat('224.0.0.1', '255.255.255.255', '0x7f.1', '2130706433', '198.18.0.1')
  .concat('[::1]', '[::]', '[fe80::1]', '[fd00::1]', '[ff02::1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]')
  .concat('0177.0.0.1', '017700000001', '127.0.0.1.', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '0')
  .concat('[::ffff:a9fe:a9fe]', '[64:ff9b:1::1]', '[3fff::1]', '[5f00::1]', '[100::1]', '192.88.99.1', '240.0.0.1')
  .concat('[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:0:1::1]', '[2001:db8::1]', '[fec0::1]');

describe('a request to an address that others have given', () => {
  test.each(LITERALS)('is refused for the literal %s', async (host) => {
    const requests = new OutgoingRequests();
    await expect(get(requests, `https://${host}/`)).rejects.toThrow(RefusedAddress);
    await expect(get(requests, `https://${host}:8443/path`)).rejects.toThrow(RefusedAddress);
    expect(requests.refusalOf(`https://${host}/`)).toBeDefined();
  });

  test.each(['[fe80::1%25eth0]', '[fe80::1%eth0]', '127.0.0.1%00', '127.0.0.1%2f', 'a b', '[::1', '', 'x\0.example'])(
    'is refused for %s, which is no host',
    async (host) => {
      await expect(get(new OutgoingRequests(), `https://${host}/`)).rejects.toThrow(RefusedAddress);
    },
  );

  test.each([
    ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '100.64.0.1', '::1', 'fe80::1', 'fe80::1%eth0', 'fd00::1'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::1', 'x', ''],
  ])('is refused for a name that leads to %s, also beside a public address', async (address) => {
    for (const addresses of [[address], ['93.184.215.14', address], [address, '2606:2800:21f:cb07::1']]) {
      const requests = new OutgoingRequests({ resolve: resolver(...addresses) });
      await expect(get(requests, 'https://receiver.example/')).rejects.toThrow(RefusedAddress);
      await expect(get(requests, 'https://receiver.example./')).rejects.toThrow(RefusedAddress);
    }
  });

  test('is refused for a name without an address', async () => {
    const requests = new OutgoingRequests({ resolve: resolver() });
    await expect(get(requests, 'https://receiver.example/')).rejects.toThrow(RefusedAddress);
  });

  test('connects to the address that was checked, whatever the resolver of the system would say', async () => {
    const asked: string[] = [];
    const resolve = (host: string) => {
      asked.push(host);
      return resolver('127.0.0.1')();
    };
    const requests = new OutgoingRequests({ loopback: true, resolve });
    expect((await get(requests, base.replace('127.0.0.1', 'no-such-host.invalid'))).status).toBe(500);
    expect(asked).toEqual(['no-such-host.invalid']);
  });

  test('is refused when any address of the host is not public', async () => {
    const requests = new OutgoingRequests({ resolve: resolver('93.184.215.14', '10.0.0.1') });
    await expect(get(requests, 'https://receiver.example/')).rejects.toThrow('not all public');
  });

  test('resolves the host each time, so that a second answer that is private is refused', async () => {
    const answers = [resolver('127.0.0.1'), resolver('10.0.0.1')];
    const resolve = () => (answers.shift() as ReturnType<typeof resolver>)();
    const requests = new OutgoingRequests({ loopback: true, resolve });
    const url = base.replace('127.0.0.1', 'receiver.example');
    expect((await get(requests, url)).status).toBe(500);
    await expect(get(requests, url)).rejects.toThrow(RefusedAddress);
  });

  test.each<[string, boolean, () => [OutgoingRequests, string]]>([
    [
      'the host is not found',
      true,
      () => [new OutgoingRequests({ resolve: () => Promise.reject(new Error()) }), 'https://a.example/'],
    ],
    ['nothing listens', true, () => [new OutgoingRequests({ loopback: true }), 'http://127.0.0.1:9/']],
    ['there is no TLS', true, () => [new OutgoingRequests({ loopback: true }), base.replace('http:', 'https:')]],
    ['the connection is reset', false, () => [new OutgoingRequests({ loopback: true }), `${base}/reset`]],
    ['no answer comes', false, () => [new OutgoingRequests({ loopback: true, milliseconds: 200 }), `${base}/hang`]],
    ['the address is refused', false, () => [new OutgoingRequests(), 'https://10.0.0.1/']],
  ])('that fails because %s says of its host that it is not reached: %s', async (_why, expected, made) => {
    const [requests, url] = made();
    const error: unknown = await get(requests, url).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(Error);
    expect(isUnreached(error)).toBe(expected);
  });

  test('uses an open connection again only for the addresses that it was made to, which are checked each time', async () => {
    const answers = ['127.0.0.1', '127.0.0.1', '127.0.0.2', '10.0.0.1'].map((address) => resolver(address));
    const resolve = () => (answers.shift() as ReturnType<typeof resolver>)();
    const requests = new OutgoingRequests({ loopback: true, reusesConnections: true, resolve });
    const url = `http://receiver.example:${(everywhere.address() as AddressInfo).port}/`;
    for (const count of [1, 1, 2]) {
      expect((await get(requests, url)).status).toBe(204);
      expect(connections).toHaveLength(count);
    }
    expect(connections.map(({ localAddress }) => localAddress)).toEqual(['127.0.0.1', '127.0.0.2']);
    await expect(get(requests, url)).rejects.toThrow(RefusedAddress);
  });

  test('leaves nothing behind at an open connection, however often that is used', async () => {
    const listeners: number[] = [];

    const requests = new OutgoingRequests({ loopback: true, reusesConnections: true });
    const url = `http://127.0.0.1:${(everywhere.address() as AddressInfo).port}/`;
    subscribe('http.client.response.finish', onFinish);
    function onFinish(message: unknown) {
      const { socket } = (message as { request: { socket: Socket } }).request;
      listeners.push(socket.listenerCount('connect'));
    }
    for (let sent = 0; sent < 3; sent += 1) await get(requests, url);
    unsubscribe('http.client.response.finish', onFinish);
    expect(new Set(listeners).size).toBe(1);
  });

  test('is sent over another connection when the receiver closes the open one at that moment', async () => {
    const requests = new OutgoingRequests({ loopback: true, reusesConnections: true });
    expect((await get(requests, `${base}/first`)).status).toBe(500);
    const before = calls.length;
    await expect(get(requests, `${base}/reset`)).rejects.toThrow();
    expect(calls.slice(before)).toEqual(['/reset', '/reset']);
  });

  test('is not sent again over another connection when the receiver has answered, be it nonsense', async () => {
    const requests = new OutgoingRequests({ loopback: true, reusesConnections: true });
    expect((await get(requests, `${base}/first`)).status).toBe(500);
    const before = calls.length;
    await expect(get(requests, `${base}/nonsense`)).rejects.toThrow();
    expect(calls.slice(before)).toEqual(['/nonsense']);
  });

  test.each(['http://93.184.215.14/', 'ftp://93.184.215.14/', 'https://user@93.184.215.14/', 'nonsense'])(
    'is refused for %s',
    async (url) => {
      await expect(get(new OutgoingRequests({ loopback: true }), url)).rejects.toThrow(RefusedAddress);
    },
  );

  test('uses no proxy of the environment, also where Node is to use it', async () => {
    const { port } = server.address() as AddressInfo;
    const program = `import { OutgoingRequests } from './src/common/outgoing-requests.ts';
      for (const reusesConnections of [false, true]) {
        const requests = new OutgoingRequests({ loopback: true, reusesConnections });
        console.log((await requests.send({ method: 'GET', url: 'http://127.0.0.1:${port}/direct' })).status);
      }`;
    // No server listens there.
    const proxy = 'http://127.0.0.1:9';
    const env = {
      ...process.env,
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      NO_PROXY: '',
      no_proxy: '',
    };
    const given = ['--import', '@swc-node/register/esm-register', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, given, { env });
    expect(stdout).toBe('500\n500\n');
  });

  test('does not unpack an answer: what is stored is as long as what was read', async () => {
    const { body } = await get(new OutgoingRequests({ loopback: true }), `${base}/packed`);
    expect(body.length).toBeLessThan(64 * 1024);
    expect(gunzipSync(body)).toHaveLength(16 * 1024 * 1024);
  });

  test('follows no redirect', async () => {
    calls = [];
    expect((await get(new OutgoingRequests({ loopback: true }), `${base}/redirect`)).status).toBe(302);
    expect(calls).toEqual(['/redirect']);
  });

  test.each([false, true])(
    'has an answer that changes to another protocol, connections reused: %s',
    async (isKeptAlive) => {
      const requests = new OutgoingRequests({ loopback: true, reusesConnections: isKeptAlive });
      expect(await get(requests, `${base}/upgrade`)).toMatchObject({ status: 101, body: Buffer.alloc(0) });
    },
  );

  test('reads no more of the answer than 64 KiB, or as much as it is set to', async () => {
    const { body } = await get(new OutgoingRequests({ loopback: true }), `${base}/huge`);
    expect(body).toHaveLength(64 * 1024);
    const further = await get(new OutgoingRequests({ loopback: true, maxBytes: 512 * 1024 }), `${base}/huge`);
    expect(further.body).toHaveLength(512 * 1024);
  });

  test('fails when the receiver resets the connection, hangs, or the resolver does', async () => {
    await expect(get(new OutgoingRequests({ loopback: true }), `${base}/reset`)).rejects.toThrow();
    await expect(get(new OutgoingRequests({ loopback: true, milliseconds: 100 }), `${base}/hang`)).rejects.toThrow();
    const silent = new OutgoingRequests({ milliseconds: 100, resolve: () => new Promise(() => undefined) });
    await expect(get(silent, 'https://receiver.example/')).rejects.toThrow();
  });

  test('calls a network that is allowed, by HTTPS only', async () => {
    const requests = new OutgoingRequests({ allowedNetworks: ['127.0.0.0/8'] });
    await expect(get(requests, base)).rejects.toThrow('must begin with https://');
    await expect(get(requests, base.replace('http', 'https'))).rejects.not.toThrow(RefusedAddress);
    const several = new OutgoingRequests({ allowedNetworks: ['10.0.0.0/8', 'fd12::/16'] });
    for (const host of ['10.1.2.3', '[fd12::1]']) expect(several.refusalOf(`https://${host}/`)).toBe(undefined);
    for (const host of ['192.168.1.1', '[fd13::1]']) expect(several.refusalOf(`https://${host}/`)).toBeDefined();
  });
});
