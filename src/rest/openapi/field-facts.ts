import { FRAMEWORK_VALUES, INFRASTRUCTURES } from '../../values/enums.js';
import type { Json } from '../../common/input-schema.js';
import { ref } from './published-schema.js';

const SUM = { type: 'integer', format: 'int64', minimum: 0 };

/** What is known of fields beyond their GraphQL types: formats, values, limits. By `Type.field`. */
export const FIELD_FACTS: Readonly<Record<string, Json>> = {
  'OrganizationUser.userId': { format: 'uuid' },
  'OrganizationUser.email': { format: 'email' },
  'Invitation.email': { format: 'email' },
  'InvitationPreview.email': { format: 'email' },
  'AcceptInvitationPayload.userId': { format: 'uuid' },
  'AcceptInvitationPayload.email': { format: 'email' },
  'OrganizationApiToken.userId': { format: 'uuid' },
  'User.databaseId': { format: 'uuid' },
  'User.email': { format: 'email' },
  'DocumentVersion.downloadUrl': { format: 'uri' },
  'DocumentVersion.sha256': { pattern: '^[0-9a-f]{64}$' },
  'IncidentAttachment.downloadUrl': { format: 'uri' },
  'ThreatBlocker.atbKey': { format: 'uuid' },
  'DevicePoint.wafProtection': SUM,
  'DevicePoint.totalManagedRequests': SUM,
  'ThreatBlockerPoint.wafProtection': SUM,
  'ThreatBlockerPoint.totalManagedRequests': SUM,
  'ThreatBlockerPoint.totalRequests': SUM,
  'ThreatBlockerPoint.maliciousRequests': SUM,
  'OrganizationSettings.reportWeekday': { minimum: 1, maximum: 7 },
  'Organization.sectors': { items: ref('schemas', 'Sector') },
  'Organization.industries': { items: ref('schemas', 'Industry') },
  'Organization.nis2Sector': ref('schemas', 'Nis2Sector'),
  'Organization.infrastructure': { enum: ['', ...INFRASTRUCTURES] },
  'Organization.domains': { items: { type: 'string', format: 'hostname' } },
  'Organization.ips': { items: { type: 'string', format: 'ipv4' } },
  'ComplianceFramework.value': { enum: FRAMEWORK_VALUES },
};
