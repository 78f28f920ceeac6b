import type { EntityManager } from '@mikro-orm/postgresql';
import { digestToken, generateInvitationSecret } from '../../access/token.js';
import { Invitation } from '../../entities/invitation.js';
import type { Organization } from '../../entities/organization.js';
import { LIMITS } from '../../vocabulary/limits.js';
import type { Role } from '../../vocabulary/roles.js';
import type { People } from './people.js';
import type { Timeline } from './timeline.js';

interface DemoInvitation {
  email: string;
  role: Role;
  by: 'owner' | 'manager';
  sentDaysAgo: number;
  mailsSent: number;
  acceptedDaysAgo?: number;
  cancelledDaysAgo?: number;
}

const INVITATIONS: readonly DemoInvitation[] = [
  {
    email: 'chiara.villa@valdoria.example.com',
    role: 'VIEWER',
    by: 'owner',
    sentDaysAgo: 8.2,
    mailsSent: 1,
    acceptedDaysAgo: 7.8,
  },
  { email: 'f.ricci@auditor.example.com', role: 'VIEWER', by: 'owner', sentDaysAgo: 40, mailsSent: 3 },
  {
    email: 'luca.morettti@valdoria.example.com',
    role: 'SECURITY_ANALYST',
    by: 'manager',
    sentDaysAgo: 3,
    mailsSent: 1,
    cancelledDaysAgo: 2.9,
  },
  {
    email: 'luca.moretti@valdoria.example.com',
    role: 'SECURITY_ANALYST',
    by: 'manager',
    sentDaysAgo: 2.9,
    mailsSent: 1,
  },
  { email: 'irene.galli@valdoria.example.com', role: 'SECURITY_OFFICER', by: 'owner', sentDaysAgo: 0.4, mailsSent: 2 },
];

/** One that was accepted, one that nobody has answered, one that was mistyped, and two that are open. Their secrets were never sent anywhere. */
export function createInvitations(
  em: EntityManager,
  organization: Organization,
  { people, timeline }: { people: People; timeline: Timeline },
): void {
  const ago = (days: number | undefined) => (days === undefined ? null : timeline.daysAgo(days));
  for (const { email, role, by, sentDaysAgo, mailsSent, acceptedDaysAgo, cancelledDaysAgo } of INVITATIONS) {
    const invitation = em.create(Invitation, {
      organization,
      email,
      role,
      invitedBy: people[by],
      digest: digestToken(generateInvitationSecret()),
      sentAt: Array.from({ length: mailsSent }, () => timeline.daysAgo(sentDaysAgo).toISOString()),
      createdAt: timeline.daysAgo(sentDaysAgo),
      expiresAt: timeline.daysAgo(sentDaysAgo - LIMITS.invitation.days),
      acceptedAt: ago(acceptedDaysAgo),
      closedAt: ago(cancelledDaysAgo),
    });
    em.persist(invitation);
  }
}
