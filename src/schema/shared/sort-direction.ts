import { enumeration } from './enumeration.js';

export type SortDirection = 'ASC' | 'DESC';

export const SortDirectionEnum = enumeration<SortDirection>('SortDirection', 'Which way a list is ordered.', {
  ASC: 'Smallest, earliest or first of the alphabet first.',
  DESC: 'Largest, latest or last of the alphabet first.',
});
