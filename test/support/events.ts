import { EVENT_TYPES, type EventType } from '../../src/values/events.js';
import type { Api } from './apis.js';
import type { TestGateway } from './gateway.js';
import { graphqlOutcome, restOutcome } from './parity.js';

export interface ReadEvent {
  id: string;
  type: EventType;
  organization_id: number;
  subject: { type: string; id: string };
  position: number;
  changed_fields: string[];
  at: string;
  url: string | null;
}

export interface EventRequest {
  after?: string | undefined;
  limit?: number;
  types?: readonly string[];
  organization_id?: number;
  /** Through REST. */
  wait?: number;
}

const DOCUMENT = `query ($first: Int, $after: String, $types: [EventType!], $organizationId: ID) {
  events(first: $first, after: $after, types: $types, organizationId: $organizationId) {
    nodes { id type organization_id: organizationId subject { type id: databaseId } position changed_fields: changedFields at url }
    edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } next } }`;

/** Reads a page of the feed through REST or GraphQL, in REST's names. */
export async function readEvents(api: Api, gateway: TestGateway, request: EventRequest = {}, token?: string) {
  const auth = token === undefined ? {} : { token };
  const { after, limit, types, organization_id, wait } = request;
  if (api === 'REST') {
    const given = { after, limit, types: types?.join(), organization_id, wait };
    const query = new URLSearchParams(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const answer = await gateway.rest.call('GET', `/api/v1/events?${query}`, auth);
    const link = answer.headers.get('link') ?? '';
    const next = new URLSearchParams(/\?([^>]*)>; rel="next"/.exec(link)?.[1] ?? '').get('after');
    return { ...restOutcome(answer), events: answer.body.data as ReadEvent[], next: next as string, page: undefined };
  }
  const variables = { after, first: limit, types: types?.map(eventTypeName), organizationId: organization_id };
  const answer = await gateway.graphql.call(DOCUMENT, { ...auth, variables });
  const found = answer.body.data?.events;
  const events = found?.nodes.map((event: ReadEvent) => ({
    ...event,
    type: EVENT_TYPES[event.type as unknown as keyof typeof EVENT_TYPES],
  })) as ReadEvent[];
  return { ...graphqlOutcome(answer), events, next: found?.next as string, page: found };
}

/** GraphQL's name of an event type; an unknown one is unchanged. */
export function eventTypeName(type: string): string {
  return Object.entries(EVENT_TYPES).find(([, value]) => value === type)?.[0] ?? type;
}

/** Follows the feed to its end. */
export async function allEvents(api: Api, gateway: TestGateway, request: EventRequest, token: string) {
  const events: ReadEvent[] = [];
  for (let after = request.after; ;) {
    const page = await readEvents(api, gateway, { ...request, after }, token);
    if (page.code !== 'OK') throw new Error(`events cannot be read: ${page.code} ${JSON.stringify(page.messages)}`);
    if (page.events.length === 0) return { events, next: page.next };
    events.push(...page.events);
    after = page.next;
  }
}
