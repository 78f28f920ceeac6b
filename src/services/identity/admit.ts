import type { Actor } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Placeholders } from '../../database/sql.js';
import type { Foundation } from '../foundation.js';
import { ROLE_RANKS, type Role } from '../../values/enums.js';
import { recordMember } from '../audit/subjects.js';
import { addMember, newUser } from '../members/invitations.service.js';
import { changeRoles } from '../members/role-change.js';
import { lockUser } from '../shared/present-users.js';
import { refuseMoreMembers } from '../shared/quotas.js';
import type { ProvenIdentity } from './provider-client.js';
import type { KnownProvider } from './flow.js';

/** Why a user known to the provider is not admitted. */
export type PersonRefusal = 'UNKNOWN_PERSON' | 'NO_MEMBER' | 'DEACTIVATED' | 'LINKED_TO_ANOTHER';

/** A user found by a sign-in. */
interface Person {
  id: string;
  username: string;
  personalKey: Buffer | null;
  email: string;
  isLinked: boolean;
  /** Linked to another subject of the issuer. */
  isAnother: boolean;
  role: Role | null;
  isDeactivatedMember: boolean;
}

const s = table('scim_user', 's');
const m = table('membership', 'm');
const i = table('user_identity', 'i');
const k = table('user_identity', 'k');
const u = table('app_user', 'u');
const t = table('api_token', 't');

interface Sought {
  issuer: string;
  subject: string;
  email: string | null;
  organizationId: number;
  directoryIds: readonly string[];
  domains: readonly string[];
}

/**
 * The user that the organization's directory has created for the person, under an id that the provider has as well; only
 * until its first use, so that a directory decides only at first who the user is.
 */
const provisionedUser = (p: Placeholders<Sought>) => sql<string>`(
  select ${m.user_id} from ${s.table} join ${m.table} on ${m.id} = ${s.membership_id}
   where ${s.organization_id} = ${p('organizationId')} and ${s.external_id} = any(${p('directoryIds')}::text[])
     and ${s.deleted_at} is null and ${s.made_user} and split_part(${s.email}, '@', 2) = any(${p('domains')}::text[])
     and not exists (select from ${k.table} where ${k.user_id} = ${m.user_id})
     and not exists (select from ${t.table} where ${t.user_id} = ${m.user_id}) limit 1)`;

const person = statement<Sought>()((p) =>
  db
    .selectFrom('app_user as u')
    .leftJoin('user_identity as i', (join) =>
      join.onRef('i.user_id', '=', 'u.id').on('i.issuer', '=', p('issuer')).on('i.subject', '=', p('subject')),
    )
    .leftJoin('membership as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').on('m.organization_id', '=', p('organizationId')),
    )
    .select(['u.id', 'u.username', 'u.personal_key as personalKey', 'u.email', 'm.role'])
    .select((eb) => [
      eb('i.id', 'is not', null).$castTo<boolean>().as('isLinked'),
      sql<boolean>`(${i.id} is null and exists (select from ${k.table}
          where ${k.user_id} = ${u.id} and ${k.issuer} = ${p('issuer')}))`.as('isAnother'),
      eb('m.deactivated_at', 'is not', null).$castTo<boolean>().as('isDeactivatedMember'),
    ])
    .where((eb) =>
      eb(
        'u.id',
        '=',
        eb.fn.coalesce(
          eb
            .selectFrom('user_identity as k')
            .select('k.user_id')
            .where('k.issuer', '=', p('issuer'))
            .where('k.subject', '=', p('subject')),
          provisionedUser(p),
          eb.selectFrom('app_user as a').select('a.id').where('a.email', '=', p('email')),
        ),
      ),
    ),
);

const link = statement<{ issuer: string; subject: string; userId: string; createdAt: Date }>()((p) =>
  db
    .insertInto('user_identity')
    .values({ issuer: p('issuer'), subject: p('subject'), user_id: p('userId'), created_at: p('createdAt') })
    .onConflict((clash) => clash.columns(['issuer', 'subject']).doNothing())
    .returning('id'),
);

const holder = statement<{ issuer: string; subject: string }>()((p) =>
  db
    .selectFrom('user_identity')
    .select('user_id as userId')
    .where('issuer', '=', p('issuer'))
    .where('subject', '=', p('subject')),
);

interface SigningIn {
  provider: KnownProvider;
  identity: ProvenIdentity;
  now: Date;
  origin: Actor['origin'];
}

/**
 * The member of a sign-in, linked, admitted and with the role by the provider's settings; or why not, in which case the
 * transaction must be rolled back. Call it after `lockMembers`, so that roles do not change before the person has its own.
 */
export async function admit(
  tx: Queryable,
  { provider, identity, now, origin }: SigningIn,
  quotas: Foundation['config']['quotas'],
): Promise<{ userId: string; actor: Actor & { kind: 'user' }; username: string } | PersonRefusal> {
  const { organizationId, issuer, domains } = provider;
  const { subject, email } = identity;
  const isOwnDomain = email !== null && domains.includes(email.slice(email.lastIndexOf('@') + 1));
  // An address outside of the organization's verified domains proves nothing.
  const trusted = isOwnDomain ? email : null;
  const { directoryIds } = identity;
  const sought = { issuer, subject, email: trusted, organizationId, directoryIds, domains };
  let known: Person | undefined = await person.first(tx, sought);
  const mapped = mappedRole(provider, identity);
  const wanted = mapped ?? provider.defaultRole;
  if (known === undefined) {
    if (trusted === null) return 'UNKNOWN_PERSON';
    if (wanted === null) return 'NO_MEMBER';
    const user = await newUser(tx, trusted, identity, now);
    known = { ...user, email: trusted, isLinked: false, isAnother: false, role: null, isDeactivatedMember: false };
  }
  // The provider may have given the address to another person since.
  if (known.isAnother) return 'UNKNOWN_PERSON';
  if (known.isDeactivatedMember) return 'DEACTIVATED';
  const { id: userId, username, personalKey } = known;
  if (!(await lockUser(tx, userId))) return 'DEACTIVATED';
  const actor = { kind: 'user', userId, personalKey, ...(origin && { origin }) } as const;
  const member = { organizationId, userId, username };
  const by = { provider: { after: provider.id } };
  if (known.role === null) {
    // A subject may be linked to an account with an address of another organization: such a user must be invited.
    const mayJoin = trusted !== null && wanted !== null && known.email === trusted;
    if (!mayJoin) return 'NO_MEMBER';
    await refuseMoreMembers(tx, organizationId, quotas);
    const joined = await addMember.first(tx, { organizationId, userId, role: wanted, createdAt: now });
    if (joined !== undefined) {
      const changes = { role: { after: wanted }, ...by };
      await recordMember(tx, actor, member, { action: 'MEMBER_JOINED', at: now, changes });
    }
  }
  const isTheirs = known.isLinked || (await linkTo(tx, actor, { provider, subject, username, now }));
  // Another user was linked in the meantime.
  if (!isTheirs) return 'LINKED_TO_ANOTHER';
  const isMapped = known.role !== null && known.role !== 'ORGANIZATION_OWNER' && mapped !== null;
  if (isMapped && mapped !== known.role) {
    const members = [{ userId, username, before: known.role as Role, after: mapped }];
    await changeRoles(tx, BY_PROVIDER, { organizationId, members, at: now, by });
  }
  return { userId, actor, username };
}

export const BY_PROVIDER = { kind: 'system', name: 'identity-provider' } as const;

/** Links a user to a subject of the issuer and records it in the organization's trail; false if another user has it. */
export async function linkTo(
  tx: Queryable,
  actor: Actor & { kind: 'user' },
  about: { provider: KnownProvider; subject: string; username: string; now: Date },
): Promise<boolean> {
  const { provider, subject, username, now } = about;
  const { organizationId, issuer } = provider;
  const linked = await link.first(tx, { issuer, subject, userId: actor.userId, createdAt: now });
  if (linked === undefined) return (await holder.first(tx, { issuer, subject }))?.userId === actor.userId;
  const member = { organizationId, userId: actor.userId, username };
  const changes = { issuer: { after: issuer }, provider: { after: provider.id } };
  await recordMember(tx, actor, member, { action: 'IDENTITY_LINKED', at: now, changes });
  return true;
}

/** The highest of the roles of the person's groups. */
function mappedRole(provider: KnownProvider, identity: ProvenIdentity): Role | null {
  return mappedGroups(provider, identity)[0]?.role ?? null;
}

/** The group that decides the user's role; empty without one. */
export function decisiveGroup(provider: KnownProvider, identity: ProvenIdentity): string[] {
  return mappedGroups(provider, identity)
    .slice(0, 1)
    .map(({ group }) => group);
}

function mappedGroups({ groupRoles }: KnownProvider, { groups }: ProvenIdentity) {
  const mapped = groupRoles.filter(({ group }) => groups.includes(group));
  return mapped.sort((one, other) => ROLE_RANKS[other.role] - ROLE_RANKS[one.role]);
}
