import type { EntityManager } from '@mikro-orm/postgresql';
import { digestToken } from '../auth/token.js';
import type { Config } from '../config.js';
import { Database } from '../database/database.js';
import { StartupError } from '../database/startup-error.js';
import { FIRST_DATA_LIMITS } from '../database/time-limits.js';
import { ApiToken } from '../entities/tokens.js';
import { CloudDefender, ThreatBlocker } from '../entities/devices.js';
import { Incident } from '../entities/incidents.js';
import { Organization } from '../entities/organizations.js';
import { DomainError } from '../errors.js';
import { WorkflowCatalog } from '../services/workflows/catalog.js';
import { openBlobStore } from '../storage/open-blob-store.js';
import { DEMO_PEOPLE, DemoFactsFile, type DemoFacts } from './demo-facts.js';
import { createProgress, createWeeklyReports } from './derived-rows.js';
import { insertDeviceReports } from './device-traffic.js';
import { isEmptyDatabase, lockFirstData } from './first-data.js';
import { FixtureLoader } from './fixture-loader.js';
import { StoredFiles } from './stored-files.js';

export type { DemoFacts } from './demo-facts.js';

export interface DemoSettings {
  /** Address of a migrated database. */
  databaseUrl: string;
  config: Pick<Config, 'dataDir' | 'storageUrl'>;
  /** Folder of the workflow catalogue. */
  catalogDir: string;
  now?: () => Date;
}

/**
 * Fills an empty database with the fixtures of `demo/` and writes `demo.json` into the data folder. A database with
 * users or organizations stays as it is: then returns the facts of an earlier seeding while they hold, else undefined.
 * Instances that start together seed once. Throws StartupError when database, storage or data folder cannot be reached.
 */
export async function seedDemo(settings: DemoSettings): Promise<DemoFacts | undefined> {
  const { databaseUrl, config, now = () => new Date() } = settings;
  const database = await Database.open(databaseUrl, 2, FIRST_DATA_LIMITS);
  const file = new DemoFactsFile(config.dataDir);
  try {
    return await database.work(async (em) => {
      await lockFirstData(em);
      if (!(await isEmptyDatabase(em))) return validFacts(em, file, now());
      const facts = await seed(em, settings, now());
      // Before the commit: a crash in between leaves a file that the next seeding replaces. After the commit, it would
      // leave rows whose tokens are lost.
      await file.write(facts);
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

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'UNAVAILABLE';
}

/** The file may belong to another database: it counts while the owner's token is valid. */
async function validFacts(em: EntityManager, file: DemoFactsFile, now: Date): Promise<DemoFacts | undefined> {
  const facts = await file.read();
  if (facts === undefined) return undefined;
  const digest = digestToken(facts.tokens.owner);
  const valid = await em.count(ApiToken, { digest, revokedAt: null, expiresAt: { $gt: now } });
  return valid > 0 ? facts : undefined;
}

async function seed(em: EntityManager, { config, catalogDir }: DemoSettings, now: Date): Promise<DemoFacts> {
  const catalog = WorkflowCatalog.load(catalogDir);
  const store = await openBlobStore(config.storageUrl, { stagingDir: config.dataDir });
  try {
    const fixtures = new FixtureLoader(em, new StoredFiles(em, store), now);
    for (const domain of ['organizations', 'people', 'workflows', 'documents', 'incidents', 'devices'])
      await fixtures.load(`${domain}.yaml`);
    createProgress(em, fixtures, catalog);
    const [first, other] = [fixtures.get(Organization, 'valdoria'), fixtures.get(Organization, 'torresina')];
    for (const organization of [first, other]) createWeeklyReports(em, organization, now);
    await em.flush();
    // Both use ids of the rows before them.
    await insertDeviceReports(em, fixtures);
    await fixtures.load('notifications.yaml');
    await em.flush();
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
