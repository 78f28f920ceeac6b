import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type * as Client from '../../packages/client/src/index.js';
import type * as Proof from '../../packages/client/src/verify-proof.mjs';
import type * as Verifier from '../../packages/client/src/verify-audit-trail.mjs';
import type { Front } from '../support/front.js';
import type { TestGateway } from '../support/gateway.js';
import type { InstalledPackages } from '../support/installed-packages.js';
import { until } from '../support/until.js';

const ROOT = resolve(import.meta.dirname, '../..');
const INCIDENTS = '/api/v1/v-ciso/incidents/{organizationid}';

/** Registers the tests of the client, with the demo data and the token of its owner. */
export function clientCases(
  client: typeof Client,
  {
    gateway,
    packages,
    front,
    token,
  }: { gateway: TestGateway; packages: InstalledPackages; front: Front; token: string },
): void {
  const {
    createGatewayClient,
    dataOf,
    followEvents,
    GatewayError,
    itemsOf,
    newWebhookSecret,
    signWebhook,
    verifyWebhook,
  } = client;
  const params = { path: { organizationid: 1 } };
  const incident = { title: 'Phishing wave', severity: 'LOW' as const, significant: false };
  const clientOf = (options: Partial<Client.ClientOptions> = {}) =>
    createGatewayClient({ url: front.url, token, ...options });
  const keys = () => front.requests.map(({ headers }) => headers['idempotency-key']);

  /** Sets the responses to the next requests, and forwards the others. */
  function answer(...answers: [status: number, headers: Record<string, string>][]): void {
    front.handle = (request, response) => {
      const [next] = answers.splice(0, 1);
      if (next === undefined) return 'FORWARD';
      request.resume();
      response.writeHead(...next).end('{"error":1,"messages":["Later"]}');
      return 'HANDLED';
    };
  }

  describe('a request', () => {
    test('is typed, and gives the data of a success and the messages of a failure', async () => {
      const client = clientOf();
      const { user } = await dataOf(client.GET('/api/v1/token'));
      expect(user.username).toBe('giulia.ferri');
      // @ts-expect-error There is no such path.
      await expect(dataOf(client.GET('/api/v1/organisations'))).rejects.toMatchObject({ status: 404 });
      const refused = dataOf(client.POST(INCIDENTS, { params, body: { ...incident, title: '' } }));
      await expect(refused).rejects.toThrow(GatewayError);
      await expect(refused).rejects.toMatchObject({ status: 400, messages: [expect.stringContaining('title')] });
      await expect(clientOf({ token: 'scp_wrong' }).send('/api/v1/token')).rejects.toMatchObject({ status: 401 });
    });

    test('waits as Retry-After says after 429 and 503, and sends the same key again', async () => {
      answer(
        [429, { 'retry-after': '0' }],
        [503, { 'retry-after': new Date().toUTCString() }],
        [409, { 'retry-after': '0', 'conflict-reason': 'IDEMPOTENCY_KEY_IN_USE' }],
      );
      const waits: number[] = [];
      const client = clientOf({ retry: { onRetry: ({ seconds }) => waits.push(seconds) } });
      await dataOf(client.POST(INCIDENTS, { params, body: incident }));
      expect([waits, new Set(keys()).size, front.requests.length]).toEqual([[0, 0, 0], 1, 4]);
    });

    test('ends after the attempts, and with the first answer whose Retry-After is too long', async () => {
      const later: [number, Record<string, string>] = [503, { 'retry-after': '0' }];
      answer(...Array.from({ length: 9 }, () => later));
      await expect(dataOf(clientOf().GET('/api/v1/token'))).rejects.toMatchObject({ status: 503, isTemporary: true });
      expect(front.requests.length).toBe(5);
      answer([429, { 'retry-after': '61' }]);
      await expect(dataOf(clientOf().GET('/api/v1/token'))).rejects.toMatchObject({ status: 429 });
      expect(front.requests.length).toBe(6);
    });

    test('waits until the day that Retry-After names, and longer each time without one', async () => {
      answer([503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }]);
      await expect(dataOf(clientOf().GET('/api/v1/token'))).rejects.toMatchObject({ status: 503 });
      expect(front.requests.length).toBe(1);
      answer(...Array.from({ length: 3 }, (): [number, Record<string, string>] => [503, {}]));
      const waits: number[] = [];
      const client = clientOf({ retry: { attempts: 3, onRetry: ({ seconds }) => waits.push(seconds) } });
      await expect(dataOf(client.GET('/api/v1/token'))).rejects.toMatchObject({ status: 503 });
      const isWithin = (seconds: number, most: number) => seconds >= most / 2 && seconds <= most;
      expect([waits.length, isWithin(waits[0]!, 0.5), isWithin(waits[1]!, 1)]).toEqual([2, true, true]);
    });

    test('is repeated after 502 and 504 where it reads or has a key, and else never', async () => {
      const client = clientOf();
      const anonymous = createGatewayClient({ url: front.url });
      for (const status of [502, 504]) {
        answer([status, { 'retry-after': '0' }]);
        expect((await client.GET('/api/v1/token')).response.status).toBe(200);
        answer([status, { 'retry-after': '0' }]);
        expect((await client.POST(INCIDENTS, { params, body: incident })).response.status).toBe(201);
        front.requests.length = 0;
        answer([status, { 'retry-after': '0' }]);
        const sent = dataOf(anonymous.POST('/api/v1/recovery', { body: { email: 'a@b.example' } }));
        await expect(sent).rejects.toMatchObject({ status, isTemporary: true });
        expect(front.requests.length).toBe(1);
      }
    });

    test('ends by its own signal and by that of the client', async () => {
      front.handle = () => 'HANDLED';
      for (const which of ['client', 'request']) {
        front.requests.length = 0;
        const [ofClient, ofRequest] = [new AbortController(), new AbortController()];
        const retries: Client.Retry[] = [];
        const retry = { attempts: 2, timeoutSeconds: 20, onRetry: (again: Client.Retry) => retries.push(again) };
        const client = clientOf({ signal: ofClient.signal, retry });
        const ended = expect(client.GET('/api/v1/token', { signal: ofRequest.signal })).rejects.toThrow(which);
        await until(() => front.requests.length === 1);
        (which === 'client' ? ofClient : ofRequest).abort(new Error(which));
        await ended;
        expect(retries).toEqual([]);
      }
    });

    test('is sent as the token of the client, whatever its own headers say', async () => {
      const response = await clientOf().send('/api/v1/token', { headers: { 'X-Service-Token': 'scp_other' } });
      expect([response.status, front.requests.map(({ headers }) => headers['x-service-token'])]).toEqual([
        200,
        [token],
      ]);
      await expect(clientOf().send('api/v1/token')).rejects.toThrow('A path begins with a slash');
    });

    test('is sent once with limits that are no numbers, and waits for ever where it may', async () => {
      for (const retry of [{ attempts: NaN }, { longestWaitSeconds: NaN }]) {
        front.requests.length = 0;
        answer(...Array.from({ length: 9 }, (): [number, Record<string, string>] => [503, { 'retry-after': '0' }]));
        await expect(dataOf(clientOf({ retry }).GET('/api/v1/token'))).rejects.toMatchObject({ status: 503 });
        expect([retry, front.requests.length]).toEqual([retry, 1]);
      }
      front.reset();
      await dataOf(clientOf({ retry: { attempts: 1, timeoutSeconds: Infinity } }).GET('/api/v1/token'));
      // Longer than the maximum of a timer.
      answer([503, { 'retry-after': '3000000' }]);
      const given = new AbortController();
      const onRetry = () => void setTimeout(() => given.abort(new Error('given up')), 100);
      const waiting = clientOf({ retry: { longestWaitSeconds: Infinity, onRetry } });
      await expect(waiting.GET('/api/v1/token', { signal: given.signal })).rejects.toThrow('given up');
    });

    test.each([
      ['breaks off', (response: ServerResponse) => void response.destroy()],
      ['comes to a halt', () => undefined],
    ])('is made once when its answer %s', async (_what, end) => {
      const before = await countOf();
      let broken = 0;
      front.handle = (request, response) => {
        if (request.method !== 'POST' || (broken += 1) > 1) return 'FORWARD';
        const write = response.write.bind(response) as (piece: Buffer, done: () => void) => boolean;
        response.write = (piece: Buffer) => write(piece.subarray(0, 10), () => end(response));
        response.end = () => response;
        return 'FORWARD';
      };
      const made = await dataOf(clientOf({ retry: { timeoutSeconds: 1 } }).POST(INCIDENTS, { params, body: incident }));
      // A busy machine may be as late once more.
      expect([made.title, broken > 1, new Set(keys()).size]).toEqual([incident.title, true, 1]);
      expect(await countOf()).toBe(before + 1);
    });

    test('has the answer as it came, also one of a status that no program could make', async () => {
      answer([999, {}]);
      const { response } = await clientOf().POST(INCIDENTS, { params, body: incident });
      expect([response.status, response.url]).toEqual([999, front.url + front.requests[0]!.url]);
      expect(front.requests.length).toBe(1);
    });

    test('is made once when its answer is lost, with the key of the caller or a new one', async () => {
      for (const headers of [{}, { 'Idempotency-Key': 'of-the-caller' }]) {
        front.requests.length = 0;
        const before = await countOf();
        let lost = 0;
        front.handle = (request, response) => {
          if (request.method !== 'POST' || (lost += 1) > 1) return 'FORWARD';
          // The gateway receives the request, and its response is dropped.
          response.writeHead = () => response.destroy() as never;
          return 'FORWARD';
        };
        const { response } = await clientOf().POST(INCIDENTS, { params, body: incident, headers });
        expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
        expect(await countOf()).toBe(before + 1);
        if ('Idempotency-Key' in headers) expect(new Set(keys())).toEqual(new Set(['of-the-caller']));
      }
    });

    test('that changes or deletes is answered as well when its answer was lost', async () => {
      const made = await dataOf(clientOf().POST('/api/v1/organizations', { body: { name: 'To be deleted' } }));
      let lost = 0;
      front.handle = (request, response) => {
        if (request.method !== 'DELETE' || (lost += 1) > 1) return 'FORWARD';
        response.writeHead = () => response.destroy() as never;
        return 'FORWARD';
      };
      const { response } = await clientOf().DELETE('/api/v1/organizations/{id}', { params: { path: { id: made.id } } });
      expect([lost, response.status, response.headers.get('idempotency-replayed')]).toEqual([2, 200, 'true']);
    });

    test('is not repeated without an answer where that could do harm', async () => {
      front.handle = (_request, response) => {
        response.destroy();
        return 'HANDLED';
      };
      await expect(
        createGatewayClient({ url: front.url }).POST('/api/v1/recovery', { body: { email: 'a@b.example' } }),
      ).rejects.toThrow(TypeError);
      expect(keys()).toEqual([undefined]);
    });

    test('gives up a gateway that does not respond, and when it is aborted', async () => {
      front.handle = () => 'HANDLED';
      const hanging = clientOf({ retry: { timeoutSeconds: 0.2, attempts: 1 } });
      await expect(hanging.GET('/api/v1/token')).rejects.toThrow('There was no answer within 0.2 s');
      const abort = new AbortController();
      const given = clientOf({ signal: abort.signal }).GET('/api/v1/token');
      await until(() => front.requests.length === 2);
      abort.abort(new Error('Enough'));
      await expect(given).rejects.toThrow('Enough');
    });

    test('is made where requests have no property `body`, as in Firefox', async () => {
      const body = Object.getOwnPropertyDescriptor(Request.prototype, 'body')!;
      Object.defineProperty(Request.prototype, 'body', { configurable: true, value: undefined });
      try {
        const { user } = await dataOf(clientOf().GET('/api/v1/token'));
        expect(user.username).toBe('giulia.ferri');
        const { title } = await dataOf(clientOf().POST(INCIDENTS, { params, body: incident }));
        expect(title).toBe(incident.title);
        const last = await clientOf().send('/api/v1/organizations', { method: 'HEAD' });
        expect(last.status).toBe(200);
      } finally {
        Object.defineProperty(Request.prototype, 'body', body);
      }
    });

    test('takes its token to no other address', async () => {
      const received: string[] = [];
      const other = createServer((request, response) => response.end(received.push(request.url!)));
      other.listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      answer([302, { location: `http://127.0.0.1:${port}/` }]);
      await expect(dataOf(clientOf().GET('/api/v1/token'))).rejects.toMatchObject({ status: 302 });
      expect(received).toEqual([]);
      other.close();
    });

    test.each([
      'gateway.example',
      'ftp://gateway.example',
      'https://a:b@gateway.example',
      'https://gateway.example/?a=b',
      'https://gateway.example/#a',
    ])('has no address like %s', (url) => expect(() => createGatewayClient({ url })).toThrow(TypeError));

    test('is made to no other path than the one that is named, whatever a parameter is', async () => {
      const path = '/api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens/{id}';
      for (const serviceaccountid of ['..', '.']) {
        const named = { organizationid: 1, serviceaccountid, id: 2147483000 };
        const outcome = await clientOf()
          .DELETE(path, { params: { path: named } })
          .catch((error: Error) => error);
        // It would be that of another token, of a member.
        expect(front.requests.map(({ url }) => url)).toEqual([]);
        expect(outcome).toBeInstanceOf(TypeError);
      }
    });

    test('is made with no token of several lines, and does not say it', () => {
      const wrong = () => createGatewayClient({ url: front.url, token: 'scp_one\nscp_two' });
      expect(wrong).toThrow(/^The token is not one line of letters and digits$/);
      expect(() => createGatewayClient({ url: front.url, token: `${token}\n` })).not.toThrow();
    });

    test('is made with no option that there is not', () => {
      for (const wrong of [{ tokn: token }, { retry: { attempt: 1 } }])
        expect(() => createGatewayClient({ url: front.url, ...wrong } as never)).toThrow('There is no option ');
    });
  });

  async function freePort(): Promise<string> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    return String(port);
  }

  async function countOf(): Promise<number> {
    const { body } = await gateway.rest.get('/api/v1/v-ciso/incidents/1?limit=1', { token });
    return body.total!;
  }

  describe('lists and events', () => {
    test('are read page by page, each item once', async () => {
      const { body } = await gateway.rest.get('/api/v1/organizations/1/users?limit=100', { token });
      const names: string[] = [];
      const path = '/api/v1/organizations/{organizationid}/users';
      for await (const { username } of itemsOf(clientOf(), path, { ...params, query: { limit: 2, role: 'VIEWER' } }))
        names.push(username);
      const viewers = (body.data as { username: string; role: string }[]).filter(({ role }) => role === 'VIEWER');
      expect(names).toEqual(viewers.map(({ username }) => username));
      expect(front.requests.length).toBe(Math.floor(viewers.length / 2) + 1);
    });

    test('take their filter where it counts, and nothing beside it', async () => {
      const path = '/api/v1/organizations/{organizationid}/users';
      const [named, query] = [params.path, { role: 'VIEWER' as const }];
      for (const [name, wrong, options] of [
        ['params', { params: { path: named, query } }, {}],
        ['querry', { path: named, querry: query }, {}],
        ['Signal', { path: named, query }, { Signal: AbortSignal.abort() }],
      ] as const)
        await expect(itemsOf(clientOf(), path, wrong as never, options as never).next()).rejects.toThrow(
          `There is no option ${name}`,
        );
    });

    test('come each once, also when the gateway was away, and go on from the cursor', async () => {
      const client = clientOf({ retry: { attempts: 1 } });
      const [seen, interruptions]: [string[], Error[]] = [[], []];
      let [cursor, isAway] = ['', false];
      const abort = new AbortController();
      front.handle = (_request, response) => {
        if (!isAway) return 'FORWARD';
        response.destroy();
        return 'HANDLED';
      };
      const following = (async () => {
        const options = { after: 'latest', types: ['incident.opened'] as const, signal: abort.signal };
        const onInterruption = (error: Error) => {
          interruptions.push(error);
          isAway = false;
        };
        for await (const page of followEvents(client, { ...options, onInterruption })) {
          seen.push(...page.events.map(({ id }) => id));
          cursor = page.cursor;
        }
      })();
      await until(() => cursor !== '');
      const open = () =>
        dataOf(createGatewayClient({ url: gateway.url, token }).POST(INCIDENTS, { params, body: incident }));
      await open();
      await until(() => seen.length === 1);
      isAway = true;
      await open();
      await until(() => seen.length === 2);
      await open();
      await until(() => seen.length === 3);
      abort.abort(new Error('Enough'));
      await expect(following).rejects.toThrow('Enough');
      expect([interruptions.length, new Set(seen).size]).toEqual([1, 3]);
      await open();
      const rest: string[] = [];
      await until(async () => {
        for await (const page of followEvents(client, { after: cursor, until: 'NEWEST' }))
          rest.push(...page.events.map(({ type }) => type));
        return rest.length > 0;
      });
      expect(rest).toEqual(['incident.opened']);
    });

    test('to the newest go on behind a page that is empty though more follows', async () => {
      const { value: start } = await followEvents(clientOf(), { after: 'latest', until: 'NEWEST' }).next();
      let isFirst = true;
      front.handle = (request, response) => {
        if (!isFirst) return 'FORWARD';
        isFirst = false;
        const headers = { 'content-type': 'application/json', 'has-next-page': 'true' };
        response.writeHead(200, { ...headers, link: `<${request.url}>; rel="next"` });
        response.end('{"error":0,"messages":[],"data":[]}');
        return 'HANDLED';
      };
      const before = front.requests.length;
      const found: number[] = [];
      const options = { after: (start as Client.EventPage).cursor, until: 'NEWEST' as const };
      for await (const { events } of followEvents(clientOf(), options)) found.push(events.length);
      expect([found.length, front.requests.length - before]).toEqual([2, 2]);
    });

    test('go on when the gateway was silent for longer than an answer may take', async () => {
      const client = clientOf({ retry: { attempts: 1, timeoutSeconds: 0.2 } });
      const [interruptions, abort]: [string[], AbortController] = [[], new AbortController()];
      front.handle = () => (interruptions.length === 0 ? 'HANDLED' : 'FORWARD');
      const onInterruption = (error: Error) => interruptions.push(error.message);
      const pages = followEvents(client, { after: 'latest', signal: abort.signal, onInterruption });
      expect((await pages.next()).value).toMatchObject({ cursor: expect.any(String) });
      // A busy machine may be as late once more.
      expect([...new Set(interruptions)]).toEqual(['There was no answer within 0.2 s']);
      abort.abort(new Error('Enough'));
    });

    test('are requested again after longer and longer pauses, and to the newest not at all', async () => {
      const client = clientOf({ retry: { attempts: 1 } });
      front.handle = (_request, response) => {
        response.writeHead(503).end();
        return 'HANDLED';
      };
      const [pauses, abort]: [number[], AbortController] = [[], new AbortController()];
      const onInterruption = (_error: Error, seconds: number) => {
        if (pauses.push(seconds) === 2) abort.abort(new Error('Enough'));
      };
      const following = followEvents(client, { after: 'latest', signal: abort.signal, onInterruption });
      await expect(following.next()).rejects.toThrow('Enough');
      expect(pauses).toEqual([1, 2]);
      const interrupted = () => {
        throw new Error('Interrupted');
      };
      const newest = followEvents(client, { until: 'NEWEST', onInterruption: interrupted });
      await expect(newest.next()).rejects.toMatchObject({ status: 503 });
    });

    test('are followed by no filter without a value or of another name, and to no other end', async () => {
      const without = [{ organizationId: undefined }, { types: null }, { types: [] }];
      for (const wrong of [...without, { organization_id: 1 }, { until: 'newest' }])
        await expect(followEvents(clientOf(), wrong as never).next()).rejects.toThrow(TypeError);
    });

    test('end with 410 where the cursor is not of this database, or too old', async () => {
      const client = clientOf();
      const { value } = await followEvents(client, { until: 'NEWEST' }).next();
      await gateway.app.database.rows(`update event set created_at = created_at - interval '1 hour'`);
      const gone = followEvents(client, { after: (value as Client.EventPage).cursor }).next();
      await expect(gone).rejects.toMatchObject({ name: 'GatewayError', status: 410 });
    });
  });

  describe('a webhook', () => {
    const secret = newWebhookSecret();
    const body = JSON.stringify({ id: '1/42', type: 'incident.opened' });
    const signed = (at = new Date(), by = secret) => signWebhook(by, { id: '1/42', body, at });

    test('is signed as Standard Webhooks verifies it, and verified as it signs', async () => {
      expect(new Webhook(secret).verify(body, await signed())).toEqual(JSON.parse(body));
      const at = new Date();
      const theirs = {
        'Webhook-Id': '1/42',
        'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
        'Webhook-Signature': new Webhook(secret).sign('1/42', at, body),
      };
      for (const headers of [theirs, new Headers(theirs)])
        expect(await verifyWebhook(secret, headers, Buffer.from(body))).toEqual(JSON.parse(body));
    });

    test('is accepted with either of two secrets, by either of two signatures', async () => {
      const [mine, other] = [await signed(), await signed(new Date(), newWebhookSecret())];
      const both = { ...mine, 'webhook-signature': `${other['webhook-signature']} v2,x ${mine['webhook-signature']}` };
      expect(await verifyWebhook([newWebhookSecret(), secret], both, body)).toMatchObject({ id: '1/42' });
    });

    test('is refused with another body, id, time or secret, and without a header', async () => {
      const right = await signed();
      const wrong: [headers: Record<string, string | undefined>, text: string, by: string][] = [
        [right, `${body} `, secret],
        [{ ...right, 'webhook-id': '1/43' }, body, secret],
        [{ ...right, 'webhook-timestamp': String(Number(right['webhook-timestamp']) + 1) }, body, secret],
        [right, body, newWebhookSecret()],
        [{ ...right, 'webhook-signature': right['webhook-signature'].replace('v1', 'v2') }, body, secret],
        [{ ...right, 'webhook-signature': 'v1,not base64' }, body, secret],
        [{ ...right, 'webhook-timestamp': 'now' }, body, secret],
        [{ ...right, 'webhook-id': undefined }, body, secret],
        [await signWebhook(secret, { id: '', body }), body, secret],
        [await signed(new Date(Date.now() - 301_000)), body, secret],
        [await signed(new Date(Date.now() + 302_000)), body, secret],
      ];
      for (const [headers, text, by] of wrong)
        await expect(verifyWebhook(by, headers, text)).rejects.toMatchObject({ name: 'WebhookError' });
      await expect(verifyWebhook(secret, right, body, { tolerance: 1 } as never)).rejects.toThrow(TypeError);
      const short = `whsec_${Buffer.alloc(23).toString('base64')}`;
      await expect(verifyWebhook(short, right, body)).rejects.toThrow('A secret is whsec_');
      // An unset variable, and a body that a framework has parsed.
      for (const unset of [undefined as never, [], ['']])
        await expect(verifyWebhook(unset, right, body)).rejects.toThrow('A secret is whsec_');
      await expect(verifyWebhook(secret, right, JSON.parse(body))).rejects.toThrow('The body is the bytes');
      // From an unset variable.
      const toleranceSeconds = Number(undefined);
      const old = await signed(new Date(Date.now() - 86_400_000));
      await expect(verifyWebhook(secret, old, body, { toleranceSeconds })).rejects.toMatchObject({
        name: 'WebhookError',
      });
    });
  });

  describe('the guide', () => {
    const guide = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
    const [requests, upload, pages, events, receiver, trail] = [...guide.matchAll(/^```js\n([^]+?)^```/gm)].map(
      ([, code]) => code!,
    );
    const env = { GATEWAY: gateway.url, TOKEN: token };
    const outputOf = async (code: string) => {
      const { code: status, out, err } = await (await packages.program(code, env)).ended;
      expect([status, err]).toEqual([0, '']);
      return out;
    };

    test('has programs that run as they are printed', async () => {
      expect(await outputOf(requests!)).toBe('Phishing wave true\n404 [ 1004 ]\n');
      expect(await outputOf(upload!)).toBe('bulletins.txt\n');
      expect((await outputOf(pages!)).split('\n')).toContain('giulia.ferri');
      expect(await outputOf(trail!)).toMatch(/^organization\/1 is as it was written, up to entry \d+\n$/);
    });

    test('has a program that follows events, and a receiver', async () => {
      const following = await packages.program(events!, env);
      await until(() => readFile(join(packages.folder, 'cursor.txt'), 'utf8'));
      await dataOf(clientOf().POST(INCIDENTS, { params, body: incident }));
      await until(() => / incident\.opened\n/.test(following.written.out));
      following.child.kill();
      await following.ended;

      const secret = newWebhookSecret();
      const port = await freePort();
      const receiving = await packages.program(receiver!, { PORT: port, WEBHOOK_SECRET: secret });
      const body = '{"id":"1/42","type":"incident.opened"}';
      const post = async (by: string) => {
        const headers = await signWebhook(by, { id: '1/42', body });
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      };
      await until(() => post(secret).then((status) => status === 204));
      expect([await post(secret), await post(newWebhookSecret())]).toEqual([204, 401]);
      expect(receiving.written.out).toBe('1/42 incident.opened\n');
      receiving.child.kill();
      await receiving.ended;
    });
  });

  describe('the verification of audit trails', () => {
    test('is the script that auditors run, byte by byte', async () => {
      const script = readFileSync(join(ROOT, 'scripts/verify-audit-trail.mjs'));
      const shipped = readFileSync(
        join(packages.folder, 'node_modules/@compliance-gateway/client/dist/verify-audit-trail.mjs'),
      );
      expect(shipped.equals(script)).toBe(true);
    });

    test('names the first violation of an export, and reports invalid keys', async () => {
      const { verifyAuditTrail } = await packages.load<typeof Verifier>('verify-audit-trail.mjs');
      const { text } = await gateway.rest.get('/api/v1/organizations/1/audit-trail.ndjson', { token });
      const { keys } = (await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).json()) as Parameters<
        typeof verifyAuditTrail
      >[1];
      const file = join(packages.folder, 'trail.ndjson');
      await packages.write('trail.ndjson', text);
      for (const source of [file, new Response(text).body!])
        expect(await verifyAuditTrail(source, { keys })).toMatchObject({ log: 'organization/1', removed: 0 });
      await packages.write('trail.ndjson', text.replace('"position":2,', '"position":3,'));
      await expect(verifyAuditTrail(file, { keys })).rejects.toMatchObject({
        name: 'AuditTrailFault',
        message: 'entry 2 is missing',
      });
      await expect(verifyAuditTrail(file, { keys: {} as never })).rejects.toMatchObject({
        name: 'OtherFile',
        message: 'the key file has no keys',
      });
    });

    test.each([
      ['verifyProof', 'keys', undefined],
      ['verifyProof', 'keys', null],
      ['verifyProof', 'checkpoints', undefined],
      ['verifyProof', 'key', []],
      ['verifyAuditTrail', 'keys', undefined],
      ['verifyAuditTrail', 'checkpoints', undefined],
      ['verifyAuditTrail', 'part', undefined],
      ['verifyEvidencePack', 'keys', null],
      ['verifyEvidencePack', 'checkpoints', []],
    ] as const)('%s takes no option %s that is %j: nothing would be compared with it', async (name, option, value) => {
      const { verifyAuditTrail, verifyEvidencePack } = await packages.load<typeof Verifier>('verify-audit-trail.mjs');
      const { verifyProof } = await packages.load<typeof Proof>('verify-proof.mjs');
      const given = { ...(name !== 'verifyProof' && { keys: [] }), [option]: value } as never;
      const verified = { verifyProof, verifyAuditTrail, verifyEvidencePack }[name]('no file', given);
      await expect(verified).rejects.toThrow(new RegExp(`^(?:The option ${option} is|There is no option ${option}$)`));
    });
  });
}
