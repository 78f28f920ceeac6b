import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { Membership } from '../../entities/membership.js';
import type { Organization } from '../../entities/organization.js';
import { User } from '../../entities/user.js';
import type { Role } from '../../vocabulary/roles.js';
import { DEMO_PEOPLE, type DemoPerson } from './demo-facts.js';
import type { Timeline } from './timeline.js';

export type People = Record<DemoPerson, User>;

const MAIL = 'valdoria.example.com';
type Person = readonly [first: string, last: string, mailDomain: string, sinceDays: number];

const PERSONS: Record<DemoPerson, Person> = {
  owner: ['Giulia', 'Ferri', MAIL, 301],
  manager: ['Marco', 'De Luca', MAIL, 298],
  officer: ['Elena', 'Santoro', MAIL, 297],
  analyst: ['Tommaso', 'Greco', MAIL, 250],
  viewer: ['Chiara', 'Villa', MAIL, 7.8],
  stranger: ['Paolo', 'Bassi', 'torresina.example.com', 91],
  newcomer: ['Sara', 'Conti', 'newcomer.example.com', 0.1],
};

/** Those whom the examples of the interface description name: they have the same id in every demo. */
const KNOWN_IDS: Partial<Record<DemoPerson, string>> = {
  manager: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
  analyst: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
};

export function createPeople(em: EntityManager, timeline: Timeline): People {
  const people = DEMO_PEOPLE.map(
    (person) => [person, createUser(em, PERSONS[person], timeline, KNOWN_IDS[person])] as const,
  );
  return Object.fromEntries(people) as People;
}

/** Somebody who keeps a place in the organization without access to it, and has no token. */
export function createFormerColleague(em: EntityManager, organization: Organization, timeline: Timeline): void {
  const user = createUser(em, ['Davide', 'Rota', MAIL, 240], timeline);
  const times = { createdAt: user.createdAt, deactivatedAt: timeline.daysAgo(20) };
  const alerts = { alertAtb: true, alertCloudDefender: true, alertVCiso: false };
  em.persist(em.create(Membership, { user, organization, role: 'SECURITY_ANALYST', ...alerts, ...times }));
}

function createUser(
  em: EntityManager,
  [firstName, lastName, domain, sinceDays]: Person,
  timeline: Timeline,
  id: string = randomUUID(),
): User {
  const username = `${firstName}.${lastName.replaceAll(' ', '')}`.toLowerCase();
  const email = `${username}@${domain}`;
  const createdAt = timeline.daysAgo(sinceDays);
  const user = em.create(User, { id, username, email, emailVerifiedAt: createdAt, firstName, lastName, createdAt });
  em.persist(user);
  return user;
}

interface Place {
  person: DemoPerson;
  role: Role;
  /** Alert preferences that this member has switched off (specification 2.8). */
  silenced: readonly ('alertAtb' | 'alertCloudDefender' | 'alertVCiso')[];
}

const FIRST_ORGANIZATION: readonly Place[] = [
  { person: 'owner', role: 'ORGANIZATION_OWNER', silenced: [] },
  { person: 'manager', role: 'ORGANIZATION_MANAGER', silenced: ['alertVCiso'] },
  { person: 'officer', role: 'SECURITY_OFFICER', silenced: [] },
  { person: 'analyst', role: 'SECURITY_ANALYST', silenced: ['alertCloudDefender'] },
  { person: 'viewer', role: 'VIEWER', silenced: ['alertAtb', 'alertCloudDefender'] },
];
const OTHER_ORGANIZATION: readonly Place[] = [{ person: 'stranger', role: 'ORGANIZATION_OWNER', silenced: [] }];
const DELETED_ORGANIZATION: readonly Place[] = [
  { person: 'owner', role: 'ORGANIZATION_OWNER', silenced: [] },
  { person: 'manager', role: 'VIEWER', silenced: [] },
];

export function createMemberships(
  em: EntityManager,
  people: People,
  { first, other, deleted }: Record<'first' | 'other' | 'deleted', Organization>,
): void {
  for (const place of FIRST_ORGANIZATION) createMembership(em, people, first, place);
  for (const place of OTHER_ORGANIZATION) createMembership(em, people, other, place);
  for (const place of DELETED_ORGANIZATION) createMembership(em, people, deleted, place);
}

function createMembership(em: EntityManager, people: People, organization: Organization, place: Place): void {
  const { person, role, silenced } = place;
  const user = people[person];
  const alerts = {
    alertAtb: !silenced.includes('alertAtb'),
    alertCloudDefender: !silenced.includes('alertCloudDefender'),
    alertVCiso: !silenced.includes('alertVCiso'),
  };
  // Nobody belongs to an organization before both are there.
  const createdAt = user.createdAt > organization.createdAt ? user.createdAt : organization.createdAt;
  em.persist(em.create(Membership, { user, organization, role, ...alerts, createdAt }));
}
