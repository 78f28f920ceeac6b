import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  BRANDING_DEFAULTS,
  CHECK_STATUSES,
  CONTROL_STATUSES,
  DEFAULT_DOCUMENT_SOURCE,
  DOCUMENT_SOURCES,
  ENTITY_TYPES,
  FRAMEWORK_EXTENSIONS,
  FRAMEWORK_VALUES,
  INCIDENT_STATUSES,
  INFRASTRUCTURES,
  NOTIFICATION_ACTIONS,
  NOTIFICATION_TYPES,
  ROLES,
  ROLE_RANKS,
  TOKEN_SCOPES,
  SEVERITIES,
} from '../../src/values/enums.js';
import { INDUSTRIES, NIS2_SECTORS, SECTORS } from '../../src/values/sectors.js';
import { LIMITS } from '../../src/values/limits.js';

// The sums are computed from the specification's text (2.2): its values joined by line feeds, in its order, with
// "(empty string)" as the empty string.
const PUBLISHED: [string, readonly string[], number, string][] = [
  ['sectors', SECTORS, 25, 'd7194b0340fc790a03af1c079f0542a6f9badc464311d429fa7ea75718d77449'],
  ['industries', INDUSTRIES, 151, 'af5f8cb2530b7a1b08d9c0d6880d9645661ae31124b92409fb51c7b2b9ccbd58'],
  ['NIS 2 sectors', NIS2_SECTORS, 40, '500403ab1bfcbc3a67f9c6a58594f39f5b974b7f20e1ae97bbaaadbba9eaef49'],
];

const SHORT_LISTS: [string, readonly string[], string][] = [
  ['framework values', FRAMEWORK_VALUES, 'ISO 27001:2023|NIS2'],
  ['framework extensions', FRAMEWORK_EXTENSIONS, 'ISO 27017:2021|ISO 27018:2020'],
  ['entity types', ENTITY_TYPES, 'important|essential'],
  ['infrastructures', INFRASTRUCTURES, 'cloud|on-prem|hybrid'],
  ['document sources', DOCUMENT_SOURCES, 'attached|generated|imported'],
  ['roles', ROLES, 'VIEWER|SECURITY_ANALYST|SECURITY_OFFICER|ORGANIZATION_MANAGER|ORGANIZATION_OWNER'],
  ['scopes', TOKEN_SCOPES, 'read|write|telemetry|documents'],
  ['severities', SEVERITIES, 'LOW|MEDIUM|HIGH|CRITICAL'],
  ['incident statuses', INCIDENT_STATUSES, 'OPEN|CONTAINED|RESOLVED|CLOSED'],
  ['notification types', NOTIFICATION_TYPES, 'INCIDENT|DOCUMENT|DEVICE|WORKFLOW|MEMBER|TOKEN|SYSTEM'],
  ['notification actions', NOTIFICATION_ACTIONS, 'OPEN|NONE'],
  ['control statuses', CONTROL_STATUSES, 'TO_DO|IN_PROGRESS|DONE|NOT_APPLICABLE'],
];

describe('the lists of the specification', () => {
  test.each(PUBLISHED)('%s are the published ones, to the letter and in order', (_name, list, count, sum) => {
    expect(list).toHaveLength(count);
    expect(createHash('sha256').update(list.join('\n')).digest('hex')).toBe(sum);
  });

  test.each(PUBLISHED)('%s have no value twice and no white space around one', (_name, list) => {
    expect(new Set(list).size).toBe(list.length);
    expect(list.filter((value) => value !== value.trim())).toEqual([]);
  });

  test('the empty NIS 2 sector is the first', () => {
    expect(NIS2_SECTORS[0]).toBe('');
  });

  test.each(SHORT_LISTS)('%s are the published ones, in order', (_name, list, joined) => {
    expect(list.join('|')).toBe(joined);
  });
});

describe('the vocabulary', () => {
  test('an upload that names no source counts as attached', () => {
    expect(DEFAULT_DOCUMENT_SOURCE).toBe('attached');
  });

  test('roles rank from 1 for the viewer to 5 for the owner', () => {
    expect(ROLES.map((role) => ROLE_RANKS[role])).toEqual([1, 2, 3, 4, 5]);
  });

  test('check statuses are the integers 0 to 3', () => {
    expect(CHECK_STATUSES).toEqual({ UNKNOWN: 0, HEALTHY: 1, DEGRADED: 2, DOWN: 3 });
  });

  test('the default branding is the published one', () => {
    expect(BRANDING_DEFAULTS).toEqual({
      palette: 'default',
      customColors: { primary: '#1F6FEB', primaryHover: '#1A5FCC', primaryDark: '#0D3A80' },
    });
  });

  test('the limits are the published numbers', () => {
    const { document, attachment, logo, page, token, softDelete, organization } = LIMITS;
    expect(document).toEqual({
      maxBytes: 10_485_760,
      versionsKept: 10,
      downloadLinkMinutes: 15,
      noteCharacters: 2_000,
      expiringDays: 30,
    });
    expect(attachment.maxBytes).toBe(26_214_400);
    expect(logo.maxBytes).toBe(1_048_576);
    expect(page).toEqual({ minSize: 1, maxSize: 100, defaultSize: 50 });
    expect(token).toMatchObject({ randomCharacters: 30, checksumCharacters: 6, shownCharacters: 8 });
    expect(token).toMatchObject({ defaultDays: 90, maxDays: 365, lastUsedSeconds: 60 });
    expect(softDelete.restoreDays).toBe(30);
    expect(organization.nameCharacters).toBe(200);
  });

  test('nothing of it can be changed while the gateway runs', () => {
    const lists = [...PUBLISHED, ...SHORT_LISTS].map(([, list]) => list);
    const objects = [ROLE_RANKS, CHECK_STATUSES, BRANDING_DEFAULTS, BRANDING_DEFAULTS.customColors, LIMITS];
    const all: object[] = [...lists, ...objects, ...Object.values(LIMITS)];
    expect(all.filter((each) => !Object.isFrozen(each))).toEqual([]);
  });
});
