import { BRANDING_DEFAULTS } from '../../vocabulary/branding-defaults.js';
import { successEnvelope } from '../envelope.js';
import { exampleOrganization as organization } from './example-organization.js';

const sentOrganization = {
  name: 'Rossi Energia S.p.A.',
  description: 'Distribution of electricity and gas.',
  number_employees: 240,
  website: 'https://www.rossi-energia.example',
  logo: organization.logo,
  sectors: ['Energy', 'Utilities'],
  industries: ['Oil/Energy/Solar/Greentech'],
  nis2_sector: 'Energia - Energia elettrica',
  compliance_frameworks: [
    { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2021'] } },
    { value: 'NIS2', fields: { entity_type: 'essential' } },
  ],
  infrastructure: 'hybrid',
  contacts: [{ name: 'Anna Rossi', role: 'CISO', email: 'anna@rossi-energia.example', phone: '', email_report: true }],
  domains: ['rossi-energia.example'],
  ips: ['192.0.2.10'],
};

export const ORGANIZATION_EXAMPLE = {
  id: 1,
  ...sentOrganization,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
};

const documentVersion = {
  id: 31,
  artifact_id: 'A.5.1',
  original_name: 'information-security-policy.pdf',
  size: 48_213,
  content_type: 'application/pdf',
  source: 'attached',
  created_by: 'a.rossi',
  created_at: '2026-11-20T09:30:00.000Z',
  download_url: downloadUrl('documents', 31),
};

/** What each route answers when all goes well, by operation; more than one where the status says which. */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  createOrganization: one(ORGANIZATION_EXAMPLE),
  uploadDocumentVersion: one(documentVersion),
  uploadIncidentAttachment: one({
    id: 12,
    original_name: 'phishing-mail.eml',
    content_type: 'message/rfc822',
    size: 20_480,
    created_at: '2026-11-20T09:30:00.000Z',
    download_url: downloadUrl('attachments', 12),
  }),
  listOrganizationUsers: page({
    id: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
    username: 'a.rossi',
    email: 'anna@rossi-energia.example',
    first_name: 'Anna',
    last_name: 'Rossi',
    role: 'SECURITY_OFFICER',
    alerts: { atb: true, cloud_defender: true, v_ciso: false },
  }),
  listAvailableWorkflows: page({ id: 'iso-27001-2022', name: 'ISO/IEC 27001:2022' }),
  getBranding: one(branding()),
  listNotifications: page({
    id: 90,
    organization,
    title: 'Early warning is due',
    message: 'The early warning for the incident "Phishing" is due in two hours.',
    type: 'INCIDENT',
    action: 'OPEN',
    read: false,
    datetime: '2026-11-20T09:30:00.000Z',
    icon: 'fa fa-bell',
    extra: { href: '/incidents/12' },
  }),
};

/** Bodies that are sent, by operation. */
export const REQUEST_EXAMPLES: Readonly<Record<string, unknown>> = {
  createOrganization: sentOrganization,
  uploadDocumentVersion: {
    filename: 'information-security-policy.txt',
    content: Buffer.from('Our information security policy.').toString('base64'),
    content_type: 'text/plain',
    source: 'attached',
  },
};

function one(data: object) {
  return successEnvelope({ data });
}

function page(item: object) {
  return successEnvelope({ data: [item], total: 1 });
}

function downloadUrl(kind: string, id: number): string {
  return `https://gateway.example/api/v1/downloads/${kind}/${id}?expires=1795167900&signature=k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE`;
}

/** The default in the specification's spelling. */
function branding() {
  const { palette, customColors } = BRANDING_DEFAULTS;
  const { primary, primaryHover, primaryDark } = customColors;
  return { palette, custom_colors: { primary, primary_hover: primaryHover, primary_dark: primaryDark } };
}
