import { toEnumName } from '../src/common/naming.js';
import { headers, type LoadRequest } from './requests.js';

/** An organization with every field of specification 2.2 filled in, in REST's spelling. */
export const ORGANIZATION_BODY = {
  name: 'Acquedotto dell’Alta Valle S.p.A.',
  description:
    'Collects, treats and distributes drinking water to 140 000 inhabitants of 61 municipalities, runs two reservoirs ' +
    'and a treatment plant, and reads 70 000 meters by radio. Founded in 1962; owned by the municipalities that it serves.',
  number_employees: 412,
  website: 'https://www.acquedotto-alta-valle.example',
  logo: 'https://cdn.acquedotto-alta-valle.example/brand/logo-512.png',
  sectors: ['Utilities', 'Public Sector', 'Energy'],
  industries: ['Environmental Services', 'Utilities', 'Industrial Automation', 'Civil Engineering'],
  nis2_sector: 'Acqua potabile',
  compliance_frameworks: [
    {
      value: 'ISO 27001:2023',
      fields: { extensions: ['ISO 27017:2021', 'ISO 27018:2020'], certified_since: '2024-05' },
    },
    { value: 'NIS2', fields: { entity_type: 'essential', registration: 'IT-2025-004711' } },
  ],
  infrastructure: 'hybrid',
  contacts: [
    contact('Giulia Ferrari', 'CISO', { mailbox: 'giulia.ferrari', report: true }),
    contact('Marco Bianchi', 'Head of operations', { mailbox: 'marco.bianchi' }),
    contact('Elena Conti', 'Data protection officer', { mailbox: 'elena.conti', report: true }),
    contact('Paolo Ricci', 'Plant manager', { mailbox: 'paolo.ricci' }),
  ],
  domains: [
    'acquedotto-alta-valle.example',
    'www.acquedotto-alta-valle.example',
    'portale.acquedotto-alta-valle.example',
    'scada-gw.acquedotto-alta-valle.example',
    'mail.acquedotto-alta-valle.example',
  ],
  ips: ['192.0.2.17', '192.0.2.18', '198.51.100.44', '203.0.113.5'],
};

/** A request that creates it. */
export function organizationCreation(token: string): LoadRequest {
  const body = JSON.stringify(ORGANIZATION_BODY);
  return { method: 'POST', paths: ['/api/v1/organizations'], headers: headers(token), body, status: 201 };
}

/** The same in GraphQL's spelling. */
export function organizationInput() {
  const { number_employees, nis2_sector, compliance_frameworks, contacts, ...same } = ORGANIZATION_BODY;
  const { sectors, industries, infrastructure } = same;
  return {
    ...same,
    numberEmployees: number_employees,
    sectors: sectors.map(toEnumName),
    industries: industries.map(toEnumName),
    infrastructure: toEnumName(infrastructure),
    nis2Sector: toEnumName(nis2_sector),
    complianceFrameworks: compliance_frameworks.map(({ value, fields }) => ({ value: toEnumName(value), fields })),
    contacts: contacts.map(({ email_report, ...person }) => ({ ...person, emailReport: email_report })),
  };
}

function contact(name: string, role: string, { mailbox, report = false }: { mailbox: string; report?: boolean }) {
  return {
    name,
    role,
    email: `${mailbox}@acquedotto-alta-valle.example`,
    phone: '+39 0471 555 0123',
    email_report: report,
  };
}
