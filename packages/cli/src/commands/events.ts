import {
  followEvents,
  newWebhookSecret,
  signWebhook,
  type FollowOptions,
  type GatewayEvent,
} from '@compliance-gateway/client';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { CommandError, UsageError } from '../errors.js';
import { numberIn, type Given, type Option } from '../given.js';
import { ORGANIZATION, type Command } from '../command.js';
import { reasonOf, type Context } from '../context.js';
import { replace } from '../files.js';

const FILTER: Readonly<Record<string, Option>> = {
  types: { value: 'TYPES', help: 'only of these types, such as incident.opened,incident.closed' },
  after: { value: 'PLACE', help: 'where to begin: a cursor, latest, or oldest; latest when absent' },
};

export const eventsTail: Command = {
  name: 'events tail',
  summary: 'Show events as they come, none missing',
  usage: '',
  options: {
    ...FILTER,
    organization: { value: 'ID', help: 'only of this organization; of all of yours when absent' },
    state: { value: 'FILE', help: 'keep the place there, and go on from it the next time' },
    once: { help: 'end after the newest event instead of waiting for more' },
  },
  details: `It goes on from the same place when the gateway was away. With --state it may be started again and again, also from
cron with --once: each event is shown at least once, and again after a crash (its id is the same). Events are kept for
90 days.`,
  async run(context, given) {
    given.arguments();
    const state = given.text('state');
    const stored = state === undefined ? undefined : await placeIn(state);
    if (stored !== undefined && given.text('after') !== undefined)
      throw new UsageError(`${state} says where to go on: remove it, or leave out --after`);
    const organization = given.text('organization');
    const options: FollowOptions = {
      ...(organization !== undefined && { organizationId: numberIn(organization, '--organization') }),
      until: given.has('once') ? 'NEWEST' : 'ABORTED',
    };
    for await (const { events, cursor } of follow(context, given, options, stored)) {
      for (const event of events) context.output.result(event, line(event));
      if (state === undefined) continue;
      // Output that is buffered for a slow reader would be lost at exit.
      await context.output.written();
      await replace(state, (scratch) => writeFile(scratch, `${cursor}\n`, { flush: true }));
    }
  },
};

/** Time limit of a receiver, and the delays of the retries of an event, in seconds. */
const [ANSWER_SECONDS, PAUSES] = [15, [1, 5, 15]];

export const webhooksListen: Command = {
  name: 'webhooks listen',
  summary: 'Send events to a receiver on this machine, signed as webhooks are',
  usage: '--forward ADDRESS',
  options: {
    forward: { value: 'ADDRESS', help: 'the receiver, such as localhost:3000/hooks' },
    secret: { value: 'FILE', help: 'a file with the secret (whsec_...); a new one is shown when absent' },
    ...FILTER,
    ...ORGANIZATION,
  },
  details: `For trying a receiver that has no public address. Headers, body and signature are those of real webhooks. It differs:
- It reads the events of your token, and stops with this program. A webhook endpoint gets all events of its organization.
- The secret is made here, for this program alone. An endpoint has one of the gateway.
- One event after the other, each tried again after ${PAUSES.join(', ')} seconds and then passed over. The gateway tries 10 times
  in three days, and lists what it sent under the endpoint (deliveries), which this program does not.
- Your receiver may have any address, also without TLS. The gateway calls public addresses with https:// only.`,
  async run(context, given) {
    given.arguments();
    const target = targetIn(given.required('forward'));
    const file = given.text('secret');
    const secret = file === undefined ? newWebhookSecret() : (await readFile(file, 'utf8')).trim();
    await signWebhook(secret, { id: '-', body: '' }).catch((error: Error) => {
      throw new UsageError(`${file}: ${error.message}`);
    });
    const organizationId = await context.organization();
    context.output.note(`Forwarding to ${target}${file === undefined ? `, with the secret ${secret}` : ''}`);
    for await (const { events } of follow(context, given, { organizationId }))
      for (const event of events) await deliver(context, target, secret, event);
  },
};

function follow(context: Context, given: Given, options: FollowOptions, stored?: string) {
  const after = stored ?? given.text('after') ?? 'latest';
  const types = given.text('types') === undefined ? {} : { types: typesIn(given.required('types')) };
  const onInterruption = (error: Error, seconds: number) =>
    context.output.note(`${reasonOf(error)}: going on from the same place in ${seconds} s`);
  return connect();

  async function* connect() {
    const client = await context.client();
    const place = after === 'oldest' ? {} : { after };
    yield* followEvents(client, { ...options, ...place, ...types, signal: context.signal, onInterruption });
  }
}

function typesIn(text: string): GatewayEvent['type'][] {
  const types = text.split(',').filter((type) => type !== '');
  // Without a type, events of all types would be delivered.
  if (types.length === 0) throw new UsageError(`--types names no type: "${text}"`);
  return types as GatewayEvent['type'][];
}

async function deliver(context: Context, target: string, secret: string, event: GatewayEvent): Promise<void> {
  const body = JSON.stringify(event);
  for (let attempt = 1; ; attempt += 1) {
    const begin = performance.now();
    const outcome = await post(target, secret, event.id, body, context.signal);
    const isAccepted = typeof outcome === 'number' && outcome >= 200 && outcome < 300;
    const result = { id: event.id, type: event.type, attempt, accepted: isAccepted, outcome };
    context.output.result(
      result,
      `${outcome}  ${event.id}  ${event.type}  ${Math.round(performance.now() - begin)} ms`,
    );
    if (outcome === 410) throw new CommandError('The receiver answers 410: the gateway would disable its endpoint');
    if (isAccepted) return;
    const pause = PAUSES[attempt - 1];
    if (pause === undefined) return context.output.note(`${event.id} was not accepted, and is passed over`);
    await setTimeout(pause * 1000, undefined, { signal: context.signal });
  }
}

/** The status of the response, or the reason why there is none. */
async function post(target: string, secret: string, id: string, body: string, signal: AbortSignal) {
  const signed = await signWebhook(secret, { id, body });
  const headers = { 'content-type': 'application/json', 'user-agent': 'compliance-gateway-webhooks', ...signed };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_SECONDS * 1000)]);
  try {
    const answer = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    signal.throwIfAborted();
    const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
    return cause?.code ?? cause?.message ?? message;
  }
}

function targetIn(text: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address))
    throw new UsageError(`--forward is an address such as localhost:3000/hooks, not "${text}"`);
  return new URL(address).href;
}

function line({ at, id, type, subject, organization_id, sandbox = false, changed_fields }: GatewayEvent): string {
  const changed = changed_fields.length > 0 ? `  (${changed_fields.join(', ')})` : '';
  return `${at}  ${id}  ${type}  ${subject.type} ${subject.id} of ${sandbox ? 'sandbox' : 'organization'} ${organization_id}${changed}`;
}

async function placeIn(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const place = text?.trim();
  // Events since the stored cursor would be skipped.
  if (place === '')
    throw new UsageError(`${file} is empty, so that its place is lost: remove it, and add --after PLACE`);
  return place;
}
