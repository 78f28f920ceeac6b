import type { EntityManager } from '@mikro-orm/postgresql';
import { digestToken, generateToken, tokenPrefix } from '../../access/token.js';
import { ApiToken } from '../../entities/api-token.js';
import type { Organization } from '../../entities/organization.js';
import { TokenBlock } from '../../entities/token-block.js';
import { LIMITS } from '../../vocabulary/limits.js';
import type { Scope } from '../../vocabulary/scopes.js';
import { DEMO_PEOPLE, type DemoPerson } from './demo-facts.js';
import { addToken } from './first-data.js';
import type { People } from './people.js';
import type { Timeline } from './timeline.js';

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

interface PastToken {
  of: DemoPerson;
  name: string;
  scopes: Scope[];
  madeDaysAgo: number;
  /** Ago when negative. */
  expiresInDays: number;
  usedDaysAgo: number | null;
  revokedDaysAgo?: number;
  replacedDaysAgo?: number;
  warnedDaysAgo?: number;
  blockedDaysAgo?: number;
  allowedIps?: string[];
}

/** What becomes of tokens: each of these has come to another point. */
const PAST: readonly PastToken[] = [
  // It only reports checks, from the network of its devices, and ends so soon that its user is about to be warned.
  {
    of: 'manager',
    name: 'Control room devices',
    scopes: ['telemetry'],
    madeDaysAgo: 85,
    expiresInDays: 5,
    usedDaysAgo: 0.02,
    allowedIps: ['203.0.113.0/24', '2001:db8:40::/48'],
  },
  // Its user was warned, has made another in its place, and moves to that one in the days of grace.
  {
    of: 'owner',
    name: 'Billing interface',
    scopes: ['read'],
    madeDaysAgo: 87,
    expiresInDays: 3,
    usedDaysAgo: 0.1,
    warnedDaysAgo: 4,
    replacedDaysAgo: 0.4,
  },
  {
    of: 'owner',
    name: 'Billing interface',
    scopes: ['read'],
    madeDaysAgo: 0.4,
    expiresInDays: 89.6,
    usedDaysAgo: null,
  },
  {
    of: 'analyst',
    name: 'Vulnerability scanner',
    scopes: ['read', 'write'],
    madeDaysAgo: 31,
    expiresInDays: 59,
    usedDaysAgo: 3.2,
    blockedDaysAgo: 3,
  },
  {
    of: 'officer',
    name: 'Wall display',
    scopes: ['read'],
    madeDaysAgo: 95,
    expiresInDays: 270,
    usedDaysAgo: 70,
    revokedDaysAgo: 9.8,
  },
  { of: 'viewer', name: 'Spreadsheet', scopes: ['read'], madeDaysAgo: 7, expiresInDays: -1, usedDaysAgo: 1.5 },
];

/** Tokens that nobody has. The owner has blocked one of them in the organization. */
export function createPastTokens(
  em: EntityManager,
  organization: Organization,
  { people, timeline }: { people: People; timeline: Timeline },
): void {
  const ago = (days: number | null | undefined) => (days == null ? null : timeline.daysAgo(days));
  for (const past of PAST) {
    const secret = generateToken();
    const token = em.create(ApiToken, {
      user: people[past.of],
      name: past.name,
      digest: digestToken(secret),
      prefix: tokenPrefix(secret),
      scopes: past.scopes,
      allowedIps: past.allowedIps ?? [],
      createdAt: timeline.daysAgo(past.madeDaysAgo),
      expiresAt: timeline.inDays(past.expiresInDays),
      lastUsedAt: ago(past.usedDaysAgo),
      revokedAt: ago(past.revokedDaysAgo),
      replacedAt: ago(past.replacedDaysAgo),
      warnedAt: ago(past.warnedDaysAgo),
    });
    em.persist(token);
    const blockedAt = ago(past.blockedDaysAgo);
    if (blockedAt !== null) em.persist(em.create(TokenBlock, { token, organization, createdAt: blockedAt }));
  }
}
