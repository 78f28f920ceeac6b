import type { Actor, Caller } from '../../auth/caller.js';
import { assign } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, found } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { PersonalValue } from '../audit/personal-values.js';
import { recordEngagement } from '../audit/subjects.js';

const a = table('engagement_auditor', 'a');
const e = table('engagement', 'e');
const m = table('membership', 'm');
const u = table('app_user', 'u');

/** An engagement that has not ended, with its number of auditors, and whether one of these addresses is theirs. */
const running = statement<{ organizationId: number; engagementId: number; email: string; now: Date }>()(
  (p) => sql<{ id: number; name: string; auditors: number; isAuditor: boolean; isMember: boolean }>`
    select ${e.id}, ${e.name},
           (select count(*) from ${a.table} where ${a.engagement_id} = ${e.id}) as auditors,
           exists (select from ${a.table} join ${u.table} on ${u.id} = ${a.user_id}
                    where ${a.engagement_id} = ${e.id} and ${u.email} = ${p('email')}) as "isAuditor",
           exists (select from ${m.table} join ${u.table} on ${u.id} = ${m.user_id}
                    where ${m.organization_id} = ${e.organization_id} and ${u.email} = ${p('email')}) as "isMember"
      from ${e.table}
     where ${e.id} = ${p('engagementId')} and ${e.organization_id} = ${p('organizationId')} and ${e.until} > ${p('now')}::timestamptz`,
);

const insert = statement<{ engagementId: number; userId: string; createdAt: Date }>()((p) =>
  db.insertInto('engagement_auditor').values(assign('engagement_auditor', p, ['engagementId', 'userId', 'createdAt'])),
);

interface Auditor {
  organizationId: number;
  engagementId: number;
  email: string;
  now: Date;
}

/** Throws NOT_FOUND for an ended engagement, and CONFLICT for members, its auditors, and at the maximum of auditors. */
export async function refuseAuditor(tx: Queryable, auditor: Auditor): Promise<{ id: number; name: string }> {
  const { id, name, auditors, isAuditor, isMember } = found(await running.first(tx, auditor));
  if (isMember) throw conflict('ALREADY_MEMBER');
  if (isAuditor) throw conflict('ALREADY_AUDITOR');
  if (auditors >= LIMITS.engagement.auditors) throw conflict('ENGAGEMENT_LIMIT');
  return { id, name };
}

/** Makes a user an auditor, not a member, under the lock of the members. Throws as `refuseAuditor` does. */
export async function joinEngagement(
  tx: Queryable,
  actor: Actor | Caller,
  auditor: Auditor & { userId: string; username: string; invitationId: number },
): Promise<void> {
  const { organizationId, userId, username, invitationId, now } = auditor;
  const engagement = await refuseAuditor(tx, auditor);
  await insert.all(tx, { engagementId: engagement.id, userId, createdAt: now });
  const changes = { auditor: { after: new PersonalValue(userId, username) }, invitation: { after: invitationId } };
  await recordEngagement(tx, actor, { organizationId, ...engagement }, { action: 'AUDITOR_JOINED', at: now, changes });
}
