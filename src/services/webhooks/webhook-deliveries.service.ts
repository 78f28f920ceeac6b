import { userOf, type Caller, type UserCaller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { DAY } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import type { ListQuery } from '../../database/list-query.js';
import { untilFewer } from '../../database/until-fewer.js';
import { conflict, found, inputError, invalidInput, notFound } from '../../errors.js';
import { EVENT_TYPES } from '../../values/events.js';
import { LIMITS } from '../../values/limits.js';
import { lockConsumer } from '../audit/consumer.js';
import { record } from '../audit/record.js';
import { reachOf } from '../shared/accessible-organizations.js';
import type { Foundation } from '../foundation.js';
import * as statements from './delivery-statements.js';
import {
  attemptListing,
  attemptProjection,
  deliveryListing,
  deliveryProjection,
  oneDelivery,
  type DeliveryQuery,
  type DeliveryRow,
} from './delivery-statements.js';
import { recordEndpoint, usersSubject } from './endpoint-records.js';
import { lockEndpoint, organizationsOfEndpoint, type EndpointKey, type EndpointOwner } from './endpoint-statements.js';
import { eventId } from './payload.js';
import type { NamedEndpoint, WebhookEndpointService } from './webhook-endpoints.service.js';

export interface NamedDelivery extends NamedEndpoint {
  webhookDeliveryId: number;
}

const EVENT_ID = /^([1-9]\d{0,14})\/([1-9]\d{0,14})$/;

/** Deliveries to webhook endpoints, and their outcomes. */
export class WebhookDeliveryService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'log' | 'now'>,
    private readonly endpoints: WebhookEndpointService,
  ) {}

  /**
   * Deliveries of each endpoint, newest first; for a user's endpoint, those of organizations that the user manages
   * now and the token reaches. An invalid event id has no deliveries.
   */
  async ofEndpoints(
    caller: Caller,
    endpointIds: readonly number[],
    { eventId: id, ...query }: DeliveryQuery & { eventId?: string | null },
    selection: ListSelection,
  ) {
    const [, organizationId = 0, position = 0] = EVENT_ID.exec(id ?? '')?.map(Number) ?? [];
    const reachable = statements.ofReachable(reachOf(userOf(caller)));
    const conditions = id == null ? [reachable] : [reachable, statements.ofEvent({ organizationId, position })];
    const request = { ...query, conditions, ...deliveryProjection.list(selection) };
    const pages = await deliveryListing.ofMany<DeliveryRow, number>(this.deps.database, endpointIds, request);
    for (const { rows } of pages.values()) rows.forEach(complete);
    return pages;
  }

  /** Attempts of each delivery, newest first. Attempts are missing whose instance has crashed. */
  ofDeliveries(deliveryIds: readonly number[], { page }: ListQuery<'NEWEST'>, selection: ListSelection) {
    const request = { page, ...attemptProjection.list(selection) };
    return attemptListing.ofMany<object, number>(this.deps.database, deliveryIds, request);
  }

  /**
   * Throws NOT_FOUND for an absent delivery, or one of another endpoint or owner where they are given; FORBIDDEN
   * below rank 4 in the organization of the event.
   */
  async read(caller: Caller, named: Partial<NamedEndpoint> & { webhookDeliveryId: number }, selection: Selection) {
    const { webhookEndpointId, webhookDeliveryId: id, ...owner } = named;
    const key = webhookEndpointId && (await this.endpoints.authorize(caller, { ...owner, webhookEndpointId }, READ));
    const delivery = await this.one(id, selection);
    const { endpointId, organizationId, userId } = delivery;
    if (key) requireOf(key, delivery);
    else if (userId !== null) await this.endpoints.authorize(caller, { webhookEndpointId: endpointId }, READ);
    await this.endpoints.authorizeList(caller, organizationId);
    return delivery;
  }

  /** For the result of a write: without authorization. */
  async one(id: number, selection: Selection) {
    const row = found(await oneDelivery(deliveryProjection.of(selection)).first(this.deps.database, { id }));
    complete(row);
    return row;
  }

  /**
   * Records a test, whose event is sent to this endpoint only; returns its id. Throws CONFLICT while it is disabled.
   * For a user's endpoint it is an event of the first of its organizations; CONFLICT without one.
   */
  async sendTest(caller: Caller, named: NamedEndpoint): Promise<string> {
    return this.change(caller, named, async (tx, { key, user, endpoint }) => {
      const facts = { action: 'WEBHOOK_TESTED', at: this.deps.now() } as const;
      let { organizationId } = key;
      if (organizationId === null) {
        [organizationId = null] = await organizationsOfEndpoint(tx, user, endpoint.id, 1);
        if (organizationId === null) throw conflict('WEBHOOK_ENDPOINT_UNUSED');
        const subject = usersSubject({ ...endpoint, userId: user.userId });
        await record(tx, user, { ...facts, organizationId, subject });
      } else await recordEndpoint(tx, user, endpoint, facts);
      return eventId({ organizationId, ...(await statements.lastPosition.one(tx, { organizationId })) });
    });
  }

  /** Sends an event again, whatever its outcome, with the same id. Throws as `sendTest` does. */
  async redeliver(caller: Caller, { webhookDeliveryId: id, ...named }: NamedDelivery): Promise<void> {
    await this.change(caller, named, async (tx, { key, user, endpoint }) => {
      const { position, organizationId } = found(await statements.sendAgain.first(tx, { id, endpointId: endpoint.id }));
      if (key.userId !== null) await this.deps.access.authorize(user, 'MANAGE_WEBHOOKS', organizationId);
      const changes = { event: { after: eventId({ organizationId, position }) } };
      await recordEndpoint(tx, user, endpoint, { action: 'WEBHOOK_REDELIVERED', at: this.deps.now(), changes });
    });
  }

  /**
   * Restarts deliveries since an instant that failed finally, and inserts those of events that came while the endpoint
   * was disabled or not subscribed to them. Returns their number, and whether these are all. Throws as `sendTest` does,
   * and BAD_USER_INPUT.
   */
  async recover(caller: Caller, { since, ...named }: NamedEndpoint & { since: Date }) {
    const { keptDays, recoveredAtOnce } = LIMITS.webhook;
    return this.change(
      caller,
      named,
      async (tx, { key, user, endpoint }) => {
        const { organizationId } = key;
        const organizationIds =
          organizationId === null ? await organizationsOfEndpoint(tx, user, endpoint.id) : [organizationId];
        const endpointId = endpoint.id;
        const { recovered } = await statements.recoverSome.one(tx, { endpointId, organizationIds, since });
        const changes = { since: { after: since.toISOString() }, events: { after: recovered } };
        await recordEndpoint(tx, user, endpoint, { action: 'WEBHOOK_REDELIVERED', at: this.deps.now(), changes });
        return { recovered, complete: recovered < recoveredAtOnce };
      },
      async () => {
        const age = this.deps.now().getTime() - since.getTime();
        if (age < 0 || age > keptDays * DAY)
          throw invalidInput([inputError('since', `must be within the last ${keptDays} days`)]);
        // Waits for events that are being inserted, which may be missing for an endpoint that was enabled meanwhile.
        await this.deps.database.transaction((tx) => lockConsumer(tx, 'events'));
      },
    );
  }

  /** Pending deliveries of all endpoints, for the metrics. */
  async pending(): Promise<number> {
    return (await statements.countPending.one(this.deps.database)).pending;
  }

  /** Deletes old deliveries, deleted endpoints with theirs, and secrets that were replaced; returns their number. */
  async purgeOld(): Promise<number> {
    const { database, log } = this.deps;
    const most = statements.PURGED_AT_ONCE;
    const days = LIMITS.webhook.keptDays;
    const old = await untilFewer(most, async () => {
      const gone = await statements.purgeSome.all(database, { days });
      const deliveries = gone.filter(({ isUnsent }) => isUnsent).length;
      if (deliveries > 0) log.warn({ deliveries }, 'deliveries that still waited were deleted with the old ones');
      return gone.length;
    });
    const left = await untilFewer(most, async () => (await statements.purgeSomeOfDeleted.all(database)).length);
    const endpoints = await statements.purgeDeletedEndpoints.all(database);
    const secrets = await statements.forgetOldSecrets.all(database);
    return old + left + endpoints.length + secrets.length;
  }

  /** `check` runs after authorization, and before the state is tested. */
  private async change<Result>(
    caller: Caller,
    named: NamedEndpoint,
    work: (tx: Queryable, changed: Changed) => Promise<Result>,
    check?: () => Promise<void>,
  ): Promise<Result> {
    const key = await this.endpoints.authorize(caller, named, 'MANAGE_WEBHOOKS');
    const user = userOf(caller);
    await check?.();
    return this.deps.database.transaction(async (tx) => {
      const endpoint = found(await lockEndpoint.first(tx, key));
      if (endpoint.status === 'DISABLED') throw conflict('WEBHOOK_ENDPOINT_DISABLED');
      return work(tx, { key, user, endpoint });
    });
  }
}

const READ = 'READ_WEBHOOKS';

interface Changed {
  key: EndpointKey;
  user: UserCaller;
  endpoint: EndpointOwner & { id: number; url: string };
}

/** Organizations do not see deliveries of their members' own endpoints, although these are of their events. */
function requireOf(key: EndpointKey, { endpointId, organizationId, userId }: DeliveryRow): void {
  const isOfOwner = key.userId === userId && (userId !== null || key.organizationId === organizationId);
  if (!isOfOwner || endpointId !== key.webhookEndpointId) throw notFound();
}

function complete(row: DeliveryRow): void {
  if (row.action !== undefined) Object.assign(row, { eventType: EVENT_TYPES[row.action] });
}
