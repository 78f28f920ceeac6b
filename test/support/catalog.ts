import { resolve } from 'node:path';
import { ReportingRegimes } from '../../src/services/incidents/reporting-regimes.js';
import { WorkflowCatalog } from '../../src/services/workflows/catalog.js';

/** The workflows that are shipped, read once by each worker. */
export const CATALOG = WorkflowCatalog.load(resolve(import.meta.dirname, '../../catalog'));

/** The reporting regimes that are shipped. */
export const REGIMES = ReportingRegimes.load(resolve(import.meta.dirname, '../../catalog/regimes'));
