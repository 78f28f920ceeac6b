import { resolveTxt } from 'node:dns/promises';
import { Access } from '../auth/access.js';
import { RateLimits } from '../auth/rate-limits.js';
import { isLoopback, OutgoingRequests, type OutgoingSettings } from '../common/outgoing-requests.js';
import type { Config } from '../config.js';
import { accessRecords, TokenUsage } from '../database/access-records.js';
import { AnnouncementFeed } from '../database/announcement-feed.js';
import { DatabaseClock } from '../database/clock.js';
import { Database } from '../database/database.js';
import { Replica } from '../database/replica.js';
import { requestLimits } from '../database/time-limits.js';
import { JobQueues } from '../database/job-queues.js';
import type { Logger } from '../logger.js';
import { MailOutbox } from '../mail/mail-outbox.js';
import { deleteMailFiles } from '../mail/mailer.js';
import { DownloadLinks } from './files/download-links.js';
import { ReadRecorder } from './audit/read-recorder.js';
import { RefusalRecorder } from './audit/refusal-recorder.js';
import { OrganizationCatalogs } from './workflows/organization-catalogs.js';
import { TokenAddresses } from './tokens/token-addresses.js';
import { OwnRecords } from './files/own-records.js';
import { StorageOwner } from './files/storage-owner.js';
import { StoredContent } from './files/stored-content.js';
import type { ReportingRegimes } from './incidents/reporting-regimes.js';
import type { WorkflowCatalog } from './workflows/catalog.js';
import type { BlobStore } from '../storage/blob-store.js';
import type { RecordStore } from '../storage/record-store.js';
import { openBlobStore, openRecordStore } from '../storage/storage-location.js';
import { VerifiedContent } from '../storage/verified-content.js';

export interface AppDeps {
  config: Readonly<Config>;
  /** A migrated database. */
  databaseUrl: string;
  catalog: WorkflowCatalog;
  /** The reports that laws require after an incident. */
  regimes: ReportingRegimes;
  log: Logger;
  /** The clock of all rules; defaults to the database's. */
  now?: () => Date;
  /** Reads TXT records; defaults to DNS. */
  resolveTxt?: ResolveTxt;
  /** Overrides of the configuration for requests to addresses that users have chosen. */
  outgoing?: OutgoingSettings;
}

/** The TXT records of a name, each in its parts; rejects where there are none. */
type ResolveTxt = (name: string) => Promise<string[][]>;

/** Limits of an identity provider's answers, whose keys and claims may be long. */
const PROVIDER_LIMITS = { milliseconds: 10_000, maxBytes: 512 * 1024 };

/** Dependencies of use cases. */
export interface Foundation {
  config: Readonly<Config>;
  log: Logger;
  /** The present time, or the instant of a request for the past. */
  now: () => Date;
  /** The present time, also for a request for the past: for authorization, and for written rows. */
  presentTime: () => Date;
  /** Synchronized with the database periodically. */
  clock: DatabaseClock;
  database: Database;
  store: BlobStore;
  verified: VerifiedContent;
  content: StoredContent;
  /** Checkpoints of audit trails, which the database cannot change. */
  records: RecordStore;
  /** Signs and verifies download links. */
  links: DownloadLinks;
  /** Last use of tokens, written periodically. */
  usage: TokenUsage;
  /** Addresses of token uses, recorded outside of requests. */
  addresses: TokenAddresses;
  /** Refusals of members, recorded outside of requests. */
  refusals: RefusalRecorder;
  /** Reads and downloads; repetitions are counted. */
  readings: ReadRecorder;
  /** Calls identity providers, whose addresses users have chosen. */
  outgoing: OutgoingRequests;
  /** Calls receivers of webhooks, whose addresses members have chosen. */
  receivers: OutgoingRequests;
  resolveTxt: ResolveTxt;
  /** Notifications of changes by other instances. */
  feed: AnnouncementFeed;
  access: Access;
  /** Rate limits. */
  limits: RateLimits;
  catalogs: OrganizationCatalogs;
  regimes: ReportingRegimes;
  /** Background jobs. */
  queues: JobQueues;
  mails: MailOutbox;
}

/** Opens the database and the storage; `closeFoundation` closes them. Its clock is the machine's until it is read. */
export async function createFoundation(deps: AppDeps): Promise<Foundation> {
  const clock = new DatabaseClock();
  const { config, databaseUrl, catalog, regimes, log, now: presentTime = clock.now } = deps;
  const milliseconds = () => presentTime().getTime();
  const limits = requestLimits(config.databaseStatementSeconds);
  const database = await Database.open(databaseUrl, config.databasePoolSize, limits);
  await database.checkSessions(log);
  const now = () => database.past.at ?? presentTime();
  if (config.replicaUrl !== undefined) {
    const standby = await Database.open(config.replicaUrl, config.databasePoolSize, limits);
    await standby.checkSessions(log);
    database.useReplica(new Replica(standby));
  }
  const silenceSeconds = config.storageSilenceSeconds;
  const store = await openBlobStore(config.storageUrl, { stagingDir: config.dataDir, silenceSeconds });
  const content = new StoredContent(database, store, new StorageOwner(database, store, config), {
    // Lists use at most two fifths; everything else needs the rest.
    connections: Math.max(1, Math.floor(config.databasePoolSize / 3)),
    maxBytes: config.quotas.storedBytesPerOrganization,
    log,
  });
  const records = new OwnRecords(await openRecordStore(config.storageUrl, silenceSeconds), content);
  const links = new DownloadLinks(config.publicUrl, config.secretKey, config.downloadLinkMinutes, milliseconds);
  const usage = new TokenUsage(database, log, milliseconds);
  const addresses = new TokenAddresses(database, log, presentTime);
  const refusals = new RefusalRecorder(database, log, presentTime);
  const readings = new ReadRecorder(database, log, presentTime);
  const feed = new AnnouncementFeed({ url: config.listenDatabaseUrl ?? databaseUrl, database, clock, log });
  const access = new Access(
    accessRecords(database),
    feed,
    (caller) => {
      usage.used(caller.tokenId);
      addresses.used(caller);
    },
    milliseconds,
    (refusal) => database.past.present(() => refusals.refused(refusal)),
  );
  const catalogs = new OrganizationCatalogs(database, catalog, feed);
  const queues = new JobQueues(database.forJobs(), clock);
  const mails = new MailOutbox(
    database,
    (tx, mailIds) =>
      queues.enqueue(
        tx,
        'mail',
        mailIds.map((mailId) => ({ data: { mailId } })),
      ),
    now,
    (ids) => deleteMailFiles(config, ids),
    log,
  );
  const outgoing = {
    allowedNetworks: config.outgoingNetworks,
    loopback: config.outgoingNetworks.some((network) => isLoopback(network.split('/')[0] as string)),
  };
  return {
    ...{ config, log, now, presentTime, regimes },
    outgoing: new OutgoingRequests({ ...outgoing, ...PROVIDER_LIMITS, ...deps.outgoing }),
    receivers: new OutgoingRequests({ ...outgoing, reusesConnections: true, ...deps.outgoing }),
    resolveTxt: deps.resolveTxt ?? resolveTxt,
    ...{ clock, database, store, content, records, links, verified: new VerifiedContent(store) },
    ...{ usage, addresses, refusals, readings, feed, access, catalogs, queues, mails },
    limits: new RateLimits(config.rateLimits),
  };
}

/** Closes it after the last request, together with `others`. */
export async function closeFoundation(foundation: Foundation, others: readonly Promise<unknown>[] = []): Promise<void> {
  const { usage, addresses, refusals, readings, feed, records, store, database } = foundation;
  feed.close();
  // In parallel: each of them waits for a silent database up to its limit.
  await Promise.all([...others, usage.close(), addresses.close(), refusals.close(), readings.close()]);
  records.close();
  await store.close();
  await database.close();
}
