import { randomBytes } from 'node:crypto';
import type { Caller } from '../../auth/caller.js';
import { RefusedAddress } from '../../common/outgoing-requests.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { HOUR } from '../../common/time.js';
import { visibleText } from '../../common/visible-text.js';
import type { RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import type { ListQuery } from '../../database/list-query.js';
import { conflict, found, inputError, invalidInput, notFound, requireVersion, unauthenticated } from '../../errors.js';
import type { WebhookFormat, WebhookStatus } from '../../values/enums.js';
import { EVENT_ACTIONS, EVENT_TYPES, type EventType } from '../../values/events.js';
import { LIMITS } from '../../values/limits.js';
import { changesBetween, withoutValues } from '../audit/record.js';
import type { Foundation } from '../foundation.js';
import { Sealer } from '../shared/sealer.js';
import { disable, DISABLED, hostOf, recordEndpoint, SYSTEM } from './endpoint-records.js';
import * as statements from './endpoint-statements.js';
import {
  endpointListing,
  endpointProjection,
  oneEndpoint,
  type EndpointKey,
  type EndpointRow,
} from './endpoint-statements.js';

export interface ChangedEndpointKey extends EndpointKey {
  /** The version that a change is made to; any version when null or absent. */
  version?: number | null;
}

/** What is absent or null stays as it is. */
export interface EndpointValues {
  url?: string | null;
  description?: string | null;
  eventTypes?: readonly EventType[] | null;
  format?: WebhookFormat | null;
  status?: WebhookStatus | null;
}

/** Standard Webhooks: the secret is the base64 of 24 to 64 bytes. */
const SECRET_BYTES = 32;

type Deps = Pick<Foundation, 'database' | 'access' | 'config' | 'receivers' | 'now'>;

/** Where organizations have their events sent to (docs/webhooks.md). */
export class WebhookEndpointService {
  private readonly sealer: Sealer;

  constructor(private readonly deps: Deps) {
    this.sealer = webhookSealer(deps.config);
  }

  /** Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'READ_WEBHOOKS', organizationId);
  }

  async ofOrganizations(organizationIds: readonly number[], { page }: ListQuery<'CREATED'>, selection: ListSelection) {
    const request = { page, ...endpointProjection.list(selection) };
    const pages = await endpointListing.ofMany<EndpointRow, number>(this.deps.database, organizationIds, request);
    for (const { rows } of pages.values()) rows.forEach(complete);
    return pages;
  }

  /** Throws NOT_FOUND for what is not there, or not in this organization where one is named. */
  async read(caller: Caller, key: Partial<EndpointKey> & { webhookEndpointId: number }, selection: Selection) {
    if (key.organizationId !== undefined) await this.authorizeList(caller, key.organizationId);
    const endpoint = await this.one(key.webhookEndpointId, selection);
    if (key.organizationId !== undefined && endpoint.organizationId !== key.organizationId) throw notFound();
    await this.authorizeList(caller, endpoint.organizationId);
    return endpoint;
  }

  /** Decides nothing: for the answer to a write. */
  async one(id: number, selection: Selection, tx: Queryable = this.deps.database) {
    const row = found(await oneEndpoint(endpointProjection.of(selection)).first(tx, { id }));
    complete(row);
    return row;
  }

  /** Answers the secret, which is never shown again. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT and CONFLICT. */
  async create(caller: Caller, organizationId: number, values: EndpointValues & { url: string }) {
    const { user, now } = await this.authorizeWrite(caller, organizationId);
    this.check(values);
    const { secret, sealed } = this.newSecret();
    const id = await this.deps.database.transaction(async (tx) => {
      await statements.lockEndpoints.all(tx, { organizationId });
      const { endpoints } = await statements.countEndpoints.one(tx, { organizationId });
      if (endpoints >= LIMITS.webhook.perOrganization) throw conflict('WEBHOOK_ENDPOINT_LIMIT');
      const written = { ...writtenOf(undefined, values), status: 'ENABLED', enabledById: user.userId } as const;
      const row = { ...written, organizationId, secret: sealed, createdAt: now, updatedAt: now };
      const { id } = await statements.insertEndpoint.one(tx, row);
      const changes = shown(undefined, written);
      await recordEndpoint(tx, caller, { ...row, id }, { action: 'WEBHOOK_ENDPOINT_CREATED', at: now, changes });
      return id;
    });
    return { id, secret };
  }

  /** Throws as `create` does. Who enables it is whom it ends with from then on. */
  async update(caller: Caller, key: ChangedEndpointKey, values: EndpointValues): Promise<void> {
    const { user, now } = await this.authorizeWrite(caller, key.organizationId);
    this.check(values);
    await this.deps.database.transaction(async (tx) => {
      const before = found(await statements.lockEndpoint.first(tx, key));
      requireVersion(before, key.version);
      const written = writtenOf(before, values);
      const isEnabled = written.status === 'ENABLED' && before.status === 'DISABLED';
      const changes = shown(before, written);
      if (Object.keys(changes).length === 0) return;
      const enabledById = isEnabled ? user.userId : before.enabledById;
      await statements.writeEndpoint.all(tx, { ...written, enabledById, id: before.id, updatedAt: now });
      if ('url' in changes || 'status' in changes) await statements.forgetFailures.all(tx, { id: before.id });
      if (written.status === 'DISABLED') await statements.giveUpPending.all(tx, { id: before.id, error: DISABLED });
      const named = { ...before, url: written.url };
      await recordEndpoint(tx, caller, named, { action: 'WEBHOOK_ENDPOINT_UPDATED', at: now, changes });
    });
  }

  /** Answers it as it was; nothing more is sent to it. Throws as `update` does. */
  async delete(caller: Caller, key: ChangedEndpointKey, selection: Selection): Promise<object> {
    const { now } = await this.authorizeWrite(caller, key.organizationId);
    return this.deps.database.transaction(async (tx) => {
      const endpoint = found(await statements.lockEndpoint.first(tx, key));
      requireVersion(endpoint, key.version);
      const { id } = endpoint;
      const answer = await this.one(id, selection, tx);
      await statements.removeEndpoint.all(tx, { id, now });
      await statements.giveUpPending.all(tx, { id, error: 'The endpoint was deleted.' });
      const changes = { host: { before: hostOf(endpoint.url) } };
      await recordEndpoint(tx, caller, endpoint, { action: 'WEBHOOK_ENDPOINT_DELETED', at: now, changes });
      return answer;
    });
  }

  /** Answers a new secret; the one before it signs as well for 24 hours, and none before that. Throws as `update` does. */
  async rotate(caller: Caller, key: ChangedEndpointKey): Promise<string> {
    const { now } = await this.authorizeWrite(caller, key.organizationId);
    const { secret, sealed } = this.newSecret();
    await this.deps.database.transaction(async (tx) => {
      const endpoint = found(await statements.lockEndpoint.first(tx, key));
      requireVersion(endpoint, key.version);
      const until = new Date(now.getTime() + LIMITS.webhook.overlapHours * HOUR);
      await statements.rotateSecret.all(tx, { id: endpoint.id, secret: sealed, until, now });
      const changes = { secret: { after: 'changed' }, previousSecretUntil: { after: until.toISOString() } };
      await recordEndpoint(tx, caller, endpoint, { action: 'WEBHOOK_SECRET_ROTATED', at: now, changes });
    });
    return secret;
  }

  /** Disables what was enabled by users who were deactivated everywhere: nothing is sent to it in the meantime. */
  async disableWithoutRight(): Promise<void> {
    const { database, now } = this.deps;
    for (const { webhookEndpointId: id, ...key } of await statements.withoutRight.all(database, { id: null }))
      await database.transaction(async (tx) => {
        await statements.lockEndpoint.first(tx, { webhookEndpointId: id, ...key });
        // Another manager may have enabled it in between.
        if ((await statements.withoutRight.first(tx, { id })) === undefined) return;
        await disable(tx, SYSTEM, { id, reason: 'MEMBER_LEFT', at: now() });
      });
  }

  private async authorizeWrite(caller: Caller, organizationId: number) {
    await this.deps.access.authorize(caller, 'MANAGE_WEBHOOKS', organizationId);
    if (caller.kind !== 'user') throw unauthenticated();
    return { user: caller, now: this.deps.now() };
  }

  /** Throws BAD_USER_INPUT for an address that would never be called. Where its host leads is judged at each attempt. */
  private check({ url }: EndpointValues): void {
    if (url == null) return;
    try {
      this.deps.receivers.check(url);
    } catch (error) {
      if (error instanceof RefusedAddress) throw invalidInput([inputError('url', error.message)]);
      throw error;
    }
  }

  private newSecret() {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { secret, sealed: this.sealer.seal(secret) };
  }
}

export function webhookSealer({ secretKey, earlierSecretKeys }: Foundation['config']): Sealer {
  return new Sealer('webhook secret', secretKey, earlierSecretKeys);
}

function complete(row: EndpointRow): void {
  if (row.actions !== undefined) Object.assign(row, { eventTypes: row.actions.map((action) => EVENT_TYPES[action]) });
}

type Before = RowOf<'webhook_endpoint'> | undefined;
type Written = Omit<statements.WrittenEndpoint, 'enabledById' | 'updatedAt'>;

function writtenOf(before: Before, values: EndpointValues): Written {
  const { eventTypes } = values;
  const status = values.status ?? before?.status ?? 'ENABLED';
  const stays = status === before?.status ? before.disabledReason : 'REQUESTED';
  return {
    url: values.url ?? before?.url ?? '',
    description: values.description == null ? (before?.description ?? '') : visibleText(values.description).trim(),
    actions:
      eventTypes == null
        ? (before?.actions ?? [])
        : EVENT_ACTIONS.filter((action) => eventTypes.includes(EVENT_TYPES[action])),
    format: values.format ?? before?.format ?? 'EVENT',
    status,
    disabledReason: status === 'ENABLED' ? null : stays,
  };
}

/** As the trail has it: of the address the host alone, since a path may be a secret of the receiver. */
function shown(before: Before, written: Written) {
  const of = ({ url, description, actions, format, status }: Written) => ({
    ...{ url, host: hostOf(url), description, format, status },
    eventTypes: actions.map((action) => EVENT_TYPES[action]),
  });
  return withoutValues(changesBetween<object>(before === undefined ? {} : of(before), of(written)), 'url');
}
