import { readFileSync } from 'node:fs';

type ListName = 'sectors' | 'nis2Sectors' | 'industries';

/**
 * In the specification's order and spelling (2.2). "Higher Education/Acadamia" is its spelling: correcting it would
 * refuse input of integrators.
 */
const LISTS = JSON.parse(
  readFileSync(new URL('../../catalog/organization-lists.json', import.meta.url), 'utf8'),
) as Record<ListName, string[]>;

export const SECTORS: readonly string[] = Object.freeze(LISTS.sectors);

/** NIS 2 sectors of an organization, including the empty string. */
export const NIS2_SECTORS: readonly string[] = Object.freeze(LISTS.nis2Sectors);

export const INDUSTRIES: readonly string[] = Object.freeze(LISTS.industries);
