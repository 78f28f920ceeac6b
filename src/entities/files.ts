import { defineEntity } from '@mikro-orm/core';
import { instant, p } from './columns.js';

/** Which installation this is the database of; the storage has the same id in its marker (docs/adr/0030). */
export const Installation = defineEntity({
  name: 'Installation',
  properties: {
    /** Always 1: there is one row at most. */
    number: p.smallint().primary().autoincrement(false),
    id: p.uuid(),
  },
  checks: [{ name: 'installation_number_check', expression: 'number = 1' }],
});

/** Stored content that a sweep has found no row for. */
export const UnreferencedContent = defineEntity({
  name: 'UnreferencedContent',
  properties: {
    sha256: p.text().primary(),
    /** When a sweep found it first, and has found it ever since. */
    since: instant(),
    /** When a sweep found it last. */
    seenAt: instant(),
  },
});
