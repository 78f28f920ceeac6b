import type { Database } from '../../../src/database/database.js';
import { buildAuditEntry } from '../../support/audit.js';
import { buildAttestable } from '../../support/attestations.js';
import { buildInvitation, buildRecovery } from '../../support/people.js';
import { seedOrganization, type SeededOrganization } from '../../support/seeded-organization.js';
import { buildOrganization, buildPerson, buildToken, join, type Person } from '../../support/test-data.js';
import type { TestGateway } from '../../support/gateway.js';

/** Callers, besides a service account and a directory. */
export const PEOPLE = ['owner', 'heir', 'manager', 'officer', 'analyst', 'viewer', 'invitee'] as const;
export type Name = (typeof PEOPLE)[number] | 'auditor' | 'account';

/** An organization with one object of each kind, and its people, used by one run only. */
export interface Fixture extends Omit<SeededOrganization, 'memberId' | 'auditorId'> {
  database: Database;
  organizationId: number;
  people: Readonly<Record<Name | 'member', Person>>;
  /** A token of the manager: not the calling one. */
  managersTokenId: number;
  /** The calling token of the manager. */
  callingTokenId: number;
  /** The secret of the invitee's invitation. */
  secret: string;
  inviteesInvitationId: number;
  recovery: string;
  domain: string;
  gateway: TestGateway;
}

export async function buildFixture(gateway: TestGateway): Promise<Fixture> {
  const { database } = gateway.app;
  // Names and domains that only one provider may have, and links whose number is limited for a network.
  await database.rows('delete from identity_provider');
  await database.rows('delete from token_recovery');
  const organizationId = await buildOrganization(database, 'Of one run');
  const [owner, heir, manager, officer, analyst, viewer, invitee, member, auditor] = (await Promise.all(
    [...PEOPLE, 'member', 'examiner'].map((name) => buildPerson(database, name)),
  )) as [Person, Person, Person, Person, Person, Person, Person, Person, Person];
  await Promise.all([
    join(database, owner, organizationId, 'ORGANIZATION_OWNER'),
    join(database, heir, organizationId, 'ORGANIZATION_OWNER'),
    join(database, manager, organizationId, 'ORGANIZATION_MANAGER'),
    join(database, officer, organizationId, 'SECURITY_OFFICER'),
    join(database, analyst, organizationId, 'SECURITY_ANALYST'),
    join(database, viewer, organizationId, 'VIEWER'),
    join(database, member, organizationId, 'VIEWER'),
  ]);
  const seeded = await seedOrganization(database, organizationId, owner);
  const one = async <Value>(text: string, values: unknown[]) =>
    (await database.rows<{ value: Value }>(text, values))[0]!.value;
  const newest = (userId: string) => one<number>('select max(id) as value from api_token where user_id = $1', [userId]);
  const callingTokenId = await newest(manager.id);
  await buildToken(database, manager, {});
  await buildAttestable(database, organizationId, owner);
  await database.rows('insert into engagement_auditor (engagement_id, user_id) values ($1, $2)', [
    seeded.engagementId,
    auditor.id,
  ]);
  const account = {
    id: seeded.serviceAccountId,
    username: await one<string>('select username as value from app_user where id = $1', [seeded.serviceAccountId]),
    token: await buildToken(database, { id: seeded.serviceAccountId }, {}),
  };
  await database.rows(`update service_account set responsible_id = $2 where user_id = $1`, [account.id, manager.id]);
  await database.rows(`update webhook_endpoint set enabled_by_id = $2 where organization_id = $1`, [
    organizationId,
    manager.id,
  ]);
  const invitation = await buildInvitation(database, {
    organizationId,
    owner,
    email: `${invitee.username}@example.com`,
  });
  await buildAuditEntry(database, organizationId);
  return {
    ...seeded,
    database,
    gateway,
    organizationId,
    people: { owner, heir, manager, officer, analyst, viewer, invitee, member, auditor, account },
    managersTokenId: await newest(manager.id),
    callingTokenId,
    secret: invitation.secret,
    inviteesInvitationId: invitation.id,
    recovery: await buildRecovery(database, manager),
    domain: 'example.com',
  };
}
