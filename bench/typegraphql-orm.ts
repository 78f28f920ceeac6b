import { defineEntity, MikroORM, p } from '@mikro-orm/postgresql';
import { peer } from './peer.js';
import type { ComplianceFramework, Contact } from './typegraphql-types.js';

export const User = defineEntity({
  name: 'User',
  tableName: 'app_user',
  properties: { id: p.uuid().primary(), username: p.text(), email: p.text(), firstName: p.text(), lastName: p.text() },
});

export const Organization = defineEntity({
  name: 'Organization',
  properties: {
    id: p.integer().primary(),
    name: p.text(),
    description: p.text().default(''),
    numberEmployees: p.integer().nullable(),
    website: p.text().default(''),
    logo: p.text().default(''),
    sectors: p.array(),
    industries: p.array(),
    nis2Sector: p.text().default('').fieldName('nis2_sector'),
    complianceFrameworks: p.json<ComplianceFramework[]>(),
    infrastructure: p.text().default(''),
    contacts: p.json<Contact[]>(),
    domains: p.array(),
    ips: p.array(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
    deletedAt: p.datetime(3).nullable(),
  },
});

const Alerts = defineEntity({
  name: 'Alerts',
  embeddable: true,
  properties: {
    atb: p.boolean().default(true),
    cloudDefender: p.boolean().default(true),
    vCiso: p.boolean().default(true).fieldName('v_ciso'),
  },
});

export const Membership = defineEntity({
  name: 'Membership',
  properties: {
    id: p.integer().primary(),
    organization: () => p.manyToOne(Organization),
    user: () => p.manyToOne(User),
    role: p.text(),
    alerts: () => p.embedded(Alerts).prefix('alert_'),
  },
});

const NotificationExtra = defineEntity({
  name: 'NotificationExtra',
  embeddable: true,
  properties: { href: p.text() },
});

export const Notification = defineEntity({
  name: 'Notification',
  properties: {
    id: p.integer().primary(),
    organization: () => p.manyToOne(Organization),
    user: () => p.manyToOne(User),
    title: p.text(),
    message: p.text(),
    type: p.text(),
    action: p.text(),
    read: p.boolean().default(false),
    datetime: p.datetime(3).fieldName('created_at'),
    icon: p.text(),
    extra: () => p.embedded(NotificationExtra).prefix(false),
  },
});

export const orm = await MikroORM.init({
  clientUrl: peer.databaseUrl,
  schema: peer.schema,
  entities: [User, Organization, Alerts, Membership, NotificationExtra, Notification],
});
