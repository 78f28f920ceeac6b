import { ORGANIZATION, toAuditors } from './domain.js';

export const IMPORTS = {
  subjects: {
    IMPORT_JOB: { text: 'An import that runs as a job; its number.', path: `${ORGANIZATION}/import-jobs/{id}` },
  },
  actions: {
    IMPORT_STARTED: toAuditors('import_job.started', 'An import was started as a job.'),
    IMPORT_CANCELLED: toAuditors('import_job.cancelled', 'An import was cancelled; what it had done stays.'),
    IMPORT_ENDED: toAuditors('import_job.ended', 'An import that ran as a job ended: it is done, or it failed.'),
  },
} as const;
