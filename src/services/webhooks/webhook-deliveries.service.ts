import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { DAY } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import type { ListQuery } from '../../database/list-query.js';
import { untilFewer } from '../../database/until-fewer.js';
import { conflict, found, inputError, invalidInput, notFound } from '../../errors.js';
import { EVENT_TYPES } from '../../values/events.js';
import { LIMITS } from '../../values/limits.js';
import type { AuditFacts } from '../audit/record.js';
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
import { recordEndpoint } from './endpoint-records.js';
import { lockEndpoint, type EndpointKey } from './endpoint-statements.js';
import { eventId } from './payload.js';
import type { WebhookEndpointService } from './webhook-endpoints.service.js';

export interface DeliveryKey extends EndpointKey {
  webhookDeliveryId: number;
}

const EVENT_ID = /^(\d{1,15})\/(\d{1,15})$/;

/** What is sent to webhook endpoints, and what came of it. */
export class WebhookDeliveryService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>,
    private readonly endpoints: WebhookEndpointService,
  ) {}

  /** Newest first, of each endpoint. An event that is none has no deliveries. */
  async ofEndpoints(
    endpointIds: readonly number[],
    { eventId: id, ...query }: DeliveryQuery & { eventId?: string | null },
    selection: ListSelection,
  ) {
    const [, organizationId = 0, position = 0] = EVENT_ID.exec(id ?? '')?.map(Number) ?? [];
    const conditions = id == null ? [] : [statements.ofEvent({ organizationId, position })];
    const request = { ...query, conditions, ...deliveryProjection.list(selection) };
    const pages = await deliveryListing.ofMany<DeliveryRow, number>(this.deps.database, endpointIds, request);
    for (const { rows } of pages.values()) rows.forEach(complete);
    return pages;
  }

  /** Newest first, of each delivery. Of one that an instance did not survive nothing is known. */
  ofDeliveries(deliveryIds: readonly number[], { page }: ListQuery<'NEWEST'>, selection: ListSelection) {
    const request = { page, ...attemptProjection.list(selection) };
    return attemptListing.ofMany<object, number>(this.deps.database, deliveryIds, request);
  }

  /** Throws NOT_FOUND for what is not there, or not of this endpoint and organization where they are named; FORBIDDEN below rank 4. */
  async read(caller: Caller, key: Partial<EndpointKey> & { webhookDeliveryId: number }, selection: Selection) {
    const { organizationId, webhookEndpointId, webhookDeliveryId: id } = key;
    if (organizationId !== undefined) await this.endpoints.authorizeList(caller, organizationId);
    const delivery = await this.one(id, selection);
    const isOther = organizationId !== undefined && delivery.organizationId !== organizationId;
    if (isOther || (webhookEndpointId !== undefined && delivery.endpointId !== webhookEndpointId)) throw notFound();
    await this.endpoints.authorizeList(caller, delivery.organizationId);
    return delivery;
  }

  /** Decides nothing: for the answer to a write. */
  async one(id: number, selection: Selection) {
    const row = found(await oneDelivery(deliveryProjection.of(selection)).first(this.deps.database, { id }));
    complete(row);
    return row;
  }

  /** Records a test, whose event is sent to this endpoint alone; answers its id. Throws CONFLICT while it is disabled. */
  async sendTest(caller: Caller, key: EndpointKey): Promise<string> {
    const { organizationId } = key;
    return this.change(caller, key, 'WEBHOOK_TESTED', async (tx, record) => {
      await record();
      return eventId({ organizationId, ...(await statements.lastPosition.one(tx, { organizationId })) });
    });
  }

  /** Sends an event again, whatever came of it before; its id is the same. Throws as `sendTest` does. */
  async redeliver(caller: Caller, { webhookDeliveryId: id, ...key }: DeliveryKey): Promise<void> {
    await this.change(caller, key, 'WEBHOOK_REDELIVERED', async (tx, record) => {
      const { webhookEndpointId: endpointId, organizationId } = key;
      const { position } = found(await statements.sendAgain.first(tx, { id, endpointId }));
      await record({ event: { after: eventId({ organizationId, position }) } });
    });
  }

  /**
   * Puts in again what was given up since then, and what was not put in because the endpoint was disabled or subscribed for
   * other types; answers how much that was, and whether that is all. Throws as `sendTest` does, and BAD_USER_INPUT.
   */
  async recover(caller: Caller, { since, ...key }: EndpointKey & { since: Date }) {
    const { keptDays, recoveredAtOnce } = LIMITS.webhook;
    await this.deps.access.authorize(caller, 'MANAGE_WEBHOOKS', key.organizationId);
    const age = this.deps.now().getTime() - since.getTime();
    if (age < 0 || age > keptDays * DAY)
      throw invalidInput([inputError('since', `must be within the last ${keptDays} days`)]);
    return this.change(caller, key, 'WEBHOOK_REDELIVERED', async (tx, record) => {
      const { webhookEndpointId: endpointId, organizationId } = key;
      const { recovered } = await statements.recoverSome.one(tx, { endpointId, organizationId, since });
      await record({ since: { after: since.toISOString() }, events: { after: recovered } });
      return { recovered, complete: recovered < recoveredAtOnce };
    });
  }

  /** Of all endpoints, for the metrics. */
  async pending(): Promise<number> {
    return (await statements.countPending.one(this.deps.database)).pending;
  }

  /** Deletes old deliveries, and what deleted endpoints have left; answers how many deliveries that were. */
  async purgeOld(): Promise<number> {
    const { database } = this.deps;
    const most = statements.PURGED_AT_ONCE;
    const days = LIMITS.webhook.keptDays;
    const old = await untilFewer(most, async () => (await statements.purgeSome.all(database, { days })).length);
    const left = await untilFewer(most, async () => (await statements.purgeSomeOfDeleted.all(database)).length);
    await statements.purgeDeletedEndpoints.all(database);
    await statements.forgetOldSecrets.all(database);
    return old + left;
  }

  private async change<Result>(
    caller: Caller,
    key: EndpointKey,
    action: AuditFacts['action'],
    work: (tx: Queryable, record: (changes?: AuditFacts['changes']) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    await this.deps.access.authorize(caller, 'MANAGE_WEBHOOKS', key.organizationId);
    return this.deps.database.transaction(async (tx) => {
      const endpoint = found(await lockEndpoint.first(tx, key));
      if (endpoint.status === 'DISABLED') throw conflict('WEBHOOK_ENDPOINT_DISABLED');
      return work(tx, (changes) =>
        recordEndpoint(tx, caller, endpoint, { action, at: this.deps.now(), ...(changes && { changes }) }),
      );
    });
  }
}

function complete(row: DeliveryRow): void {
  if (row.action !== undefined) Object.assign(row, { eventType: EVENT_TYPES[row.action] });
}
