import { allows } from './domain.js';

export const REPORTS = {
  privileges: {
    ...allows('ORGANIZATION_MANAGER', 'read', {
      READ_REPORTS: 'See the weekly report as it would go out, and what became of those that did.',
    }),
  },
} as const;
