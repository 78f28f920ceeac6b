import type { Actor, Caller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import type { WebhookDisabledReason } from '../../values/enums.js';
import { PersonalValue } from '../audit/personal-values.js';
import { record, type AuditFacts } from '../audit/record.js';
import {
  disableEndpoint,
  enabledBy,
  endpointsOfUser,
  lockAllOf,
  placeOf,
  removeEndpoint,
  type EndpointOwner,
} from './endpoint-statements.js';
import { giveUpPending } from './endpoint-outages.js';

/** An endpoint in its entries: URLs may contain a secret of the receiver, hosts do not. */
type RecordedEndpoint = EndpointOwner & { id: number; url: string };

/** The caller for the gateway's own actions. */
export const SYSTEM = { kind: 'system', name: 'webhooks.send' } as const;

/** Records an entry in the trail of the organization, or of the user. */
export function recordEndpoint(
  tx: Queryable,
  actor: Actor | Caller,
  { id, url, ...owner }: RecordedEndpoint,
  facts: AuditFacts,
): Promise<void> {
  const name = hostOf(url);
  if (owner.userId !== null)
    return record(tx, actor, { ...facts, userId: owner.userId, subject: usersSubject({ ...owner, id, url }) });
  const { organizationId } = owner;
  return record(tx, actor, { ...facts, organizationId, subject: { type: 'WEBHOOK_ENDPOINT', id, name } });
}

/** The subject of a user's endpoint, also in the trails of organizations. */
export function usersSubject({ userId, id, url }: { userId: string; id: number; url: string }) {
  return { type: 'USER_WEBHOOK_ENDPOINT', id, name: new PersonalValue(userId, hostOf(url)) } as const;
}

export function hostOf(url: string): string {
  return new URL(url).host;
}

/** Disables an enabled endpoint, and fails its pending deliveries. */
export async function disable(
  tx: Queryable,
  actor: Actor | Caller,
  { id, reason, at }: { id: number; reason: WebhookDisabledReason; at: Date },
): Promise<void> {
  const endpoint = await disableEndpoint.first(tx, { id, reason, now: at });
  if (endpoint === undefined) return;
  await giveUpPending(tx, { id, error: DISABLED });
  const changes = { status: { before: 'ENABLED', after: 'DISABLED' }, disabledReason: { after: reason } };
  const facts = { action: 'WEBHOOK_ENDPOINT_DISABLED', at, changes } as const;
  await recordEndpoint(tx, actor, endpoint, facts);
  const { userId } = endpoint;
  const place = userId === null ? undefined : await placeOf.first(tx, { userId });
  if (userId === null || place === undefined) return;
  // The entry that notifies its user.
  await record(tx, actor, {
    ...facts,
    ...place,
    subject: usersSubject({ ...endpoint, userId }),
    changes: { ...changes, user: { after: userId } },
  });
}

export const [DISABLED, REMOVED] = ['The endpoint was disabled.', 'The endpoint was deleted.'];

/** Deletes a locked endpoint, and fails its pending deliveries. */
export async function remove(
  tx: Queryable,
  actor: Actor | Caller,
  endpoint: RecordedEndpoint,
  at: Date,
): Promise<void> {
  const { id, userId, url } = endpoint;
  await removeEndpoint.all(tx, { id, now: at });
  await giveUpPending(tx, { id, error: REMOVED });
  const host = userId === null ? hostOf(url) : new PersonalValue(userId, hostOf(url));
  await recordEndpoint(tx, actor, endpoint, {
    ...{ action: 'WEBHOOK_ENDPOINT_DELETED', at },
    changes: { host: { before: host } },
  });
}

/** Deletes the endpoints of an erased user. */
export async function removeWebhooksOf(tx: Queryable, actor: Actor, userId: string, at: Date): Promise<void> {
  for (const endpoint of await endpointsOfUser.all(tx, { userId })) await remove(tx, actor, endpoint, at);
}

/**
 * Locks the endpoints that `disableWebhooksOf` and `removeWebhooksOf` may change. Call it before anything is
 * recorded: changes of endpoints lock them before the trail, and another order would deadlock.
 */
export async function lockWebhooks(tx: Queryable, organizationIds: readonly number[], userId?: string): Promise<void> {
  await lockAllOf.all(tx, { organizationIds, userId: userId ?? null });
}

/** Disables the endpoints of a member who may no longer manage webhooks, until a manager enables them. */
export async function disableWebhooksOf(
  tx: Queryable,
  actor: Actor | Caller,
  { organizationId, userId, at }: { organizationId: number; userId: string; at: Date },
): Promise<void> {
  for (const { id } of await enabledBy.all(tx, { organizationId, userId }))
    await disable(tx, actor, { id, reason: 'MEMBER_LEFT', at });
}
