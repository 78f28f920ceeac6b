import { DatedFacts } from './dated-facts.js';
import { InitialSchema } from './initial-schema.js';
import { TimeZoneSpelling } from './time-zone-spelling.js';

/** Every migration, in order. */
export const migrations = [
  { name: 'InitialSchema', class: InitialSchema },
  { name: 'TimeZoneSpelling', class: TimeZoneSpelling },
  { name: 'DatedFacts', class: DatedFacts },
];
