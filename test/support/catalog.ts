import { resolve } from 'node:path';
import { ReportingRegimes } from '../../src/services/incidents/reporting-regimes.js';
import { WorkflowCatalog } from '../../src/services/workflows/catalog.js';

/** The shipped workflows, read once by each worker. */
export const CATALOG = WorkflowCatalog.load(resolve(import.meta.dirname, '../../catalog'));

/** The shipped reporting regimes. */
export const REGIMES = ReportingRegimes.load(resolve(import.meta.dirname, '../../catalog/regimes'));
