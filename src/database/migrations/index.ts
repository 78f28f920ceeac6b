import { AuditTrail } from './audit-trail.js';
import { Initial } from './initial.js';

/** Every migration, in order. */
export const migrations = [
  { name: 'Initial', class: Initial },
  { name: 'AuditTrail', class: AuditTrail },
];
