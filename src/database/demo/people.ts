import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { Membership } from '../../entities/membership.js';
import type { Organization } from '../../entities/organization.js';
import { User } from '../../entities/user.js';
import { LIMITS } from '../../vocabulary/limits.js';
import type { Role } from '../../vocabulary/roles.js';
import { DEMO_PEOPLE, type DemoPerson } from './demo-facts.js';
import { addToken } from './first-data.js';
import type { Timeline } from './timeline.js';

export type People = Record<DemoPerson, User>;

const MAIL = 'valdoria.example.com';
const PERSONS: Record<DemoPerson, readonly [first: string, last: string, mailDomain: string, sinceDays: number]> = {
  owner: ['Giulia', 'Ferri', MAIL, 301],
  manager: ['Marco', 'De Luca', MAIL, 298],
  officer: ['Elena', 'Santoro', MAIL, 297],
  analyst: ['Tommaso', 'Greco', MAIL, 250],
  viewer: ['Chiara', 'Villa', MAIL, 7.8],
  stranger: ['Paolo', 'Bassi', 'torresina.example.com', 91],
  newcomer: ['Sara', 'Conti', 'newcomer.example.com', 0.1],
};

export function createPeople(em: EntityManager, timeline: Timeline): People {
  const people = DEMO_PEOPLE.map((person) => {
    const [firstName, lastName, domain, sinceDays] = PERSONS[person];
    const username = `${firstName}.${lastName.replaceAll(' ', '')}`.toLowerCase();
    const email = `${username}@${domain}`;
    const createdAt = timeline.daysAgo(sinceDays);
    const user = em.create(User, { id: randomUUID(), username, email, firstName, lastName, createdAt });
    em.persist(user);
    return [person, user] as const;
  });
  return Object.fromEntries(people) as People;
}

/** Each one's token, valid for as long as a token may be (decisions §1). */
export function createTokens(em: EntityManager, people: People, timeline: Timeline) {
  const tokens = DEMO_PEOPLE.map((person) => {
    const token = addToken(em, people[person], {
      name: `Demo token of the ${person}`,
      scopes: ['read', 'write'],
      createdAt: timeline.now,
      expiresAt: timeline.inDays(LIMITS.token.maxDays),
    });
    return [person, token] as const;
  });
  return Object.fromEntries(tokens) as Record<DemoPerson, string>;
}

/** A token that only reports checks, from the network of its devices; nobody has it, and it ends in five days. */
export function createDeviceToken(em: EntityManager, people: People, timeline: Timeline): void {
  addToken(em, people.manager, {
    name: 'Control room devices',
    scopes: ['telemetry'],
    createdAt: timeline.daysAgo(85),
    expiresAt: timeline.inDays(5),
    allowedIps: ['203.0.113.0/24', '2001:db8:40::/48'],
  });
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

export function createMemberships(em: EntityManager, people: People, first: Organization, other: Organization): void {
  for (const place of FIRST_ORGANIZATION) createMembership(em, people, first, place);
  for (const place of OTHER_ORGANIZATION) createMembership(em, people, other, place);
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
