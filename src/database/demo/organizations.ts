import type { EntityManager } from '@mikro-orm/postgresql';
import { Organization } from '../../entities/organization.js';
import type { Timeline } from './timeline.js';

/** Every field of specification 2.2 is filled, and the branding is its own. `logo` is the path of a stored one. */
export function createFirstOrganization(em: EntityManager, timeline: Timeline, logo: string): Organization {
  const organization = em.create(Organization, {
    ...VALDORIA,
    logo,
    palette: 'solar',
    customColors: { primary: '#B4540A', primaryHover: '#9A4808', primaryDark: '#612D05' },
    version: 1,
    createdAt: timeline.daysAgo(300),
    updatedAt: timeline.daysAgo(6),
  });
  em.persist(organization);
  return organization;
}

/** What its members see of the first is nothing. Its branding is not configured. */
export function createOtherOrganization(em: EntityManager, timeline: Timeline): Organization {
  const createdAt = timeline.daysAgo(90);
  const organization = em.create(Organization, { ...TORRESINA, version: 1, createdAt, updatedAt: createdAt });
  em.persist(organization);
  return organization;
}

/** One that its owners have deleted and may still restore. */
export function createDeletedOrganization(em: EntityManager, timeline: Timeline): Organization {
  const deletedAt = timeline.daysAgo(9);
  const createdAt = timeline.daysAgo(210);
  const organization = em.create(Organization, { ...SERVICES, version: 2, createdAt, updatedAt: deletedAt, deletedAt });
  em.persist(organization);
  return organization;
}

// The companies are invented; names and addresses are those that RFC 2606 and RFC 5737 set aside for examples.
const VALDORIA = {
  name: 'Valdoria Energia S.p.A.',
  description:
    'Generation and distribution of electricity from hydroelectric and solar plants.\n' +
    'Control room, two substations and the customer portal are in the scope of the management system.',
  numberEmployees: 640,
  website: 'https://www.valdoria.example.com/',
  sectors: ['Energy', 'Utilities'],
  industries: ['Oil/Energy/Solar/Greentech', 'Renewables/Environment', 'Utilities'],
  nis2Sector: 'Energia - Energia elettrica',
  complianceFrameworks: [
    {
      value: 'ISO 27001:2023',
      fields: {
        extensions: ['ISO 27017:2021', 'ISO 27018:2020'],
        certificate: { number: 'VE-27001-0042', body: 'Example Cert' },
      },
    },
    { value: 'NIS2', fields: { entity_type: 'essential', registrationDate: '2025-02-14' } },
  ],
  infrastructure: 'hybrid',
  contacts: [
    {
      name: 'Elena Santoro',
      role: 'Chief Information Security Officer',
      email: 'elena.santoro@valdoria.example.com',
      phone: '+39 011 5550142',
      emailReport: true,
    },
    { name: 'Control room', role: 'On-call engineer', email: '', phone: '+39 011 5550199', emailReport: false },
    {
      name: 'Legal office',
      role: 'Data protection officer',
      email: 'privacy@valdoria.example.com',
      phone: '',
      emailReport: false,
    },
  ],
  timeZone: 'Europe/Rome',
  reportWeekday: 1,
  queryTokenAllowed: true,
  domains: ['valdoria.example.com', 'portal.valdoria.example.com', 'valdoria-energia.test'],
  ips: ['192.0.2.10', '192.0.2.11', '198.51.100.24'],
};

const TORRESINA = {
  name: 'Meccanica Torresina S.r.l.',
  description: 'Machine tools for the packaging industry.',
  numberEmployees: 58,
  website: 'https://torresina.example.com/',
  logo: '',
  sectors: ['Manufacturing'],
  industries: ['Machinery', 'Mechanical or Industrial Engineering'],
  nis2Sector: 'Fabbricazione - Macchinari',
  complianceFrameworks: [{ value: 'NIS2', fields: { entity_type: 'important' } }],
  infrastructure: 'on-prem',
  contacts: [
    {
      name: 'Paolo Bassi',
      role: 'Managing director',
      email: 'paolo.bassi@torresina.example.com',
      phone: '',
      emailReport: true,
    },
  ],
  timeZone: 'Europe/Rome',
  reportWeekday: 5,
  queryTokenAllowed: false,
  domains: ['torresina.example.com'],
  ips: ['203.0.113.80'],
};

const SERVICES = {
  name: 'Valdoria Servizi S.r.l.',
  description: 'Billing and customer service; merged into Valdoria Energia.',
  numberEmployees: 35,
  website: 'https://servizi.valdoria.example.com/',
  logo: '',
  sectors: ['Energy'],
  industries: ['Utilities'],
  nis2Sector: '',
  complianceFrameworks: [],
  infrastructure: 'cloud',
  contacts: [],
  timeZone: 'Europe/Rome',
  reportWeekday: 1,
  queryTokenAllowed: true,
  domains: ['servizi.valdoria.example.com'],
  ips: [],
};
