import type { EntityManager } from '@mikro-orm/postgresql';
import { digestToken } from '../access/token.js';
import type { Config } from '../config.js';
import { ApiToken } from '../entities/api-token.js';
import { DomainError } from '../errors.js';
import { WorkflowCatalog } from '../services/workflow-catalog.js';
import { openBlobStore } from '../storage/open-blob-store.js';
import { Database } from './database.js';
import { DemoFactsFile, type DemoFacts } from './demo/demo-facts.js';
import { createDevices, createSilentDevice, insertReports } from './demo/devices.js';
import { createDocuments, DEMO_ARTIFACT } from './demo/documents.js';
import { sunrisePng } from './demo/file-makers.js';
import { isEmptyDatabase, takeFirstDataTurn } from './demo/first-data.js';
import { createIncidents } from './demo/incidents.js';
import { createInvitations } from './demo/invitations.js';
import { createNotifications } from './demo/notifications.js';
import { createDeletedOrganization, createFirstOrganization, createOtherOrganization } from './demo/organizations.js';
import { createFormerColleague, createMemberships, createPeople } from './demo/people.js';
import { StoredFiles } from './demo/stored-files.js';
import { Timeline } from './demo/timeline.js';
import { createPastTokens, createTokens } from './demo/tokens.js';
import { createWeeklyReports } from './demo/weekly-reports.js';
import { createProgress, createWorkflowImports } from './demo/workflow-history.js';
import {
  associateWorkflow,
  createControlStates,
  ISO_27001,
  knownWorkflow,
  NIS2,
  NIS2_ITALY,
  touchesOf,
} from './demo/workflows.js';
import { StartupFault } from './embedded/startup-fault.js';
import { FIRST_DATA_LIMITS } from './time-limits.js';

export type { DemoFacts } from './demo/demo-facts.js';

export interface DemoSettings {
  /** Of a database that is migrated. */
  databaseUrl: string;
  config: Pick<Config, 'dataDir' | 'storageUrl'>;
  /** Folder of the workflow catalogue. */
  catalogDir: string;
  now?: () => Date;
}

/**
 * Fills an empty database with two organizations, and a deleted one that may be restored, and writes `demo.json` into the data folder (decisions §12). A
 * database that holds anybody or anything is left as it is; then the facts of an earlier seeding are returned while
 * they are still true of this database, else undefined. Instances that start together seed once.
 * Throws StartupFault when the database, the storage or the data folder cannot be reached.
 */
export async function seedDemo(settings: DemoSettings): Promise<DemoFacts | undefined> {
  const { databaseUrl, config, now = () => new Date() } = settings;
  const database = await Database.open(databaseUrl, 2, FIRST_DATA_LIMITS);
  const file = new DemoFactsFile(config.dataDir);
  try {
    return await database.work(async (em) => {
      await takeFirstDataTurn(em);
      if (!(await isEmptyDatabase(em))) return factsThatHold(em, file, now());
      const facts = await seed(em, settings, new Timeline(now()));
      // Before the commit: a crash in between leaves a file that the next seeding replaces. The other way round it
      // would leave rows whose tokens nobody has.
      await file.write(facts);
      return facts;
    });
  } catch (error) {
    throw isUnavailable(error) ? new StartupFault(NOWHERE_TO_WRITE) : error;
  } finally {
    await database.close();
  }
}

const NOWHERE_TO_WRITE =
  'The demo data cannot be written because the storage of STORAGE_URL or the database cannot be reached; ' +
  'DEMO=0 starts without it.';

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'UNAVAILABLE';
}

/** The file may be older than the database, or another database's: it is believed as far as its first token goes. */
async function factsThatHold(em: EntityManager, file: DemoFactsFile, now: Date): Promise<DemoFacts | undefined> {
  const facts = await file.read();
  if (facts === undefined) return undefined;
  const digest = digestToken(facts.tokens.owner);
  const valid = await em.count(ApiToken, { digest, revokedAt: null, expiresAt: { $gt: now } });
  return valid > 0 ? facts : undefined;
}

async function seed(em: EntityManager, settings: DemoSettings, timeline: Timeline): Promise<DemoFacts> {
  const { config, catalogDir } = settings;
  const catalog = WorkflowCatalog.load(catalogDir);
  const store = await openBlobStore(config.storageUrl, { stagingDir: config.dataDir });
  try {
    return await tell(em, { catalog, timeline, files: new StoredFiles(em, store) });
  } finally {
    await store.close();
  }
}

interface Stage {
  catalog: WorkflowCatalog;
  timeline: Timeline;
  files: StoredFiles;
}

/** The story, in the order in which it happened; every row is flushed when it returns, and nothing is committed. */
async function tell(em: EntityManager, { catalog, timeline, files }: Stage): Promise<DemoFacts> {
  const people = createPeople(em, timeline);
  const logo = await files.keepLogo({ name: 'logo.png', content: sunrisePng(160, [255, 196, 61], [107, 53, 16]) });
  const first = createFirstOrganization(em, timeline, logo);
  const other = createOtherOrganization(em, timeline);
  const deleted = createDeletedOrganization(em, timeline);
  createMemberships(em, people, { first, other, deleted });
  createFormerColleague(em, first, timeline);
  const tokens = createTokens(em, people, timeline);
  createPastTokens(em, first, { people, timeline });
  createInvitations(em, first, { people, timeline });
  associateWorkflow(em, first, ISO_27001, timeline.daysAgo(260));
  associateWorkflow(em, first, NIS2, timeline.daysAgo(240));
  associateWorkflow(em, first, NIS2_ITALY, timeline.daysAgo(45));
  associateWorkflow(em, other, ISO_27001, timeline.daysAgo(80));
  createControlStates(em, first, { people, catalog, timeline });
  for (const [id, since] of [
    [ISO_27001, 260],
    [NIS2, 240],
    [NIS2_ITALY, 45],
  ] as const)
    createProgress(em, first, knownWorkflow(catalog, id), { since, touches: touchesOf(id), timeline });
  createWorkflowImports(em, first, { importedBy: people.manager.username, catalog, timeline });
  await createDocuments(em, first, other, { people, catalog, timeline, files });
  const { running, overdue } = await createIncidents(em, first, { people, timeline, files });
  const devices = createDevices(em, first, timeline);
  createSilentDevice(em, other, timeline);
  await em.flush();

  // From here on there are ids to refer to.
  await insertReports(em, devices);
  const { portal, website, statusPage } = devices.cloudDefenders;
  const { gateway, plugin } = devices.threatBlockers;
  const places = {
    organizationId: first.id,
    otherOrganizationId: other.id,
    incidentId: running.id,
    overdueIncidentId: overdue.id,
    portalId: portal.id,
    websiteId: website.id,
    statusPageId: statusPage.id,
    pluginId: plugin.id,
  };
  createWeeklyReports(em, first, timeline);
  createWeeklyReports(em, other, timeline);
  createNotifications(em, first, other, { people, timeline, places });
  await em.flush();
  return {
    tokens,
    organization_id: first.id,
    other_organization_id: other.id,
    cloud_defender_id: portal.id,
    atb_id: gateway.id,
    workflow_id: DEMO_ARTIFACT.workflowId,
    artifact_id: DEMO_ARTIFACT.artifactId,
    incident_id: running.id,
  };
}
