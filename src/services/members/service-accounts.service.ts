import { randomInt, randomUUID } from 'node:crypto';
import { userOf, type Actor, type Caller, type UserCaller } from '../../auth/caller.js';
import { manages, roleHas } from '../../auth/roles.js';
import { isUuid } from '../../common/formats.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { visibleText } from '../../common/visible-text.js';
import type { PageRequest } from '../../database/cursor.js';
import type { Queryable } from '../../database/database.js';
import { conflict, found, inputError, notFound, refuseErrors, requireVersion, type FieldError } from '../../errors.js';
import type { Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { changesBetween } from '../audit/record.js';
import { disableWebhooksOf, lockWebhooks } from '../webhooks/endpoint-records.js';
import { recordServiceAccount, type TokenOwner } from '../audit/subjects.js';
import type { Foundation } from '../foundation.js';
import { activeAmong, lockedMembers, lockMembers, managingRole, requireManaged } from './members.service.js';
import {
  accountFacts,
  accountListing,
  accountProjection,
  countAccounts,
  describeAccount,
  END_ACCOUNT,
  insertAccount,
  insertAccountUser,
  joinOrganization,
  oneAccount,
  releaseAccounts,
  renameAccount,
  setAccountRole,
  type ServiceAccountFacts,
} from './service-account-records.js';

export interface ServiceAccountKey {
  organizationId: number;
  /** The id of its user; a text that is no UUID matches none. */
  serviceAccountId: string;
  /** The expected version; any version when null or absent. */
  version?: number | null;
}

export interface NewServiceAccount {
  organizationId: number;
  name: string;
  description?: string | null;
  role: Role;
  /** The responsible member; defaults to the caller. */
  responsibleId?: string | null;
}

/** Change of a service account; absent values stay. */
export interface ServiceAccountChange extends ServiceAccountKey, Partial<Omit<NewServiceAccount, 'name' | 'role'>> {
  organizationId: number;
  name?: string | null;
  role?: Role | null;
}

/** A service account, with the columns for authorization. */
export interface ManagedServiceAccount {
  organizationId: number;
  role: Role;
}

/** Callers that belong to an organization and not to a person (docs/service-accounts.md). */
export class ServiceAccountService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>) {}

  /** Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'LIST_SERVICE_ACCOUNTS', organizationId);
  }

  /** Those of each organization by name, in one statement. */
  async ofOrganizations(organizationIds: readonly number[], page: PageRequest, selection: ListSelection) {
    const request = { page, ...accountProjection.list(selection) };
    return accountListing.ofMany<object, number>(this.deps.database, organizationIds, request);
  }

  /** Throws NOT_FOUND for a missing one, and for one of another organization than the named one. */
  async read(
    caller: Caller,
    key: Pick<ServiceAccountKey, 'serviceAccountId'> & { organizationId?: number },
    selection: Selection,
  ) {
    await this.authorizeRead(caller, key);
    return this.one(key.serviceAccountId, selection);
  }

  /** Reads an account for a caller who may list those of its organization. */
  async authorizeRead(
    caller: Caller,
    { organizationId, serviceAccountId }: Pick<ServiceAccountKey, 'serviceAccountId'> & { organizationId?: number },
  ): Promise<ServiceAccountFacts> {
    if (organizationId !== undefined) await this.authorizeList(caller, organizationId);
    const account = await factsOf(this.deps.database, serviceAccountId);
    if (organizationId !== undefined && account.organizationId !== organizationId) throw notFound();
    await this.authorizeList(caller, account.organizationId);
    return account;
  }

  /** Not authorized here: for the answer to a write. */
  async one(id: string, selection: Selection, tx: Queryable = this.deps.database): Promise<object> {
    return found(await oneAccount(accountProjection.of(selection)).first(tx, { id: id.toLowerCase() }));
  }

  /**
   * Throws FORBIDDEN for a role that the caller does not manage, BAD_USER_INPUT for the highest role and a responsible
   * person who is no active member, and CONFLICT at the maximum number.
   */
  async create(caller: Caller, input: NewServiceAccount, selection: Selection): Promise<object> {
    const { access, database, now } = this.deps;
    const { organizationId, role } = input;
    await access.authorize(caller, 'MANAGE_SERVICE_ACCOUNTS', organizationId);
    const user = userOf(caller);
    const name = visibleText(input.name).trim();
    const responsible = input.responsibleId ?? (user.serviceOf === undefined ? user.userId : null);
    const errors = responsible === null ? [REQUIRED] : [];
    return database.transaction(async (tx) => {
      const responsibleId = await this.decide(tx, user, { organizationId, roles: [role], responsible, errors });
      const { accounts } = await countAccounts.one(tx, { organizationId });
      if (accounts >= LIMITS.serviceAccount.perOrganization) throw conflict('SERVICE_ACCOUNT_LIMIT');
      const at = now();
      const account = { organizationId, ...(await newUser(tx, organizationId, name, at)) };
      const { userId } = account;
      const description = descriptionFrom(input.description) ?? '';
      const written = { responsibleId: responsibleId!, createdById: user.userId, createdAt: at, updatedAt: at };
      await insertAccount.all(tx, { userId, organizationId, description, ...written });
      await joinOrganization.all(tx, { organizationId, userId, role, createdAt: at });
      const changes = changesBetween<object>({}, { name, description, role, responsible: responsibleId });
      await recordServiceAccount(tx, user, account, { action: 'SERVICE_ACCOUNT_CREATED', at, changes });
      return this.one(userId, selection, tx);
    });
  }

  /** Throws as `create` does, and NOT_FOUND. Absent and null leave a field unchanged. */
  async update(caller: Caller, input: ServiceAccountChange, selection: Selection): Promise<object> {
    const { access, database, now } = this.deps;
    const { organizationId } = input;
    await access.authorize(caller, 'MANAGE_SERVICE_ACCOUNTS', organizationId);
    const user = userOf(caller);
    const name = input.name == null ? undefined : visibleText(input.name).trim();
    const answer = await database.transaction(async (tx) => {
      const before = await this.managed(tx, user, input, input);
      const { userId } = before;
      const after = {
        name: name ?? before.name,
        description: descriptionFrom(input.description) ?? before.description,
        role: input.role ?? before.role,
        responsible: input.responsibleId?.toLowerCase() ?? before.responsibleId,
      };
      const changes = changesBetween<object>({ ...before, responsible: before.responsibleId }, after);
      if (Object.keys(changes).length > 0) {
        const { description, responsible: responsibleId } = after;
        const mayWebhooks = roleHas(after.role, 'MANAGE_WEBHOOKS');
        if (!mayWebhooks) await lockWebhooks(tx, [organizationId]);
        await describeAccount.all(tx, { id: userId, description, responsibleId, now: now() });
        if ('name' in changes) await renameAccount.all(tx, { id: userId, name: after.name });
        if ('role' in changes) await setAccountRole.all(tx, { id: userId, role: after.role });
        await recordServiceAccount(tx, user, before, { action: 'SERVICE_ACCOUNT_UPDATED', at: now(), changes });
        if (!mayWebhooks) await disableWebhooksOf(tx, user, { organizationId, userId, at: now() });
      }
      return { userId, record: await this.one(userId, selection, tx) };
    });
    // Invalidates this instance's cache without waiting for the database's notification.
    access.cache.announced(`m:${answer.userId}:${organizationId}`);
    return answer.record;
  }

  /** Revokes its tokens and returns it as it was. Throws as `update` does. */
  async delete(caller: Caller, key: ServiceAccountKey, selection: Selection): Promise<object> {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'MANAGE_SERVICE_ACCOUNTS', key.organizationId);
    const user = userOf(caller);
    const { userId, record } = await database.transaction(async (tx) => {
      const account = await this.managed(tx, user, key);
      const { userId, name, role } = account;
      const record = await this.one(userId, selection, tx);
      await lockWebhooks(tx, [key.organizationId]);
      for (const each of END_ACCOUNT) await each.all(tx, { id: userId, now: now() });
      const changes = { name: { before: name }, role: { before: role } };
      await recordServiceAccount(tx, user, account, { action: 'SERVICE_ACCOUNT_DELETED', at: now(), changes });
      await disableWebhooksOf(tx, user, { organizationId: key.organizationId, userId, at: now() });
      return { userId, record };
    });
    access.cache.announced(`u:${userId}`);
    return record;
  }

  /** Authorizes changes of service accounts' tokens. Throws NOT_FOUND and FORBIDDEN. */
  async authorizeTokens(caller: Caller, { organizationId }: ServiceAccountKey): Promise<UserCaller> {
    await this.deps.access.authorize(caller, 'MANAGE_SERVICE_ACCOUNTS', organizationId);
    return userOf(caller);
  }

  /** An account whose tokens the caller may change, locked against deletion. Throws NOT_FOUND and FORBIDDEN. */
  async tokenOwner(tx: Queryable, user: UserCaller, key: ServiceAccountKey): Promise<TokenOwner> {
    const { userId, username } = await this.managed(tx, user, key);
    return { userId, username, serviceOf: key.organizationId };
  }

  /** Changes of it and of its tokens that this caller may make. */
  async permissions(caller: Caller, { organizationId, role }: ManagedServiceAccount) {
    const { access } = this.deps;
    const may = await access.allows(caller, 'MANAGE_SERVICE_ACCOUNTS', organizationId);
    const actor = may ? await managingRole(access, caller, organizationId) : undefined;
    const managed = actor !== undefined && manages(actor, role);
    return { update: managed, delete: managed, manageTokens: managed };
  }

  /** An account that the caller manages in its present role and in that of a change, under the lock of the members. */
  private async managed(
    tx: Queryable,
    user: UserCaller,
    { organizationId, serviceAccountId, version }: ServiceAccountKey,
    { role, responsibleId }: Pick<ServiceAccountChange, 'role' | 'responsibleId'> = {},
  ): Promise<ServiceAccountFacts> {
    await lockMembers(tx, organizationId);
    const account = await factsOf(tx, serviceAccountId);
    if (account.organizationId !== organizationId) throw notFound();
    const roles = [account.role, ...(role == null ? [] : [role])];
    // A deactivated member stays responsible, and may be sent back.
    const isSame = responsibleId?.toLowerCase() === account.responsibleId;
    const responsible = isSame ? null : (responsibleId ?? null);
    await this.decide(tx, user, { organizationId, roles, responsible, errors: [] });
    requireVersion(account, version);
    return account;
  }

  /**
   * Under the lock: whether the caller manages these roles, and the responsible member from now on. Throws
   * BAD_USER_INPUT together with the given errors.
   */
  private async decide(
    tx: Queryable,
    user: UserCaller,
    { organizationId, roles, responsible, errors }: Decision,
  ): Promise<string | null> {
    const id = responsible === null || !isUuid(responsible) ? null : responsible.toLowerCase();
    const members = await lockedMembers(tx, organizationId, id === null ? [user.userId] : [user.userId, id]);
    const actor = found(activeAmong(members, user.userId));
    if (errors.length === 0)
      for (const role of roles) requireManaged(this.deps.access, user, { actor: actor.role, role, organizationId });
    const isNoMember = responsible !== null && (id === null || !activeAmong(members, id)?.isPerson);
    const all = [...errors, ...(isNoMember ? [NO_MEMBER] : [])];
    refuseErrors(all);
    return id;
  }
}

/** When a membership ends, its service accounts remain, and the entries notify their managers. */
export async function releaseServiceAccounts(
  tx: Queryable,
  actor: Actor | Caller,
  { organizationId, userId, at }: { organizationId: number; userId: string; at: Date },
): Promise<void> {
  const changes = { responsible: { before: userId, after: null } };
  for (const account of await releaseAccounts.all(tx, { organizationId, userId, now: at }))
    await recordServiceAccount(
      tx,
      actor,
      { organizationId, ...account },
      { action: 'SERVICE_ACCOUNT_UPDATED', at, changes },
    );
}

async function factsOf(database: Queryable, id: string): Promise<ServiceAccountFacts> {
  if (!isUuid(id)) throw notFound();
  return found(await accountFacts.first(database, { id: id.toLowerCase() }));
}

const REQUIRED = inputError('responsibleId', 'is required where a service account creates another one');
const NO_MEMBER = inputError('responsibleId', 'must be an active member of the organization');

interface Decision {
  organizationId: number;
  roles: Role[];
  responsible: string | null;
  errors: readonly FieldError[];
}

function descriptionFrom(given: string | null | undefined): string | undefined {
  return given === undefined ? undefined : visibleText(given ?? '').trim();
}

/** Its user name is derived from its first name and does not change. No person's user name has a colon. */
async function newUser(tx: Queryable, organizationId: number, name: string, now: Date) {
  const letters = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '');
  const words = [...letters].slice(0, 40).join('').replace(/-$/, '');
  const base = `service-account:${organizationId}:${words || 'account'}`;
  for (let digits = 0; digits <= 9; digits += 1) {
    const username = digits === 0 ? base : `${base}-${String(randomInt(10 ** digits)).padStart(digits, '0')}`;
    const userId = randomUUID();
    if ((await insertAccountUser.first(tx, { id: userId, username, name, now })) !== undefined)
      return { userId, username };
  }
  throw new Error('No user name is left');
}
