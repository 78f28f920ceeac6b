import { defineEntity } from '@mikro-orm/core';
import { instant, p } from './columns.js';

/** The installation of the database; the storage has the same id in its marker (docs/adr/0030). */
export const Installation = defineEntity({
  name: 'Installation',
  properties: {
    /** Always 1: there is one row at most. */
    number: p.smallint().primary().autoincrement(false),
    id: p.uuid(),
  },
  checks: [{ name: 'installation_number_check', expression: 'number = 1' }],
});

/** Stored content without a row, as found by a sweep. */
export const UnreferencedContent = defineEntity({
  name: 'UnreferencedContent',
  properties: {
    sha256: p.text().primary(),
    /** When a sweep first found it without a row; all later sweeps have found it as well. */
    since: instant(),
    /** When a sweep last found it. */
    seenAt: instant(),
  },
});
