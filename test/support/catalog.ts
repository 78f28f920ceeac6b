import { resolve } from 'node:path';
import { WorkflowCatalog } from '../../src/services/workflows/catalog.js';

/** The workflows that are shipped, read once by each worker. */
export const CATALOG = WorkflowCatalog.load(resolve(import.meta.dirname, '../../catalog'));
