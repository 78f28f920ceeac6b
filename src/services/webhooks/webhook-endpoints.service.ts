import { randomBytes } from 'node:crypto';
import { userOf, type Caller, type UserCaller } from '../../auth/caller.js';
import { PRIVILEGES } from '../../auth/roles.js';
import { throwFailures } from '../../common/failures.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { HOUR } from '../../common/time.js';
import { visibleText } from '../../common/visible-text.js';
import type { RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import type { ListQuery } from '../../database/list-query.js';
import {
  conflict,
  found,
  inputError,
  invalidInput,
  notFound,
  refuseErrors,
  requireVersion,
  type FieldError,
} from '../../errors.js';
import type { WebhookFormat, WebhookScope, WebhookStatus } from '../../values/enums.js';
import { EVENT_ACTIONS, EVENT_TYPES, type EventType } from '../../values/events.js';
import { LIMITS } from '../../values/limits.js';
import { PersonalValue } from '../audit/personal-values.js';
import { changesBetween, withoutValues } from '../audit/record.js';
import type { Foundation } from '../foundation.js';
import { Sealer } from '../shared/sealer.js';
import { disable, DISABLED, hostOf, recordEndpoint, remove, SYSTEM } from './endpoint-records.js';
import * as statements from './endpoint-statements.js';
import {
  endpointListing,
  endpointProjection,
  oneEndpoint,
  ownListing,
  usersListing,
  usersProjection,
  type EndpointKey,
  type EndpointOwner,
  type EndpointRow,
} from './endpoint-statements.js';
import { giveUpPending, resumeEndpoint } from './endpoint-outages.js';

/**
 * The owner of an endpoint as the caller gives it: an organization, or the caller itself. Null or absent for the
 * actual one.
 */
export interface NamedOwner {
  organizationId?: number | null;
  scope?: WebhookScope | null;
}

export interface NamedEndpoint extends NamedOwner {
  webhookEndpointId: number;
}

export interface ChangedEndpoint extends NamedEndpoint {
  /** The expected version; any version when null or absent. */
  version?: number | null;
}

/** Values of an endpoint: those that are absent or null remain unchanged. */
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

/** Webhook endpoints of organizations and users (docs/webhooks.md). */
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

  /** Endpoints of users that receive events of the organization, without URLs and descriptions. */
  async usersOf(organizationIds: readonly number[], { page }: ListQuery<'CREATED'>, selection: ListSelection) {
    const request = { page, ...usersProjection.list(selection) };
    const pages = await usersListing.ofMany<EndpointRow, number>(this.deps.database, organizationIds, request);
    for (const { rows } of pages.values()) rows.forEach(complete);
    return pages;
  }

  /**
   * The caller's own endpoints, for the organizations that it manages. Throws UNAUTHENTICATED, or FORBIDDEN
   * (`authorizeOwn`).
   */
  async ofCaller(caller: Caller, page: ListQuery<'CREATED'>['page'], selection: ListSelection) {
    const { userId } = this.deps.access.authorizeOwn(caller, 'read');
    const request = { page, ...endpointProjection.list(selection) };
    const found = await ownListing.of<EndpointRow>(this.deps.database, userId, request);
    found.rows.forEach(complete);
    return found;
  }

  /**
   * Authorizes the caller and returns the owner. A user's endpoint is absent for all others and where an organization
   * is given, and that of an organization where the caller itself is given.
   */
  async authorize(
    caller: Caller,
    { organizationId, scope, webhookEndpointId }: NamedEndpoint,
    privilege: 'READ_WEBHOOKS' | 'MANAGE_WEBHOOKS',
  ): Promise<EndpointKey> {
    const { access, database } = this.deps;
    if (organizationId != null && scope !== 'MANAGED_ORGANIZATIONS') {
      await access.authorize(caller, privilege, organizationId);
      return { organizationId, userId: null, webhookEndpointId };
    }
    const user = userOf(caller);
    const { userId } = found(await statements.userOf.first(database, { id: webhookEndpointId }));
    if (userId !== user.userId || scope === 'ORGANIZATION' || organizationId != null) throw notFound();
    access.authorizeOwn(caller, PRIVILEGES[privilege].scope);
    return { organizationId: null, userId, webhookEndpointId };
  }

  /** Throws NOT_FOUND for an absent endpoint, or one of another owner where one is given. */
  async read(caller: Caller, named: NamedEndpoint, selection: Selection) {
    const isNamed = named.organizationId != null || named.scope != null;
    const key = isNamed ? await this.authorize(caller, named, 'READ_WEBHOOKS') : undefined;
    const endpoint = await this.one(named.webhookEndpointId, selection);
    const { organizationId, userId } = endpoint;
    if (key !== undefined && (key.organizationId !== organizationId || key.userId !== userId)) throw notFound();
    if (key === undefined) await this.authorize(caller, { ...named, organizationId }, 'READ_WEBHOOKS');
    return endpoint;
  }

  /** For the result of a write: without authorization. */
  async one(id: number, selection: Selection, tx: Queryable = this.deps.database) {
    const row = found(await oneEndpoint(endpointProjection.of(selection)).first(tx, { id }));
    complete(row);
    return row;
  }

  /** Returns the secret, which is never shown again. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT and CONFLICT. */
  async create(caller: Caller, named: NamedOwner, values: EndpointValues & { url: string }) {
    const owner = await this.authorizeNew(caller, named, values);
    const { user, now } = this.writer(caller);
    refuseErrors(this.errorsOf(values));
    const { secret, sealed } = this.newSecret();
    const id = await this.deps.database.transaction(async (tx) => {
      await statements.lockEndpoints.all(tx, owner);
      const { endpoints } = await statements.countEndpoints.one(tx, owner);
      const { perOrganization, perUser } = LIMITS.webhook;
      if (owner.userId === null && endpoints >= perOrganization) throw conflict('WEBHOOK_ENDPOINT_LIMIT');
      if (endpoints >= perUser) throw conflict('USER_WEBHOOK_ENDPOINT_LIMIT');
      const written = { ...writtenOf(undefined, values), status: 'ENABLED', enabledById: user.userId } as const;
      const row = {
        ...written,
        ...owner,
        tokenId: tokenOf(owner, user),
        secret: sealed,
        createdAt: now,
        updatedAt: now,
      };
      const { id } = await statements.insertEndpoint.one(tx, row);
      const changes = shown(owner, undefined, written);
      await recordEndpoint(tx, caller, { ...row, id }, { action: 'WEBHOOK_ENDPOINT_CREATED', at: now, changes });
      return id;
    });
    return { id, secret };
  }

  /** Throws as `create` does. The endpoint is disabled once the last user to enable it loses the right. */
  async update(caller: Caller, named: ChangedEndpoint, values: EndpointValues): Promise<void> {
    const key = await this.authorize(caller, named, 'MANAGE_WEBHOOKS');
    const { user, now } = this.writer(caller);
    refuseErrors(this.errorsOf(values));
    await this.deps.database.transaction(async (tx) => {
      const before = found(await statements.lockEndpoint.first(tx, key));
      requireVersion(before, named.version);
      const written = writtenOf(before, values);
      const isEnabled = written.status === 'ENABLED' && before.status === 'DISABLED';
      const changes = shown(key, before, written);
      if (Object.keys(changes).length === 0) return;
      const enabledById = isEnabled ? user.userId : before.enabledById;
      const by = { enabledById, tokenId: tokenOf(key, user) };
      await statements.writeEndpoint.all(tx, { ...written, ...by, id: before.id, updatedAt: now });
      if (written.status === 'DISABLED') await giveUpPending(tx, { id: before.id, error: DISABLED });
      // The receiver is another one, or works again.
      if ('url' in changes || 'status' in changes) await resumeEndpoint(tx, { id: before.id });
      await recordEndpoint(
        tx,
        caller,
        { ...before, url: written.url },
        { action: 'WEBHOOK_ENDPOINT_UPDATED', at: now, changes },
      );
    });
  }

  /** Returns the deleted endpoint; nothing more is sent to it. Throws as `update` does. */
  async delete(caller: Caller, named: ChangedEndpoint, selection: Selection): Promise<object> {
    const key = await this.authorize(caller, named, 'MANAGE_WEBHOOKS');
    const { now } = this.writer(caller);
    return this.deps.database.transaction(async (tx) => {
      const endpoint = found(await statements.lockEndpoint.first(tx, key));
      requireVersion(endpoint, named.version);
      const answer = await this.one(endpoint.id, selection, tx);
      await remove(tx, caller, endpoint, now);
      return answer;
    });
  }

  /**
   * Returns a new secret; the previous one remains valid for 24 hours, and earlier ones do not. Throws as `update`
   * does.
   */
  async rotate(caller: Caller, named: ChangedEndpoint): Promise<string> {
    const key = await this.authorize(caller, named, 'MANAGE_WEBHOOKS');
    const { user, now } = this.writer(caller);
    const { secret, sealed } = this.newSecret();
    await this.deps.database.transaction(async (tx) => {
      const endpoint = found(await statements.lockEndpoint.first(tx, key));
      requireVersion(endpoint, named.version);
      const until = new Date(now.getTime() + LIMITS.webhook.overlapHours * HOUR);
      const tokenId = tokenOf(key, user);
      await statements.rotateSecret.all(tx, { id: endpoint.id, secret: sealed, tokenId, until, now });
      const changes = { secret: { after: 'changed' }, previousSecretUntil: { after: until.toISOString() } };
      await recordEndpoint(tx, caller, endpoint, { action: 'WEBHOOK_SECRET_ROTATED', at: now, changes });
    });
    return secret;
  }

  /**
   * Disables endpoints that were enabled by users who were deactivated everywhere: nothing is sent to them meanwhile.
   * An error for one does not stop the others, and is thrown at the end.
   */
  async disableWithoutRight(): Promise<void> {
    const { database, now } = this.deps;
    const failures = new Map<number, unknown>();
    for (const { id } of await statements.withoutRight.all(database, { id: null }))
      await database
        .transaction(async (tx) => {
          await statements.lockAny.first(tx, { id });
          // Another manager may have enabled it meanwhile.
          if ((await statements.withoutRight.first(tx, { id })) === undefined) return;
          await disable(tx, SYSTEM, { id, reason: 'MEMBER_LEFT', at: now() });
        })
        .catch((error: unknown) => failures.set(id, error));
    throwFailures(failures, 'not disabled', 'webhook endpoints');
  }

  /**
   * The owner of a new endpoint. Throws BAD_USER_INPUT where scope and organization do not match, with all other
   * errors.
   */
  private async authorizeNew(
    caller: Caller,
    { organizationId, scope }: NamedOwner,
    values: EndpointValues,
  ): Promise<EndpointOwner> {
    const contradiction = (sentence: string) =>
      invalidInput([inputError('organizationId', sentence), ...this.errorsOf(values)]);
    if (organizationId == null && scope === 'MANAGED_ORGANIZATIONS')
      return { organizationId: null, userId: this.deps.access.authorizeOwn(caller, 'write').userId };
    if (organizationId == null) throw contradiction(NEEDED);
    if (scope === 'MANAGED_ORGANIZATIONS') throw contradiction(NOT_NEEDED);
    await this.deps.access.authorize(caller, 'MANAGE_WEBHOOKS', organizationId);
    return { organizationId, userId: null };
  }

  private writer(caller: Caller) {
    return { user: userOf(caller), now: this.deps.now() };
  }

  /** Errors of a URL that would never be called. The addresses of its host are checked at each attempt. */
  private errorsOf({ url }: EndpointValues): FieldError[] {
    const refusal = url == null ? undefined : this.deps.receivers.refusalOf(url);
    return refusal === undefined ? [] : [inputError('url', refusal)];
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

const NEEDED = 'is required, unless the scope is MANAGED_ORGANIZATIONS';
const NOT_NEEDED = 'must be absent where the scope is MANAGED_ORGANIZATIONS';

/** The token of a user's endpoint: an organization that has blocked it sends nothing there. */
function tokenOf({ userId }: EndpointOwner, { tokenId }: UserCaller): number | null {
  return userId === null ? null : tokenId;
}

type Before = RowOf<'webhook_endpoint'> | undefined;
type Written = Omit<statements.WrittenEndpoint, 'enabledById' | 'tokenId' | 'updatedAt'>;

function writtenOf(before: Before, values: EndpointValues): Written {
  const { eventTypes } = values;
  const status = values.status ?? before?.status ?? 'ENABLED';
  const stays = status === before?.status ? before.disabledReason : 'REQUESTED';
  return {
    url: values.url ?? before?.url ?? '',
    description:
      values.description === undefined ? (before?.description ?? '') : visibleText(values.description ?? '').trim(),
    actions:
      eventTypes == null
        ? (before?.actions ?? [])
        : EVENT_ACTIONS.filter((action) => eventTypes.includes(EVENT_TYPES[action])),
    format: values.format ?? before?.format ?? 'EVENT',
    status,
    disabledReason: status === 'ENABLED' ? null : stays,
  };
}

/** Values for the trail: only the host of the URL, since a path may be a secret of the receiver. */
function shown({ userId }: EndpointOwner, before: Before, written: Written) {
  const personal = (text: string) => (userId === null ? text : new PersonalValue(userId, text));
  const of = ({ url, description, actions, format, status }: Written) => ({
    ...{ url, host: personal(hostOf(url)), description: personal(description), format, status },
    eventTypes: actions.map((action) => EVENT_TYPES[action]),
  });
  return withoutValues(changesBetween<object>(before === undefined ? {} : of(before), of(written)), 'url');
}
