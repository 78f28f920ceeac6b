import { AuditSeals } from './audit-seals.js';
import { InitialSchema } from './initial-schema.js';
import { TimeZoneSpelling } from './time-zone-spelling.js';

/** Every migration, in order. */
export const migrations = [
  { name: 'InitialSchema', class: InitialSchema },
  { name: 'TimeZoneSpelling', class: TimeZoneSpelling },
  { name: 'AuditSeals', class: AuditSeals },
];
