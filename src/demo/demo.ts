import type { EntityManager } from '@mikro-orm/postgresql';
import { DAY } from '../common/time.js';
import { digestToken, isWellFormedToken } from '../auth/token.js';
import type { Config } from '../config.js';
import { Database } from '../database/database.js';
import { isUnavailable, StartupError } from '../errors.js';
import { FIRST_DATA_LIMITS } from '../database/time-limits.js';
import { ApiToken } from '../entities/tokens.js';
import { CloudDefender, ThreatBlocker } from '../entities/devices.js';
import { Incident } from '../entities/incidents.js';
import { Organization } from '../entities/organizations.js';
import { type WorkflowCatalog, leavesOf } from '../services/workflows/catalog.js';
import { DISAGREEMENTS, StorageOwner } from '../services/files/storage-owner.js';
import { openBlobStore } from '../storage/storage-location.js';
import { insertDeviceReports } from './device-traffic.js';
import { isEmptyDatabase, lockFirstData } from './first-data.js';
import { readFixtures } from '../services/sandboxes/fixtures.js';
import { FixtureLoader, queryable } from './fixture-loader.js';
import { recordHistory } from './history.js';
import { randomUUID } from 'node:crypto';
import { ControlState, OrganizationWorkflow, WorkflowProgress } from '../entities/workflows.js';
import { OutgoingMail } from '../entities/shared.js';
import { WeeklyReport, WeeklyReportRun } from '../entities/reports.js';
import { newestDue } from '../services/shared/report-week.js';
import { dayOf } from '../common/local-time.js';
import { countBegun, nothingBegun } from '../services/workflows/progress.js';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DurableMove } from '../storage/local-blob-store.js';

interface DemoSettings {
  /** Address of a migrated database. */
  databaseUrl: string;
  config: Pick<Config, 'dataDir' | 'storageUrl'> & Partial<Pick<Config, 'databaseUrl'>>;
  catalog: WorkflowCatalog;
  now?: () => Date;
}

/**
 * Seeds an empty database with `demo/` and writes `demo.json`; instances that start together seed once. Any other
 * database stays as it is: returns the facts of an earlier seeding while they are valid, else undefined. Throws
 * StartupError when database, storage or data folder cannot be reached.
 */
export async function seedDemo(settings: DemoSettings): Promise<DemoFacts | undefined> {
  const { databaseUrl, config, now = () => new Date() } = settings;
  const database = await Database.open(databaseUrl, 2, FIRST_DATA_LIMITS);
  try {
    return await database.work(async (em) => {
      await lockFirstData(em);
      if (!(await isEmptyDatabase(em))) return validFacts(em, config.dataDir, now());
      const facts = await seed(database, em, settings, now());
      // Before the commit: a crash in between leaves a file that the next seeding replaces. After the commit, it would
      // leave rows whose tokens are lost.
      await writeFacts(config.dataDir, facts);
      return facts;
    });
  } catch (error) {
    throw isUnavailable(error) ? new StartupError(UNAVAILABLE) : error;
  } finally {
    await database.close();
  }
}

const UNAVAILABLE =
  'The demo data cannot be written because the storage of STORAGE_URL or the database cannot be reached; ' +
  'DEMO=0 starts without it.';

/** The file may belong to another database: it counts while the owner's token is valid. */
async function validFacts(em: EntityManager, dataDir: string, now: Date): Promise<DemoFacts | undefined> {
  const facts = await readFacts(dataDir);
  if (facts === undefined) return undefined;
  const digest = digestToken(facts.tokens.owner);
  const valid = await em.count(ApiToken, { digest, revokedAt: null, expiresAt: { $gt: now } });
  return valid > 0 ? facts : undefined;
}

async function seed(
  database: Database,
  em: EntityManager,
  { config, catalog }: DemoSettings,
  now: Date,
): Promise<DemoFacts> {
  const store = await openBlobStore(config.storageUrl, { stagingDir: config.dataDir });
  try {
    if ((await new StorageOwner(database, store, config).claim()) === 'another installation')
      throw new StartupError(`${DISAGREEMENTS['another installation']} DEMO=0 starts without demo data.`);
    const fixtures = new FixtureLoader(em, store, now);
    for (const domain of ['organizations', 'people', 'workflows', 'documents', 'incidents', 'devices'])
      await fixtures.load(readFixtures(`${domain}.yaml`));
    createProgress(em, fixtures, catalog);
    const [first, other] = [fixtures.get(Organization, 'valdoria'), fixtures.get(Organization, 'torresina')];
    for (const organization of [first, other]) createWeeklyReports(em, organization, now);
    await em.flush();
    // Both use ids of the rows before them.
    await insertDeviceReports(em, fixtures);
    await fixtures.load(readFixtures('notifications.yaml'));
    await em.flush();
    await recordHistory(queryable(em), em, { fixtures, catalog });
    return {
      tokens: Object.fromEntries(
        DEMO_PEOPLE.map((person) => [person, fixtures.tokens.get(person)]),
      ) as DemoFacts['tokens'],
      organization_id: first.id,
      other_organization_id: other.id,
      cloud_defender_id: fixtures.get(CloudDefender, 'portal').id,
      atb_id: fixtures.get(ThreatBlocker, 'gateway').id,
      ...DEMO_ARTIFACT,
      incident_id: fixtures.get(Incident, 'running').id,
    };
  } finally {
    await store.close();
  }
}

/** A control with several document versions, for trying out the address of uploads. */
const DEMO_ARTIFACT = { workflow_id: 'iso-27001-2022', artifact_id: 'A.5.1' };

/** The daily progress of each associated workflow, derived from the history of its controls. */
function createProgress(em: EntityManager, fixtures: FixtureLoader, catalog: WorkflowCatalog): void {
  const states = fixtures.all(ControlState).toSorted((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime());
  for (const { organization, workflowId, createdAt } of fixtures.all(OrganizationWorkflow)) {
    const own = states.filter((state) => state.organization === organization && state.workflowId === workflowId);
    const workflow = catalog.find(workflowId);
    if (own.length === 0 || workflow === undefined) continue;
    const leaves = leavesOf(workflow);
    const counts = nothingBegun(leaves.size);
    const days = new Map([[dayOf(createdAt, organization.timeZone), { ...counts }]]);
    for (const { controlId, status, updatedAt } of own) {
      if (!leaves.has(controlId) || status === 'TO_DO') continue;
      countBegun(counts, status);
      days.set(dayOf(updatedAt, organization.timeZone), { ...counts });
    }
    for (const [day, progress] of days)
      em.persist(em.create(WorkflowProgress, { organization, workflowId, day, ...progress }));
  }
}

/** Milliseconds from a report's due time until it is written, and until the mail server has it. */
const WRITTEN = 20_000;
const SENT = 24_000;

/** States of the reports of the last weeks, oldest first. The gateway itself makes the newest. */
const WEEKS = [
  { weeksAgo: 3, attempts: 1, state: 'SENT' },
  { weeksAgo: 2, attempts: 1, state: 'FAILED', lastError: 'The mail server refused the recipient (550).' },
  { weeksAgo: 1, attempts: 3, state: 'SENT' },
] as const;

function createWeeklyReports(em: EntityManager, organization: Organization, now: Date): void {
  for (const { weeksAgo, ...outcome } of WEEKS) {
    const then = new Date(now.getTime() - 7 * weeksAgo * DAY);
    const { week, dueAt } = newestDue(then, organization.timeZone, organization.reportWeekday);
    const createdAt = new Date(dueAt.getTime() + WRITTEN);
    const sentAt = outcome.state === 'SENT' ? new Date(dueAt.getTime() + SENT) : null;
    em.persist(em.create(WeeklyReportRun, { organization, week, postedAt: createdAt }));
    for (const { email, emailReport } of organization.contacts) {
      if (!emailReport) continue;
      const mail = em.create(OutgoingMail, { id: randomUUID(), recipient: email, ...outcome, createdAt, sentAt });
      em.persist(em.create(WeeklyReport, { organization, week, email, mail }));
    }
  }
}

/** Members of the first organization by their role, the owner of the second, and a user without organization. */
const DEMO_PEOPLE = ['owner', 'manager', 'officer', 'analyst', 'viewer', 'stranger', 'newcomer'] as const;
type DemoPerson = (typeof DEMO_PEOPLE)[number];

/** Tokens and ids for trying the demo data out, in the spelling and order of `demo.json`. */
export interface DemoFacts {
  tokens: Record<DemoPerson, string>;
  organization_id: number;
  other_organization_id: number;
  cloud_defender_id: number;
  atb_id: number;
  workflow_id: string;
  artifact_id: string;
  incident_id: number;
}

const factsPath = (dataDir: string) => join(dataDir, 'demo.json');

/** The content of `demo.json`; undefined for a missing or malformed file. */
async function readFacts(dataDir: string): Promise<DemoFacts | undefined> {
  try {
    const facts = JSON.parse(await readFile(factsPath(dataDir), 'utf8')) as Partial<DemoFacts> | null;
    return isWellFormedToken(facts?.tokens?.owner ?? '') ? (facts as DemoFacts) : undefined;
  } catch (error) {
    // An unreadable folder is an error, not a missing file.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes `demo.json`, the only file with the demo tokens. Returns once it is on the disk, readable by its owner only;
 * a crash leaves the old file or the new one. Throws StartupError when it cannot be written.
 */
async function writeFacts(dataDir: string, facts: DemoFacts): Promise<void> {
  const path = factsPath(dataDir);
  const scratch = `${path}.${randomUUID()}`;
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(scratch, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await new DurableMove(dataDir).move(scratch, path);
  } catch (error) {
    await rm(scratch, { force: true }).catch(() => undefined);
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`${path} cannot be written (${code}): set another DATA_DIR, or DEMO=0.`);
  }
}
