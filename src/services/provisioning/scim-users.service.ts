import { randomUUID } from 'node:crypto';
import type { ScimCaller } from '../../auth/caller.js';
import { isEmailAddress, isUuid } from '../../common/formats.js';
import {
  absentResource,
  invalidValue,
  otherState,
  ScimError,
  uniqueness,
  type ScimPage,
  type ScimPageRequest,
  type ScimUserRecord,
  type ScimUserValues,
} from '../../common/scim-resources.js';
import { visibleText } from '../../common/visible-text.js';
import type { Queryable } from '../../database/database.js';
import { isTaken } from '../../database/driver-errors.js';
import { ROLE_RANKS, type Role } from '../../values/enums.js';
import { PersonalValue } from '../audit/personal-values.js';
import { changesBetween, type FieldChange } from '../audit/record.js';
import { recordMember, recordUser } from '../audit/subjects.js';
import type { Foundation } from '../foundation.js';
import { addMember, newUser } from '../members/invitations.service.js';
import { lockMembers } from '../members/members.service.js';
import { endSignIns } from '../shared/ended-sign-ins.js';
import { lockUser } from '../shared/present-users.js';
import { refuseMoreMembers } from '../shared/quotas.js';
import { disableWebhooksOf } from '../webhooks/endpoint-records.js';
import { reachOf, authorizeDirectory, type Settings } from './settings-statements.js';
import * as statements from './user-statements.js';
import type { UserRow } from './user-statements.js';

type Deps = Pick<Foundation, 'database' | 'access' | 'config' | 'now'>;

interface UserKey {
  id: string;
  /** The expected versions; undefined for any. */
  versions: readonly string[] | undefined;
}

/** Parameters inside a change, under the lock of the members. */
interface Changing {
  tx: Queryable;
  caller: ScimCaller;
  settings: Settings;
  now: Date;
  /** Notifications that this instance does not wait for. */
  announced: string[];
}

/** The members of an organization as its directory provisions them (docs/scim.md). */
export class ScimUserService {
  constructor(private readonly deps: Deps) {}

  async list(
    { organizationId }: ScimCaller,
    { filter, offset, limit }: ScimPageRequest,
  ): Promise<ScimPage<ScimUserRecord>> {
    const wanted = (name: string) => (filter?.attribute === name ? filter.value : null);
    const filtered = {
      organizationId,
      userName: wanted('userName')?.toLowerCase() ?? null,
      externalId: wanted('externalId'),
    };
    const { database } = this.deps;
    const { total } = await statements.countUsers.one(database, filtered);
    return { total, items: await statements.usersOf.all(database, { ...filtered, offset, limit }) };
  }

  async read({ organizationId }: ScimCaller, id: string): Promise<ScimUserRecord> {
    return rowOf(this.deps.database, organizationId, id);
  }

  /**
   * Creates a member: for a new user, or for the user of the address, in a verified domain of the organization. A member who
   * joined otherwise is linked if the settings allow it, else a conflict.
   */
  async create(caller: ScimCaller, values: ScimUserValues): Promise<ScimUserRecord> {
    return this.change(caller, async (changing) => {
      const { organizationId } = caller;
      const { tx, now } = changing;
      const email = emailOf(values);
      await requireProven(tx, organizationId, email);
      await refuseTaken(tx, organizationId, { ...values, email }, null);
      const { userId, membershipId, madeUser, username, changes, byHand } = await this.admit(changing, values, email);
      const id = randomUUID();
      const written = { ...writtenOf(values, email, now), active: values.active || byHand };
      await statements.insertScimUser.all(tx, {
        ...{ ...written, id, organizationId, membershipId, madeUser, createdAt: now },
      });
      const action = 'role' in changes && changes['role']?.before === undefined ? 'MEMBER_JOINED' : 'MEMBER_UPDATED';
      const said = changesBetween(personalOf(userId, NOTHING), personalOf(userId, values));
      const facts = { action, at: now, changes: { ...said, ...changes, scim: { after: id } } } as const;
      await recordMember(tx, caller, { organizationId, userId, username }, facts);
      changing.announced.push(`m:${userId}:${organizationId}`);
      return rowOf(tx, organizationId, id);
    });
  }

  /** `decide` computes the new state of a user from its present one, under the lock. */
  async update(
    caller: ScimCaller,
    { id, versions }: UserKey,
    decide: (before: ScimUserValues) => ScimUserValues,
  ): Promise<ScimUserRecord> {
    return this.change(caller, async (changing) => {
      const { organizationId } = caller;
      const { tx, now } = changing;
      const before = await rowOf(tx, organizationId, id);
      requireState(before, versions);
      const values = decide(before);
      const { userId, username } = before;
      const changes: Record<string, FieldChange> = {
        ...changesBetween(personalOf(userId, before), personalOf(userId, values)),
        ...changesBetween<object>({ active: before.active }, { active: values.active }),
      };
      if (Object.keys(changes).length === 0) return before;
      requireReach(changing, before);
      const email = emailOf(values);
      if (email !== before.email) {
        await requireProven(tx, organizationId, email);
        if ((await statements.memberWithEmail.first(tx, { organizationId, email, userId })) !== undefined)
          throw uniqueness(TAKEN);
      }
      await refuseTaken(tx, organizationId, { ...values, email }, id);
      if (values.active !== before.active) await this.setActive(changing, before, values.active);
      // Manual changes in the gateway are not values of the directory.
      const active = values.active || (values.active === before.active && before.saysActive);
      await statements.writeScimUser.all(tx, { ...writtenOf(values, email, now), active, id });
      if ('userName' in changes) await statements.touchGroupsOf.all(tx, { organizationId, id, now });
      const account = before.madeUser ? await rename(tx, organizationId, userId, values, email) : {};
      await recordMember(
        tx,
        caller,
        { organizationId, userId, username },
        { action: 'MEMBER_UPDATED', at: now, changes },
      );
      await recordUser(tx, caller, { userId, username }, { action: 'PROFILE_UPDATED', at: now, changes: account });
      return rowOf(tx, organizationId, id);
    });
  }

  /** Deactivates the member, and hides it. */
  async delete(caller: ScimCaller, { id, versions }: UserKey): Promise<void> {
    await this.change(caller, async (changing) => {
      const { organizationId } = caller;
      const { tx, now } = changing;
      const before = await rowOf(tx, organizationId, id);
      requireState(before, versions);
      requireReach(changing, before);
      if (before.active) await this.setActive(changing, before, false);
      await statements.hideScimUser.all(tx, { id, saysActive: !before.active && before.saysActive, now });
      const changes = { ...changesBetween<object>(before, { active: false }), scim: { before: id } };
      await recordMember(tx, caller, { organizationId, ...before }, { action: 'MEMBER_UPDATED', at: now, changes });
    });
  }

  private async change<Result>(caller: ScimCaller, work: (changing: Changing) => Promise<Result>): Promise<Result> {
    const announced: string[] = [];
    const change = () =>
      this.deps.database.transaction(async (tx) => {
        await lockMembers(tx, caller.organizationId);
        const now = this.deps.now();
        const settings = await authorizeDirectory(tx, caller, now);
        return work({ tx, caller, settings, now, announced });
      });
    // A user who has got the address since the lookup is seen now.
    const result = await change().catch((error: unknown) => {
      if (isTaken(error)) return change();
      throw error;
    });
    for (const payload of announced) this.deps.access.cache.announced(payload);
    return result;
  }

  /** The member for a new user of the directory, and its changes. */
  private async admit(changing: Changing, values: ScimUserValues, email: string) {
    const { tx, caller, settings, now } = changing;
    const { organizationId } = caller;
    const known = await statements.personOf.first(tx, { organizationId, email });
    if (known !== undefined && !(await lockUser(tx, known.userId)))
      throw new ScimError(403, 'The person cannot be provisioned');
    if (known?.membershipId == null) {
      await refuseMoreMembers(tx, organizationId, this.deps.config.quotas);
      const names = { firstName: values.givenName, lastName: values.familyName };
      const made = known === undefined ? await newUser(tx, email, names, now) : undefined;
      const { userId, username } = known ?? { ...made!, userId: made!.id };
      const role = settings.defaultRole;
      const joined = await addMember.first(tx, { organizationId, userId, role, createdAt: now });
      if (!values.active) await statements.setAccess.all(tx, { organizationId, userId, role, active: false, now });
      const changes: Record<string, FieldChange> = { role: { after: role }, active: { after: values.active } };
      return { userId, username, membershipId: joined!.id, madeUser: made?.isNew === true, changes, byHand: false };
    }
    const { userId, username, membershipId, hasAccess, scimId, madeUser } = known;
    const role = known.role as Role;
    const isManaged = ROLE_RANKS[role] <= reachOf(settings);
    const comesBack = known.isDeleted && !hasAccess;
    if (!isManaged || (scimId !== null && !known.isDeleted) || (!comesBack && !settings.linkMembers))
      throw uniqueness(TAKEN);
    const byHand = !hasAccess && known.saysActive;
    if (values.active && byHand) throw new ScimError(403, DEACTIVATED_HERE);
    if (scimId !== null) await statements.dropScimUser.all(tx, { id: scimId });
    const after = { active: values.active, role: comesBack ? settings.defaultRole : role };
    const changes = changesBetween<object>({ active: hasAccess, role }, after);
    if (Object.keys(changes).length > 0) await statements.setAccess.all(tx, { organizationId, userId, ...after, now });
    if (hasAccess && !values.active) await this.endAccess(changing, userId);
    return { userId, username, membershipId, madeUser, changes, byHand };
  }

  private async setActive(changing: Changing, before: UserRow, active: boolean) {
    const { tx, caller, now, announced } = changing;
    const { organizationId } = caller;
    const { userId, role } = before;
    // Manual changes in the gateway stay.
    if (active && before.saysActive) throw new ScimError(403, DEACTIVATED_HERE);
    await statements.setAccess.all(tx, { organizationId, userId, role, active, now });
    announced.push(`m:${userId}:${organizationId}`);
    if (!active) await this.endAccess(changing, userId);
  }

  /** Ends everything that is not restored with a member's access. */
  private async endAccess({ tx, caller, now, announced }: Changing, userId: string) {
    const { organizationId } = caller;
    // Before anything is recorded: changes of a token lock it before the trail.
    for (const { digest } of await endSignIns.all(tx, { organizationId, userId, now })) announced.push(`t:${digest}`);
    await disableWebhooksOf(tx, caller, { organizationId, userId, at: now });
  }
}

const TAKEN = 'A member of the organization has this userName, externalId or e-mail address already';
const DEACTIVATED_HERE = 'The member was deactivated in the gateway, and is reactivated there';

const NOTHING: ScimUserValues = {
  ...{ userName: '', externalId: null, givenName: null, familyName: null, displayName: null, emails: [], active: true },
};

async function rowOf(database: Queryable, organizationId: number, id: string): Promise<UserRow> {
  const row = isUuid(id) ? await statements.userById.first(database, { organizationId, id }) : undefined;
  if (row === undefined) throw absentResource();
  return row;
}

/** A directory changes nothing of owners, and nothing of managers if no group assigns managers, including their names. */
function requireReach({ settings }: Changing, { role }: UserRow): void {
  if (ROLE_RANKS[role] > reachOf(settings))
    throw new ScimError(403, 'The role of the member is above those that the directory gives');
}

export function requireState(current: { version: string }, versions: readonly string[] | undefined): void {
  if (versions?.includes(current.version) === false) throw otherState();
}

/** The sign-in address: the primary one, that of work, the first one, or the user name. */
export function emailOf({ emails, userName }: Pick<ScimUserValues, 'emails' | 'userName'>): string {
  const address = emails.find(({ primary }) => primary) ??
    emails.find(({ type }) => type?.toLowerCase() === 'work') ??
    emails[0] ?? { value: userName };
  if (!isEmailAddress(address.value)) throw invalidValue('There must be an e-mail address, in emails or as userName');
  return address.value.toLowerCase();
}

/** The same answer for known and unknown addresses. */
async function requireProven(tx: Queryable, organizationId: number, email: string): Promise<void> {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if ((await statements.isProven.first(tx, { organizationId, domain })) === undefined)
    throw invalidValue('The domain of the e-mail address is not one that the organization has proven');
}

async function refuseTaken(
  tx: Queryable,
  organizationId: number,
  { userName, externalId, email }: Pick<ScimUserValues, 'userName' | 'externalId'> & { email: string },
  id: string | null,
): Promise<void> {
  const key = { organizationId, id, userName: userName.toLowerCase(), externalId, email };
  if ((await statements.takenBy.first(tx, key)) !== undefined) throw uniqueness(TAKEN);
}

/** Returns the changes of the account, for the user's trail. */
async function rename(tx: Queryable, organizationId: number, userId: string, values: ScimUserValues, email: string) {
  // Waits for transactions that add the account to other organizations; the next statement sees them.
  await lockUser(tx, userId);
  const before = await statements.accountOf.one(tx, { userId });
  const names = { firstName: shown(values.givenName), lastName: shown(values.familyName) };
  const after = await statements.renameUser.first(tx, { organizationId, userId, email, ...names });
  return after === undefined ? {} : changesBetween(sealed(userId, before), sealed(userId, after));
}

const shown = (name: string | null) => visibleText(name ?? '').trim();

function writtenOf(values: ScimUserValues, email: string, updatedAt: Date) {
  const { emails, userName } = values;
  const key = { userNameKey: userName.toLowerCase(), emails: JSON.stringify(emails) };
  return { ...values, ...key, email, updatedAt };
}

function sealed(userId: string, { firstName, lastName, email }: statements.Account) {
  const seal = (value: string) => new PersonalValue(userId, value);
  return { firstName: seal(firstName), lastName: seal(lastName), email: seal(email) };
}

/** Attributes by the directory, sealed under the user's key. */
function personalOf(userId: string, values: ScimUserValues) {
  const { userName, externalId, givenName, familyName, displayName, emails } = values;
  const seal = (value: string | null) => (value === null || value === '' ? null : new PersonalValue(userId, value));
  return {
    ...{ userName: seal(userName), externalId: seal(externalId), givenName: seal(givenName) },
    ...{ familyName: seal(familyName), displayName: seal(displayName) },
    // Type and primary flag decide which of them counts.
    emails: seal(
      emails
        .map(({ value, type, primary }) => [value, type, primary ? 'primary' : undefined].filter(Boolean).join(' '))
        .join(', '),
    ),
  };
}
